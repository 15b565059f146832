"use strict";
(() => {
  const { checks, texts, common, folders, folder, fields, causes: causeIds, source, ofSources, findings } = JSON.parse(document.getElementById("data").textContent);
  const LEVEL = 0, CHECK = 1, DOCUMENT = 2, LINE = 3, COLUMN = 4, CARRIER = 5, REFERENCE = 6, TARGET = 7, MESSAGE = 8, SUGGESTION = 9, CAUSE = 10, SOURCE = 11;
  const LEVELS = ["error", "warning", "note"], ROWS = 100;
  const total = findings.length / fields;
  const folderOf = new Map(folder);
  const at = (row, field) => findings[row * fields + field];
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const count = n => n.toLocaleString("en");

  // What is asked for. The order of the data is by document, line and column.
  const START = { view: "causes", level: -1, check: -1, folder: -1, cause: -1, text: "", sort: DOCUMENT, down: false, page: 0 };
  const state = { ...START };
  let view = [];

  // The state in the URL, so that a view can be sent to others and the browser goes back to it.
  const NAMES = { level: LEVELS, check: checks, folder: folders, cause: causeIds, sort: ["level", "check", "place", "", "", "", "reference", "", "message"] };
  function write(isNew) {
    const words = new URLSearchParams();
    for (const [key, value] of Object.entries(state)) {
      if (value !== START[key]) words.set(key, key in NAMES ? NAMES[key][value] : value);
    }
    const hash = [...words].length ? "#" + words : location.pathname.split("/").pop() + location.search;
    history[isNew ? "pushState" : "replaceState"](null, "", hash);
  }
  // Returns the name of a place in the page, if the URL has one instead of a state.
  function read() {
    const hash = location.hash.slice(1);
    Object.assign(state, START);
    if (hash && !hash.includes("=")) return hash;
    for (const [key, value] of new URLSearchParams(hash)) {
      if (key in NAMES) state[key] = NAMES[key].indexOf(value);
      else if (key === "view" && value === "findings" || key === "text") state[key] = value;
      else if (key === "down") state.down = value === "true";
      else if (key === "page") state.page = Math.max(0, parseInt(value, 10) || 0);
    }
    if (state.sort < 0) state.sort = DOCUMENT;
    return "";
  }

  // Text is looked for in each text once, not in each finding.
  let lower;
  function holds(word) {
    lower ??= texts.map(text => text.toLowerCase());
    const found = lower.map(text => text.includes(word));
    const named = checks.map(name => name.includes(word));
    return row => found[at(row, DOCUMENT)] || found[at(row, MESSAGE)] || found[at(row, TARGET)] || found[at(row, SUGGESTION)] || found[at(row, SOURCE)]
      || at(row, REFERENCE) > 0 && found[at(row, REFERENCE) - 1] || found[at(row, CARRIER)] || named[at(row, CHECK)];
  }

  let ranks;
  function rank(field) {
    if (field === LEVEL) return row => at(row, LEVEL);
    if (field === CHECK) return row => at(row, CHECK);
    if (field === DOCUMENT) return row => row;
    if (!ranks) {
      ranks = new Uint32Array(texts.length);
      [...texts.keys()].sort((a, b) => texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0).forEach((text, rank) => ranks[text] = rank + 1);
    }
    if (field === REFERENCE) return row => at(row, REFERENCE) ? ranks[at(row, REFERENCE) - 1] : 0;
    return row => ranks[at(row, field)];
  }

  function select() {
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean).map(holds);
    view = [];
    for (let row = 0; row < total; row++) {
      if (state.level >= 0 && at(row, LEVEL) !== state.level) continue;
      if (state.check >= 0 && at(row, CHECK) !== state.check) continue;
      if (state.folder >= 0 && folderOf.get(at(row, DOCUMENT)) !== state.folder) continue;
      if (state.cause >= 0 && at(row, CAUSE) !== state.cause) continue;
      if (words.every(word => word(row))) view.push(row);
    }
    const shown = new Set(view.map(row => at(row, CAUSE)));
    let hidden = 0;
    for (const item of items) {
      item.hidden = !shown.has(Number(item.dataset.cause));
      hidden += item.hidden;
    }
    const filtered = view.length < total;
    causeTab.textContent = `Causes (${hidden ? `${count(items.length - hidden)} of ` : ""}${causes.dataset.count})`;
    findingTab.textContent = `All findings (${filtered ? `${count(view.length)} of ` : ""}${count(total)})`;
    ofCause.hidden = state.cause < 0;
    if (state.sort !== DOCUMENT || state.down) {
      const by = rank(state.sort), sign = state.down ? -1 : 1;
      view.sort((a, b) => sign * (by(a) - by(b)) || a - b);
    }
    state.page = Math.min(state.page, Math.max(0, Math.ceil(view.length / ROWS) - 1));
    show();
  }

  // What people ask for.
  function ask(change, isNew = true) {
    Object.assign(state, { page: 0 }, change);
    select();
    write(isNew);
  }

  const sourceOf = number => source.replaceAll("{line}", at(number, LINE) || 1)
    .replaceAll("{path}", () => texts[at(number, ofSources ? SOURCE : DOCUMENT)].split("/").map(encodeURIComponent).join("/"));

  function row(number) {
    const level = LEVELS[at(number, LEVEL)];
    const place = [LINE, COLUMN].map(field => at(number, field)).filter(Boolean).map(position => ":" + position).join("");
    const cells = [[make("span", { className: "level " + level }, level)], [make("a", { href: "#check-" + checks[at(number, CHECK)] }, checks[at(number, CHECK)])], [make("code", {}, texts[at(number, SOURCE)] || texts[at(number, DOCUMENT)].slice(common.length), make("span", {}, place))], [], [texts[at(number, MESSAGE)]]];
    if (source && ofSources === at(number, SOURCE) > 0) cells[2] = [make("a", { href: sourceOf(number) }, ...cells[2])];
    if (at(number, SOURCE)) cells[2].push(make("small", {}, "page ", make("code", {}, texts[at(number, DOCUMENT)].slice(common.length))));
    if (at(number, REFERENCE)) cells[3].push(make("code", {}, texts[at(number, REFERENCE) - 1] || "(empty)"));
    if (at(number, CARRIER)) cells[3].push(make("small", {}, texts[at(number, CARRIER)]));
    if (at(number, TARGET)) cells[4].push(make("small", {}, "target ", make("code", {}, texts[at(number, TARGET)])));
    if (at(number, SUGGESTION)) cells[4].push(make("small", { className: "fix" }, "suggestion ", make("code", {}, texts[at(number, SUGGESTION)])));
    return make("tr", {}, ...cells.map(cell => make("td", {}, ...cell)));
  }

  function show() {
    const first = state.page * ROWS, last = Math.min(first + ROWS, view.length);
    body.replaceChildren(...view.slice(first, last).map(row));
    pages.textContent = view.length ? `${count(first + 1)}–${count(last)} of ${count(view.length)}` : "No finding matches.";
    back.disabled = first === 0;
    next.disabled = last >= view.length;
    levels.forEach((button, level) => button.ariaPressed = String(level - 1 === state.level));
    checkChoice.value = state.check;
    folderChoice.value = state.folder;
    heads.forEach(([head, field]) => {
      if (field === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }

  // Filters.
  const levels = ["all", "errors", "warnings", "notes"].map((name, level) =>
    make("button", { type: "button", onclick: () => ask({ level: level - 1 }) }, name[0].toUpperCase() + name.slice(1)));
  const choice = (label, all, names, key) => {
    const element = make("select", { ariaLabel: label, onchange: () => ask({ [key]: Number(element.value) }) },
      make("option", { value: -1 }, all), ...names.map(([value, name]) => make("option", { value }, name)));
    return element;
  };
  const used = new Set();
  for (let row = 0; row < total; row++) used.add(at(row, CHECK));
  const checkChoice = choice("Check", "All checks", [...used].sort((a, b) => a - b).map(check => [check, checks[check]]), "check");
  const sorted = folders.map((name, number) => [number, name]).sort((a, b) => a[1] < b[1] ? -1 : 1);
  const folderChoice = choice("Directory", "All directories", sorted, "folder");
  const ofCause = make("button", { type: "button", onclick: () => ask({ cause: -1 }) }, "One cause ×");
  ofCause.ariaLabel = "Show all causes again";
  let waiting;
  const search = make("input", {
    type: "search", placeholder: "Filter by text", ariaLabel: "Filter by text",
    oninput() { clearTimeout(waiting); waiting = setTimeout(() => ask({ text: search.value }, false), 120); },
  });

  // The table.
  const heads = [["Level", LEVEL], ["Check", CHECK], ["Place", DOCUMENT], ["Link", REFERENCE], ["Message", MESSAGE]].map(([name, field]) => {
    const sort = () => ask({ down: state.sort === field && !state.down, sort: field });
    const button = make("button", { type: "button", onclick: sort }, name);
    return [make("th", { scope: "col" }, button), field];
  });
  const body = make("tbody");
  const pages = make("span", { role: "status" });
  const turn = by => {
    state.page += by;
    show();
    write(true);
    all.scrollIntoView();
  };
  const back = make("button", { type: "button", onclick: () => turn(-1) }, "Previous");
  const next = make("button", { type: "button", onclick: () => turn(1) }, "Next");
  const all = document.getElementById("findings"), causes = document.getElementById("causes");
  const items = [...causes.querySelectorAll("[data-cause]")];
  const filters = document.querySelector(".filters");
  filters.append(search, make("div", { className: "levels", role: "group", ariaLabel: "Level" }, ...levels), checkChoice, folderChoice, ofCause);
  filters.hidden = false;
  all.append(
    make("table", { className: "all" }, make("thead", {}, make("tr", {}, ...heads.map(([head]) => head))), body),
    make("div", { className: "pager" }, pages, back, next));

  // Causes and findings one at a time. The arrow keys go from tab to tab.
  const tabs = document.querySelector(".tabs");
  const parts = [["causes", causes], ["findings", all]].map(([name, section]) => {
    const button = make("button", { type: "button", role: "tab", id: "tab-" + name, onclick: () => open(name) });
    button.setAttribute("aria-controls", section.id);
    section.classList.add("tabbed");
    section.setAttribute("role", "tabpanel");
    section.setAttribute("aria-labelledby", button.id);
    return [name, button, section];
  });
  const [causeTab, findingTab] = parts.map(([, button]) => button);
  function showTab() {
    for (const [name, button, section] of parts) {
      section.hidden = name !== state.view;
      button.ariaSelected = String(name === state.view);
      button.tabIndex = name === state.view ? 0 : -1;
    }
  }
  function open(name) {
    state.view = name;
    showTab();
    write(true);
  }
  tabs.onkeydown = event => {
    const now = parts.findIndex(([name]) => name === state.view);
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const [name, button] = parts.at(to % parts.length);
    open(name);
    button.focus();
  };
  tabs.setAttribute("role", "tablist");
  tabs.append(causeTab, findingTab);
  tabs.hidden = false;

  // Checks, folders, targets and causes lead to their findings.
  function lead(change) {
    ask({ ...START, view: "findings", ...change });
    search.value = state.text;
    showTab();
    tabs.scrollIntoView();
  }
  for (const link of document.querySelectorAll("[data-check], [data-folder], [data-text]")) {
    const { check, level, folder, text } = link.dataset;
    link.href = "#findings";
    link.onclick = event => {
      event.preventDefault();
      if (check) lead({ check: checks.indexOf(check), level: LEVELS.indexOf(level) });
      else if (folder) lead({ folder: folders.indexOf(folder) });
      else lead({ text });
    };
  }
  for (const [cause, item] of items.entries()) {
    const self = make("a", { href: "#" + item.id, ariaLabel: "Link to this cause" }, "#");
    const show = make("button", { type: "button", onclick: () => lead({ cause }) }, "Show findings");
    item.querySelector(".what").append(" ", self, " ", show);
  }

  // The view of the URL, now and when the browser goes back.
  function follow() {
    const place = document.getElementById(read());
    search.value = state.text;
    select();
    showTab();
    if (!place) return;
    const details = place.closest("details");
    if (details) details.open = true;
    place.scrollIntoView();
  }
  window.onpopstate = follow;
  follow();
})();
