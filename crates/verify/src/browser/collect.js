// Evaluated in a complete page: what the document means to the browser, as JSON. Raw values of
// references do not appear, since they differ by design; only what they resolve to. Metadata (Open
// Graph, JSON-LD) means nothing to browsers; the comparison of the files has it.
(() => {
  // Computed properties that style sheets decide and that URLs stand in; no sizes, which follow from
  // texts that differ in every load (dates, counters).
  const PROPERTIES = ["display", "visibility", "position", "float", "opacity", "color", "background-color",
    "background-image", "font-family", "font-size", "font-style", "font-weight", "line-height", "text-align",
    "text-decoration-line", "text-transform", "white-space", "list-style-type", "list-style-image",
    "margin-left", "margin-top", "padding-left", "padding-top", "border-top-width", "border-top-style",
    "border-top-color", "border-image-source", "border-top-left-radius", "box-shadow", "cursor", "content",
    "mask-image", "filter", "backdrop-filter", "clip-path", "shape-outside", "offset-path", "fill", "stroke",
    "marker-start", "marker-mid", "marker-end", "flex-direction", "grid-template-areas", "overflow-x"];
  // Properties of elements whose value is a resolved URL.
  const URLS = ["href", "src", "action", "formAction", "data", "poster"];
  // Attributes with URLs that no property resolves, or that no property has in markup that is not live:
  // one URL, several, several with descriptors.
  const ONE = ["cite", "longdesc", "background", "lowsrc", "itemid"], SEVERAL = ["ping"], CANDIDATES = ["srcset", "imagesrcset"];
  // Elements whose URLs the browser resolves before it reads a `base` element after them.
  const AT_ONCE = 'link[rel~=stylesheet], script, style, img, picture > source, iframe, frame, image, use, feImage, ' +
    'meta[http-equiv=refresh i]';
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

  // The base URL of the references of an element: a later `base` element does not count for what is fetched at once. `styles`: of
  // those in its `style` attribute.
  const final = document.querySelector("base[href]");
  function baseOf(el, styles) {
    const isBefore = final && el.isConnected && el.compareDocumentPosition(final) & Node.DOCUMENT_POSITION_FOLLOWING;
    return isBefore && (styles || el.matches(AT_ONCE)) ? document.URL : document.baseURI;
  }

  function resolved(el, name) {
    let value;
    if (!(name in el)) return; // an attribute that means nothing there
    if (baseOf(el) !== document.baseURI && el.hasAttribute(name)) {
      try { return new URL(el.getAttribute(name), baseOf(el)).href } catch { return }
    }
    try { value = el[name] } catch { return }
    if (value && typeof value === "object" && typeof value.baseVal === "string")
      value = new URL(value.baseVal, el.baseURI).href; // SVG
    else if (typeof value !== "string") { // shadowed by a control of that name
      try { value = new URL(el.getAttribute(name), el.baseURI).href } catch { return }
    }
    return value;
  }

  // Resolves as a link of the document does: with its base and its charset.
  const anchor = document.createElement("a");
  function target(value, el) {
    const base = el && baseOf(el);
    if (base && base !== document.baseURI) try { value = new URL(value, base).href } catch { }
    anchor.setAttribute("href", value);
    return anchor.href;
  }

  function candidates(value) {
    const found = value.matchAll(/\s*([^\s,]\S*[^\s,]|[^\s,])\s*(?:\s[^,(]*(?:\([^)]*\))?[^,]*)?(?:,|$)/g);
    return [...found].map(match => match[1]);
  }

  // The attributes of an element that no property resolves. Templates with markup to fill in have no URLs yet.
  function attributes(el, path, names) {
    const put = (name, values) => values.filter(value => value && !/[{}]|<%/.test(value)).forEach((value, at) =>
      links.push([path, label(el), at ? `${name} (${at + 1})` : name, target(value, el), false]));
    if (el.style?.length) urls(el.style.cssText, baseOf(el, true), path, label(el));
    for (const { name, value } of el.attributes)
      if (names.includes(name)) put(name, [value]);
      else if (SEVERAL.includes(name)) put(name, value.split(/\s+/));
      else if (CANDIDATES.includes(name)) put(name, candidates(value));
    if (el.localName === "meta" && /^refresh$/i.test(el.httpEquiv)) {
      const match = /^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?(['"]?)(.*?)\1\s*$/i.exec(el.content);
      if (match) put("content", [match[2]]);
    }
  }

  // Markup that is not live: templates, noscript, conditional comments.
  function inert(markup, path) {
    const names = [...ONE, ...URLS.map(name => name.toLowerCase())];
    markup.querySelectorAll("*").forEach((el, at) => {
      const own = `${path} > ${el.localName}[${at + 1}]`;
      if (el.localName === "template") inert(el.content, own);
      else if (el.localName !== "base") attributes(el, own, names);
      if (el.localName === "style") {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(el.textContent);
        rules(sheet, own, 0, document.baseURI);
      }
    });
  }

  function parsed(text) {
    return new DOMParser().parseFromString(text, "text/html");
  }

  // The URLs in declarations; in values of variables they stand as they are written.
  function urls(text, base, path, name) {
    let number = 0;
    for (const match of text.matchAll(/url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'()]+))\s*\)/g)) {
      const value = match[1] ?? match[2] ?? match[3];
      if (value === "" || value.startsWith("#") || value.startsWith("data:")) continue;
      try { links.push([path, name, `url() ${++number}`, new URL(value, base).href, false]) } catch { }
    }
  }

  // The URLs of rules, also of those that apply to nothing here.
  function rules(sheet, path, depth, base) {
    let found;
    try { found = [...sheet.cssRules] } catch { return } // from disk
    found.forEach((rule, at) => {
      if (links.length >= LIMIT || depth > 8) return;
      const own = `${path} rule ${at + 1}`;
      if (rule.styleSheet) return rules(rule.styleSheet, own, depth + 1, rule.styleSheet.href);
      urls(rule.style ? rule.style.cssText : rule.cssRules ? "" : rule.cssText, base, own, "style sheet");
      if (rule.cssRules) rules(rule, own, depth + 1, base);
    });
  }

  // The addresses of an import map or of speculation rules.
  function addresses(el, path) {
    let value;
    try { value = JSON.parse(el.textContent) } catch { return }
    const put = (value, key, isUrl) => (isUrl || /^(\.{0,2}\/|https?:)/.test(value) || / urls /.test(key)) &&
      links.push([path, "script", key, target(value, el).replaceAll("%2A", "*"), false]);
    (function walk(value, key, within) {
      if (typeof value === "string") key.endsWith(" href_matches") || put(value, key);
      else if (value && typeof value === "object")
        Object.entries(value).forEach(([name, inner], at) => {
          if (!Array.isArray(value)) put(name, `${key} ${at + 1} name`, within === "scopes");
          walk(inner, `${key} ${/^(urls|href_matches)$/.test(name) ? name : at + 1}`, name);
        });
    })(value, el.type);
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
      // What scripts load in advance, and in which order, is among the requests.
      const isHint = el.localName === "link" && /\b(prefetch|preload|modulepreload|prerender)\b/i.test(el.rel);
      const name = isHint ? "link.hint" : el.localName;
      counts[name] = (counts[name] ?? 0) + 1;
      const own = `${path}${path ? " > " : ""}${name}${counts[name] > 1 ? `[${counts[name]}]` : ""}`;
      for (const property of URLS) {
        const attribute = property.toLowerCase();
        if (!el.hasAttribute(attribute) && !el.hasAttributeNS("http://www.w3.org/1999/xlink", attribute)) continue;
        const value = resolved(el, property);
        if (value === undefined || value === "") continue;
        const isLocal = property === "href" && name === "a" && value.split("#")[0] === here;
        if (name !== "base" && !isHint) links.push([own, label(el), property, value, isLocal]);
      }
      attributes(el, own, ONE);
      if (name === "template") inert(el.content, own);
      if (name === "noscript") inert(parsed(el.textContent).documentElement, own);
      if (name === "script" && ["importmap", "speculationrules"].includes(el.type)) addresses(el, own);
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
  [...document.styleSheets].forEach((sheet, at) => rules(sheet, `sheet ${at + 1}`, 0, sheet.href ?? baseOf(sheet.ownerNode)));
  const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
  for (let number = 1; comments.nextNode();) {
    const match = /^\[if[^\]]*\]>([^]*?)<!\[endif\]$/.exec(comments.currentNode.data);
    if (match) inert(parsed(match[1]).documentElement, `comment ${number++}`);
  }
  return JSON.stringify({
    url: document.URL,
    mode: document.compatMode,
    base: document.querySelector("base[href]") ? document.baseURI : null,
    document_base: document.baseURI,
    links, sheets, images,
    properties: PROPERTIES, styles: table, elements,
  });
})()
