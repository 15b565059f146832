// Evaluated in a loaded page by `run`: what every reference of the document means to the browser.
// Returns an array of [element, property, meaning], in document order. Raw attribute values of
// references do not appear (they cannot be equal before and after), only what they resolve to.
(() => {
  const out = [];
  const XHTML = "http://www.w3.org/1999/xhtml", SVG = "http://www.w3.org/2000/svg";
  const ONE = new Set(["href", "src", "poster", "data", "action", "formaction", "cite", "longdesc", "lowsrc", "dynsrc",
    "background", "itemid", "manifest", "icon", "codebase", "altimg", "xml:base", "resource", "about", "xlink:href", "l:href"]);
  const SPACES = new Set(["ping", "profile"]);
  const SRCSET = new Set(["srcset", "imagesrcset"]);
  const CODE = new Set(["classid", "archive", "code"]);
  const CSS = new Set(["style", "fill", "stroke", "filter", "clip-path", "mask", "marker", "marker-start", "marker-mid",
    "marker-end", "cursor", "color-profile"]);
  const IDL = ["href", "src", "currentSrc", "action", "formAction", "data", "poster", "cite", "longDesc", "lowsrc",
    "codeBase", "archive", "code", "useMap", "baseURI", "origin", "hash"];
  const COMPUTED = ["background-image", "list-style-image", "border-image-source", "cursor", "content", "mask-image",
    "mask", "filter", "backdrop-filter", "clip-path", "shape-outside", "offset-path", "fill", "stroke",
    "marker-start", "marker-mid", "marker-end"];
  const METADATA = /^(og:(url|see_also|(image|audio|video)(:(secure_)?url)?)|twitter:(url|image.*|player.*)|msapplication-(config|starturl|tileimage|square.*|wide.*)|thumbnail)$/i;
  const JSON_LD = new Set(["url", "@id", "image", "logo", "sameAs"]);

  // A resolver for the references of a document: as an `a` of that document does it, with the
  // document's base and charset, or against a base of its own.
  function resolver(doc, base) {
    if (base !== undefined)
      return value => { try { return new URL(value, base).href } catch { return "no URL: " + value } };
    const a = doc.createElementNS(XHTML, "a");
    return value => { a.setAttribute("href", value); return a.href };
  }

  // URLs in CSS as the browser writes it (strings quoted, escapes of CSS in them). Those of
  // nothing but a fragment are local and stay.
  function cssUrls(text, resolve) {
    const found = [];
    const unescape = s => s.replace(/\\(?:([0-9a-f]{1,6})\s?|\r?\n|([^]))/gi,
      (_, hex, c) => hex ? String.fromCodePoint(parseInt(hex, 16)) : c ?? "");
    const add = s => found.push(s.startsWith("#") ? "local " + s : resolve(s));
    for (const m of text.matchAll(/(?:url|src)\(\s*(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|((?:[^\s"'()\\]|\\[^])*))\s*\)|image-set\(|"(?:[^"\\]|\\[^])*"/gi)) {
      const value = m[1] ?? m[2] ?? m[3];
      if (value !== undefined) add(unescape(value));
    }
    for (const m of text.matchAll(/image-set\(([^]*?)\)\s*(?:;|$|,)/gi))
      for (const s of m[1].matchAll(/(?:^|,)\s*"((?:[^"\\]|\\[^])*)"/g)) add(unescape(s[1]));
    return found;
  }

  function srcset(value) { // candidates by the Standard's algorithm, descriptors kept as text
    const found = [];
    let at = 0;
    for (;;) {
      while (at < value.length && /[\t\n\f\r ,]/.test(value[at])) at++;
      if (at >= value.length) return found;
      let start = at;
      while (at < value.length && !/[\t\n\f\r ]/.test(value[at])) at++;
      let url = value.slice(start, at), descriptors = "";
      if (url.endsWith(",")) url = url.replace(/,+$/, "");
      else {
        start = at;
        for (let depth = 0; at < value.length && (depth || value[at] !== ","); at++)
          depth += value[at] === "(" ? 1 : value[at] === ")" ? -1 : 0;
        descriptors = value.slice(start, at).trim();
      }
      found.push([url, descriptors]);
    }
  }

  function json(text, type, resolve) {
    let value;
    try { value = JSON.parse(text) } catch { return [["text", text]] }
    const found = [];
    const address = s => /^(\.{0,2}\/|[a-z][a-z0-9+.-]*:)/i.test(s);
    (function walk(v, path, key) {
      if (Array.isArray(v)) v.forEach((x, i) => walk(x, path + "[" + i + "]", key));
      else if (v && typeof v === "object")
        for (const k of Object.keys(v)) {
          const isKey = type === "importmap" && (path.includes(".scopes") && path.split(".").length === 2
            || address(k) || path === ".integrity");
          walk(v[k], path + "." + (isKey ? resolve(k) : k), k);
        }
      else {
        const is = typeof v === "string" && (type === "importmap" ? address(v) && !path.startsWith(".integrity")
          : type === "speculationrules" ? key === "urls" || key === "href_matches" || key === "relative_to" && false
          : type === "application/ld+json" && JSON_LD.has(key));
        found.push([path, is ? resolve(v).replace("%2A", "*") : String(v)]);
      }
    })(value, "", "");
    return found;
  }

  // What a document's base element is resolved against.
  function baseless(doc) {
    const win = doc.defaultView;
    return doc.URL === "about:srcdoc" ? win.frameElement.ownerDocument.baseURI : doc.URL;
  }

  function label(el, path) {
    return path + " " + el.nodeName.toLowerCase() + (el.id ? "#" + el.id : "");
  }

  // Rules as far as a script may read them.
  function sheet(s, name, doc) {
    out.push([name, "sheet.href", String(s.href)]);
    let rules;
    try { rules = s.cssRules } catch { out.push([name, "rules", "not readable"]); return }
    const resolve = s.href ? resolver(doc, s.href) : resolver(doc);
    (function walk(rules, path) {
      [...rules].forEach((rule, i) => {
        const at = path + "/" + i;
        if (rule.styleSheet !== undefined && rule.href !== undefined) { // @import
          out.push([name, "rule " + at + " @import", resolve(rule.href)]);
          if (rule.styleSheet) sheet(rule.styleSheet, name + " @import " + at, doc);
          return;
        }
        const text = rule.style ? rule.style.cssText : rule.cssRules ? "" : rule.cssText;
        cssUrls(text, resolve).forEach(u => out.push([name, "rule " + at, u]));
        if (rule.cssRules) walk(rule.cssRules, at);
      });
    })(rules, "");
  }

  function attributes(el, name, resolve, live) {
    const svg = el.namespaceURI === SVG;
    for (const { name: attr, value } of el.attributes) {
      const put = (what, v) => out.push([name, attr + what, v]);
      if (attr === "srcdoc") {
        if (!live) inert(new DOMParser().parseFromString(value, "text/html"), name + " > srcdoc", resolve);
      } else if (CSS.has(attr) && (attr === "style" || svg))
        cssUrls(attr === "style" ? el.style?.cssText ?? value : value, resolve).forEach(u => put("", u));
      else if (attr === "usemap" || svg && el.localName !== "a" && /^\s*#/.test(value)) put(" as it is", value);
      else if (el.localName === "base") {
        if (attr !== "href") put(" as it is", value);
        else if (live) put("", resolver(null, baseless(el.ownerDocument))(value)); // inert ones: see there
      }
      else if (attr === "manifest" && el === el.ownerDocument.documentElement)
        put("", resolver(null, location.href)(value)); // not affected by base elements
      else if (ONE.has(attr)) {
        if (!svg && !/[^\t\n\f\r ]/.test(value) && !["a", "area"].includes(el.localName)) put("", "empty: " + JSON.stringify(value));
        else put("", resolve(value));
      } else if (SPACES.has(attr)) value.split(/[\t\n\f\r ]+/).filter(Boolean).forEach(v => put("", resolve(v)));
      else if (SRCSET.has(attr)) srcset(value).forEach(([u, d]) => put(" " + d, resolve(u)));
      else if (CODE.has(attr) && ["object", "applet"].includes(el.localName)) {
        const own = el.hasAttribute("codebase") ? resolver(null, resolve(el.getAttribute("codebase"))) : resolve;
        value.split(el.localName === "applet" ? /\s*,\s*/ : /\s+/).filter(Boolean).forEach(v => put("", own(v)));
      } else if (attr === "value" && el.localName === "param" && el.getAttribute("valuetype") === "ref") put("", resolve(value));
      else if (attr === "content" && el.localName === "meta" && /^refresh$/i.test(el.httpEquiv)) {
        const m = /^\s*([\d.]*)\s*[;,]?\s*(?:url\s*=\s*)?(['"]?)([^]*?)\2\s*$/i.exec(value);
        put("", m ? m[1] + ";" + resolve(m[3]) : value);
      } else if (attr === "content" && el.localName === "meta"
        && METADATA.test((el.getAttribute("property") ?? el.getAttribute("name") ?? "").trim())) put("", resolve(value));
      else put(" as it is", value); // everything else has to be the same text
    }
  }

  function properties(el, name, resolve) {
    for (const p of IDL) {
      let v;
      try { v = el[p] } catch { continue }
      if (v == null || v === "") continue;
      if (typeof v === "object" && "baseVal" in v) {
        const raw = v.baseVal;
        v = raw.startsWith("#") && el.localName !== "a" ? "local " + raw : raw === "" ? "" : resolve(raw);
      }
      if (typeof v !== "string") continue;
      if (p === "archive" || p === "code") continue; // reflected as they are; resolved above
      if (p === "lowsrc" || p === "cite" || p === "longDesc" || p === "codeBase") v = resolve(v);
      out.push([name, "." + p, v]);
    }
  }

  function computed(el, name, win) {
    for (const pseudo of [undefined, "::before", "::after", "::marker"]) {
      const style = win.getComputedStyle(el, pseudo);
      for (const p of COMPUTED) {
        const v = style.getPropertyValue(p);
        if (v.includes("url(")) out.push([name, (pseudo ?? "") + " computed " + p, v]);
      }
    }
  }

  // Elements of a document that the browser does not run: only attributes, styles and scripts.
  function inert(root, path, resolve) {
    const first = [...root.querySelectorAll("base[href]")].find(b => b.namespaceURI === XHTML && root.nodeType === 9);
    if (first) {
      const own = resolve(first.getAttribute("href"));
      out.push([path, "base", own]);
      resolve = resolver(null, own);
    }
    walk(root, path, resolve, false);
  }

  function scripts(el, name, resolve) {
    const type = (el.getAttribute("type") ?? "").trim().toLowerCase();
    if (/json|importmap|speculationrules/.test(type))
      json(el.textContent, type, resolve).forEach(([p, v]) => out.push([name, type + " " + p, v]));
    else if (!el.hasAttribute("src")) out.push([name, "script as it is", el.textContent]);
  }

  function walk(root, path, resolve, live) {
    for (const node of root.childNodes) {
      if (node.nodeType === 8) { // comments: conditional ones hold markup, others are text
        const m = /^\[if[^\]]*\]>([^]*?)<!\[endif\]$/.exec(node.data);
        if (m) inert(new DOMParser().parseFromString(m[1], "text/html"), path + " > comment", resolve);
        else out.push([path + " comment", "as it is", node.data]);
      } else if (node.nodeType === 7) { // <?xml-stylesheet href="..."?>
        const m = /\bhref\s*=\s*(["'])(.*?)\1/.exec(node.data);
        // It comes before any base element, so that only the document's URL counts.
        out.push([path + " ?" + node.target, "href", m ? resolver(null, root.URL ?? document.URL)(m[2]) : node.data]);
      }
      if (node.nodeType !== 1) continue;
      const el = node, name = label(el, path);
      const own = el.baseURI !== el.ownerDocument.baseURI ? resolver(null, el.baseURI) : resolve;
      attributes(el, name, own, live);
      if (live) { properties(el, name, own); computed(el, name, el.ownerDocument.defaultView) }
      if (el.localName === "script") scripts(el, name, own);
      if (el.localName === "style" && !live) {
        const shown = document.implementation.createHTMLDocument("");
        const style = shown.createElement("style");
        style.textContent = el.textContent;
        shown.head.append(style);
        for (const rule of style.sheet?.cssRules ?? [])
          cssUrls(rule.cssText, own).forEach(u => out.push([name, "css", u]));
      }
      if (el.localName === "template" && el.content) walk(el.content, path + " > template", own, false);
      if (el.localName === "noscript" && !el.firstElementChild && el.textContent)
        inert(new DOMParser().parseFromString(el.textContent, "text/html").body.parentNode, path + " > noscript", own);
      if (live && el.shadowRoot) {
        for (const s of el.shadowRoot.styleSheets) sheet(s, path + " > shadow", el.ownerDocument);
        walk(el.shadowRoot, path + " > shadow", own, live);
      }
      if (live && ["iframe", "frame", "object", "embed"].includes(el.localName)) {
        let inner = null;
        try { inner = el.contentDocument ?? el.getSVGDocument?.() ?? null } catch { /* another origin */ }
        if (inner) whole(inner, name + " >");
        else out.push([name, "inner document", "none to read"]);
      }
      walk(el, path, own, live);
    }
  }

  function whole(doc, path) {
    out.push([path, "location", doc.location?.href ?? "none"]);
    out.push([path, "baseURI", doc.baseURI]);
    out.push([path, "charset", doc.characterSet]);
    for (const s of doc.styleSheets) sheet(s, path + " sheet", doc);
    walk(doc, path, resolver(doc), true);
  }

  whole(document, "");
  return JSON.stringify(out.map(([a, b, c]) => [a.trim(), b, c]));
})()
