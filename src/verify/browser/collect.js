// Evaluated in a complete page: what the document means to the browser, as JSON. Raw values of
// references do not appear, since they differ by design; only what they resolve to.
(() => {
  // Computed properties that style sheets decide and that URLs stand in; no sizes, which follow from
  // texts that differ in every load (dates, counters).
  const PROPERTIES = ["display", "visibility", "position", "float", "opacity", "color", "background-color",
    "background-image", "font-family", "font-size", "font-style", "font-weight", "line-height", "text-align",
    "text-decoration-line", "text-transform", "white-space", "list-style-type", "list-style-image",
    "margin-left", "margin-top", "padding-left", "padding-top", "border-top-width", "border-top-style",
    "border-top-color", "border-image-source", "border-top-left-radius", "box-shadow", "cursor", "content",
    "mask-image", "filter", "clip-path", "fill", "stroke", "flex-direction", "grid-template-areas", "overflow-x"];
  // Properties of elements whose value is a resolved URL.
  const URLS = ["href", "src", "action", "formAction", "data", "poster"];
  const LIMIT = 20000;

  for (const animation of document.getAnimations()) {
    try { animation.finish() } catch { animation.cancel() }
  }

  const here = document.URL.split("#")[0];
  const links = [], images = [], elements = [], table = [], known = new Map();
  const sheets = [...document.styleSheets].map(sheet => [sheet.href ?? "", true]);
  for (const link of document.querySelectorAll("link[rel~=stylesheet][href]"))
    if (!link.sheet && !link.disabled) sheets.push([link.href, false]);

  function label(el) {
    const text = (el.getAttribute("alt") || el.textContent || el.getAttribute("rel") || el.getAttribute("name") || "")
      .replace(/\s+/g, " ").trim();
    const shown = text.length > 40 ? text.slice(0, 40) + "…" : text;
    return el.localName + (shown ? ` "${shown}"` : "");
  }

  function resolved(el, name) {
    let value;
    try { value = el[name] } catch { return }
    if (value && typeof value === "object" && typeof value.baseVal === "string")
      value = new URL(value.baseVal, el.baseURI).href; // SVG
    else if (typeof value !== "string") { // shadowed by a control of that name
      try { value = new URL(el.getAttribute(name), el.baseURI).href } catch { return }
    }
    return value;
  }

  function style(el, path, pseudo) {
    const computed = getComputedStyle(el, pseudo);
    if (pseudo && (computed.content === "none" || computed.content === "normal")) return;
    const text = PROPERTIES.map(name => computed.getPropertyValue(name)).join("\n");
    if (!known.has(text)) known.set(text, table.push(text) - 1);
    elements.push([path + (pseudo ?? ""), known.get(text)]);
  }

  function walk(root, path, isShown) {
    const counts = {};
    for (const el of root.children) {
      if (elements.length >= LIMIT) return;
      const name = el.localName;
      counts[name] = (counts[name] ?? 0) + 1;
      const own = `${path}${path ? " > " : ""}${name}${counts[name] > 1 ? `[${counts[name]}]` : ""}`;
      for (const property of URLS) {
        const attribute = property.toLowerCase();
        if (!el.hasAttribute(attribute) && !el.hasAttributeNS("http://www.w3.org/1999/xlink", attribute)) continue;
        const value = resolved(el, property);
        if (value === undefined || value === "") continue;
        const isLocal = property === "href" && name === "a" && value.split("#")[0] === here;
        if (name !== "base") links.push([own, label(el), property, value, isLocal]);
      }
      if (name === "img")
        images.push([own, label(el), el.currentSrc, el.complete && el.naturalWidth > 0]);
      const isOwnShown = isShown && !["head", "script", "style", "template", "noscript"].includes(name);
      if (isOwnShown) {
        style(el, own);
        style(el, own, "::before");
        style(el, own, "::after");
      }
      if (el.shadowRoot) walk(el.shadowRoot, own + " > #shadow", isOwnShown);
      walk(el, own, isOwnShown);
    }
  }

  walk(document, "", true);
  return JSON.stringify({
    url: document.URL,
    base: document.querySelector("base[href]") ? document.baseURI : null,
    document_base: document.baseURI,
    links, sheets, images,
    properties: PROPERTIES, styles: table, elements,
  });
})()
