// Evaluated in a complete page: clicks what the page's own scripts handle. `kind` is "link" (an internal link), "toggle" (what opens,
// closes or scrolls here) or "back". Its value says what was clicked, for people; null: nothing that a script handles.
(kind => {
  const state = globalThis.clicks ??= { seen: new Set(), backwards: false };
  const address = url => url.split("#")[0];
  if (kind === "back") return history.back(), "back";
  if (!state.guard) {
    // The last listener: what no script handled would load another page, which is opened by itself.
    state.guard = true;
    addEventListener("click", () => addEventListener("click", event => {
      const link = event.composedPath().find(el => el.localName === "a" && el.href);
      state.handled = event.defaultPrevented || !link || address(link.href) === address(document.URL);
      if (!state.handled) event.preventDefault();
    }, { once: true }), { capture: true });
  }
  const label = el => `${el.localName} "${el.textContent.replace(/\s+/g, " ").trim().slice(0, 40)}"`;
  const click = el => {
    state.handled = undefined;
    el.click();
    return state.handled !== false;
  };
  const isRoute = el => /^#!?\//.test(el.hash);
  const isHere = el => address(el.href) === address(document.URL);
  const isSame = el => el.origin === location.origin && /^(_self)?$/.test(el.target) && !el.hasAttribute("download") &&
    (!isHere(el) || isRoute(el) && el.href !== document.URL);
  const fresh = (el, key) => el.checkVisibility() && !state.seen.has(key) && state.seen.add(key);
  if (kind === "toggle") {
    const toggles = "button[aria-expanded], button[aria-controls], [data-toggle], [data-bs-toggle], summary, [role=tab]";
    const within = [...document.querySelectorAll("a[href]")].filter(el => isHere(el) && el.hash.length > 1 && !isRoute(el));
    for (const el of [...document.querySelectorAll(toggles), ...within])
      if (fresh(el, el) && click(el)) return label(el);
    return null;
  }
  const links = [...document.querySelectorAll("a[href]")].filter(isSame);
  // The first are those of the menu, the last those of the content.
  if (state.backwards) links.reverse();
  state.backwards = !state.backwards;
  for (const el of links.slice(0, 12))
    if (fresh(el, isRoute(el) ? el.href : address(el.href)) && click(el)) return label(el);
  return null;
})
