"use strict";
(() => {
  const { checks, texts, folders, folder, fields, findings } = JSON.parse(document.getElementById("data").textContent);
  const LEVEL = 0, CHECK = 1, DOCUMENT = 2, LINE = 3, COLUMN = 4, CARRIER = 5, REFERENCE = 6, TARGET = 7, MESSAGE = 8, SUGGESTION = 9;
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
  const state = { level: -1, check: -1, folder: -1, text: "", sort: DOCUMENT, down: false, page: 0 };
  let view = [];

  // Text is looked for in each text once, not in each finding.
  let lower;
  function holds(word) {
    lower ??= texts.map(text => text.toLowerCase());
    const found = lower.map(text => text.includes(word));
    const named = checks.map(name => name.includes(word));
    return row => found[at(row, DOCUMENT)] || found[at(row, MESSAGE)] || found[at(row, TARGET)] || found[at(row, SUGGESTION)]
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
      if (words.every(word => word(row))) view.push(row);
    }
    if (state.sort !== DOCUMENT || state.down) {
      const by = rank(state.sort), sign = state.down ? -1 : 1;
      view.sort((a, b) => sign * (by(a) - by(b)) || a - b);
    }
    state.page = 0;
    show();
  }

  function row(number) {
    const level = LEVELS[at(number, LEVEL)];
    const place = [LINE, COLUMN].map(field => at(number, field)).filter(Boolean).map(position => ":" + position).join("");
    const cells = [[make("span", { className: "level " + level }, level)], [checks[at(number, CHECK)]], [make("code", {}, texts[at(number, DOCUMENT)], make("span", {}, place))], [], [texts[at(number, MESSAGE)]]];
    if (at(number, REFERENCE)) cells[3].push(make("code", {}, texts[at(number, REFERENCE) - 1] || "(empty)"));
    if (at(number, CARRIER)) cells[3].push(make("small", {}, texts[at(number, CARRIER)]));
    if (at(number, TARGET)) cells[4].push(make("small", {}, "target ", make("code", {}, texts[at(number, TARGET)])));
    if (at(number, SUGGESTION)) cells[4].push(make("small", { className: "fix" }, "suggestion ", make("code", {}, texts[at(number, SUGGESTION)])));
    return make("tr", {}, ...cells.map(cell => make("td", {}, ...cell)));
  }

  function show() {
    const first = state.page * ROWS, last = Math.min(first + ROWS, view.length);
    body.replaceChildren(...view.slice(first, last).map(row));
    pages.textContent = view.length ? `${count(first + 1)}–${count(last)} of ${count(view.length)}` : "Nothing matches.";
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
    make("button", { type: "button", onclick() { state.level = level - 1; select(); } }, name[0].toUpperCase() + name.slice(1)));
  const choice = (label, all, names, change) => {
    const element = make("select", { ariaLabel: label, onchange() { change(Number(element.value)); select(); } },
      make("option", { value: -1 }, all), ...names.map(([value, name]) => make("option", { value }, name)));
    return element;
  };
  const used = new Set();
  for (let row = 0; row < total; row++) used.add(at(row, CHECK));
  const checkChoice = choice("Check", "All checks", [...used].sort((a, b) => a - b).map(check => [check, checks[check]]), value => state.check = value);
  const sorted = folders.map((name, number) => [number, name]).sort((a, b) => a[1] < b[1] ? -1 : 1);
  const folderChoice = choice("Folder", "All folders", sorted, value => state.folder = value);
  let waiting;
  const search = make("input", {
    type: "search", placeholder: "Filter by text", ariaLabel: "Filter by text",
    oninput() { clearTimeout(waiting); waiting = setTimeout(() => { state.text = search.value; select(); }, 120); },
  });

  // The table.
  const heads = [["Level", LEVEL], ["Check", CHECK], ["Place", DOCUMENT], ["Reference", REFERENCE], ["What is wrong", MESSAGE]].map(([name, field]) => {
    const button = make("button", { type: "button", onclick() {
      state.down = state.sort === field && !state.down;
      state.sort = field;
      select();
    } }, name);
    return [make("th", { scope: "col" }, button), field];
  });
  const body = make("tbody");
  const pages = make("span", { role: "status" });
  const turn = by => {
    state.page += by;
    show();
    all.scrollIntoView();
  };
  const back = make("button", { type: "button", onclick: () => turn(-1) }, "Previous");
  const next = make("button", { type: "button", onclick: () => turn(1) }, "Next");
  const all = document.getElementById("findings"), causes = document.getElementById("causes");
  all.append(
    make("div", { className: "filters" }, search, make("div", { className: "levels", role: "group", ariaLabel: "Level" }, ...levels), checkChoice, folderChoice),
    make("table", { className: "all" }, make("thead", {}, make("tr", {}, ...heads.map(([head]) => head))), body),
    make("div", { className: "pager" }, pages, back, next));

  // Causes and findings one at a time.
  const tabs = document.querySelector(".tabs");
  const parts = [[`Causes (${causes.dataset.count})`, causes], [`All findings (${count(total)})`, all]].map(([name, section]) => {
    section.classList.add("tabbed");
    section.setAttribute("role", "tabpanel");
    return [make("button", { type: "button", role: "tab", onclick: () => open(section) }, name), section];
  });
  function open(shown) {
    for (const [button, section] of parts) {
      section.hidden = section !== shown;
      button.ariaSelected = String(section === shown);
    }
  }
  tabs.setAttribute("role", "tablist");
  tabs.append(...parts.map(([button]) => button));
  tabs.hidden = false;

  // Checks and folders lead to their findings.
  for (const link of document.querySelectorAll("[data-check], [data-folder]")) {
    link.href = "#findings";
    link.onclick = event => {
      event.preventDefault();
      Object.assign(state, { level: -1, check: -1, folder: -1, text: "" });
      search.value = "";
      if (link.dataset.check) [state.check, state.level] = [checks.indexOf(link.dataset.check), LEVELS.indexOf(link.dataset.level)];
      else state.folder = folders.indexOf(link.dataset.folder);
      open(all);
      select();
      tabs.scrollIntoView();
    };
  }
  select();
  open(causes);
})();
