"use strict";
const byId = (id) => document.getElementById(id);
const film = { lines: [], pictures: [], rows: [], notes: {}, names: [], sides: [], letters: [], over: false };
const WAIT = 700; // milliseconds between questions for the rest of a running game
const PACE = 500; // milliseconds between two moves while the page plays
const REST = 400; // milliseconds without a move before the address is written: browsers refuse to do it often
const NEEDED_BY = {
  " ": "button, input, select, [role=listbox], [role=slider]",
  Home: "input, select",
  End: "input, select",
  ArrowLeft: "input, select, #board",
  ArrowRight: "input, select, #board",
}; // keys of the page by the controls that keep them for themselves
let more = null;
let at = 0;
let timer = null;
let writing = null;

function count() {
  return film.rows.length - 1;
}

/* Add a part of the film behind what is known; the lines of a picture are numbers into film.lines. */
function extend(part) {
  if (part.known !== film.rows.length) return false;
  const { lines, rows, notes, ...rest } = part;
  film.lines.push(...lines);
  for (const row of rows) {
    const picture = film.pictures.length ? film.pictures[film.pictures.length - 1].slice() : [];
    for (const [place, removed, added] of row.changes) picture.splice(place, removed, ...added);
    film.pictures.push(picture);
    film.rows.push(row);
  }
  Object.assign(film.notes, notes);
  Object.assign(film, rest);
  if (part.title) document.querySelector("h1").textContent = document.title = part.title; // of a running game
  if (part.more !== undefined) more = part.more;
  return rows.length > 0;
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function inWords(number) {
  const { move } = film.rows[number];
  return move ? `${film.names[move.seat] ?? "Chance:"} ${move.words}` : "Beginning";
}

/* --- the position that is shown --------------------------------------------------------------------------------- */
function show(number) {
  at = Math.max(0, Math.min(count(), number));
  byId("board").innerHTML = film.pictures[at].map((line) => film.lines[line]).join("\n");
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", `${at} of ${count()}: ${inWords(at)}`);
  byId("now").textContent = at ? `${at} of ${count()}: ${inWords(at)}` : `Beginning; ${count()} moves`;
  const options = [...byId("rounds").options].filter((option) => Number(option.value) <= at);
  if (options.length) byId("rounds").selectedIndex = options.length - 1;
  showNote(film.notes[at]); // first, as it leaves the list more or less room
  select();
  readCharts();
  clearTimeout(writing);
  writing = setTimeout(writeAddress, REST);
  document.dispatchEvent(new Event("shown"));
}

/* Keep the position in the address, but not the last of a running game: a page that is loaded again follows it. */
function writeAddress() {
  const wanted = more !== null && !film.over && at === count() ? "" : `#move=${at}`;
  if (location.hash === wanted || (more === null && !location.hash && !at)) return;
  try {
    history.replaceState(null, "", wanted || location.pathname + location.search);
  } catch (error) { /* a page inside of another, such as a notebook, has no address of its own */ }
}

/* The position of the address, the nearest there is; null if it names none. */
function addressed() {
  const number = Number((/^#move=(.+)$/.exec(location.hash) || ["", "x"])[1]);
  return Number.isFinite(number) ? Math.max(0, Math.min(count(), Math.round(number))) : null;
}

function select() {
  const list = byId("moves");
  for (const item of list.querySelectorAll('[aria-selected="true"]')) item.setAttribute("aria-selected", "false");
  const item = byId(`move-${at}`);
  item.setAttribute("aria-selected", "true");
  list.setAttribute("aria-activedescendant", item.id);
  list.scrollTop = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2;
}

function showNote(note) {
  byId("notes").hidden = Object.keys(film.notes).length === 0;
  if (byId("notes").hidden) return;
  const by = film.notes_by || "an agent";
  byId("notes-by").textContent = `What ${by} expects`;
  byId("noted-values").textContent = `For each seat: ${film.noted_values}`;
  byId("noted-choices").textContent = `Moves that it likes: ${film.noted_choices}`;
  const most = Math.max(1, ...Object.values(film.notes).flatMap((one) => one.values));
  byId("values").replaceChildren(...(note ? note.values : []).map((value, mat) => {
    const row = element("p", `${film.names[mat]} ${value.toFixed(2)}`);
    const bar = document.createElement("span");
    bar.style.width = `${(Math.max(0, value) / most) * 100}%`;
    bar.style.background = `var(--side-${film.sides[mat]})`;
    row.append(bar);
    return row;
  }));
  byId("choices").replaceChildren(...(note ? note.choices : []).map((choice) => {
    const item = element("li", `${(100 * choice.share).toFixed(0)} % ${choice.words}${choice.made ? " (played)" : ""}`);
    item.classList.toggle("made", choice.made);
    return item;
  }));
}

function play() {
  if (timer === null && at < count()) {
    timer = setInterval(() => (at < count() ? show(at + 1) : play()), PACE);
  } else {
    clearInterval(timer);
    timer = null;
  }
  byId("play").textContent = timer === null ? "Play" : "Stop";
  byId("now").setAttribute("aria-live", timer === null ? "polite" : "off"); // nobody can listen so fast
}

/* --- lists ------------------------------------------------------------------------------------------------------ */
function option(number) {
  const item = element("div", inWords(number));
  item.id = `move-${number}`;
  item.dataset.at = number;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  const { move } = film.rows[number];
  if (move && film.sides[move.seat]) item.style.borderLeftColor = `var(--side-${film.sides[move.seat]})`;
  return item;
}

function listMoves(from) {
  const list = byId("moves");
  if (from === 0) list.append(option(0));
  for (let number = Math.max(1, from); number <= count(); number += 1) {
    const { move, events } = film.rows[number];
    if (number === 1 || film.rows[number - 1].move.round !== move.round) beginRound(move.round, number - 1);
    list.lastElementChild.append(option(number));
    for (const event of events) byId("events").append(new Option(event.words, number));
  }
  byId("slider").max = count();
}

function beginRound(round, number) {
  const group = document.createElement("div");
  group.setAttribute("role", "group");
  const name = round ? `${film.period} ${round}` : "Set-up";
  group.setAttribute("aria-label", name);
  const head = element("div", name);
  head.className = "round";
  head.setAttribute("aria-hidden", "true");
  group.append(head);
  byId("moves").append(group);
  byId("rounds").append(new Option(round || "set-up", number));
}

/* --- the rest of a running game --------------------------------------------------------------------------------- */
/* Ask for the rest of a running game, and follow it if its last position is shown. */
async function follow() {
  if (more === null || film.over) return;
  try {
    const response = await fetch(`${more}${film.rows.length}`);
    const part = await response.json();
    if (!response.ok) throw new Error(part.error);
    const [before, last] = [film.rows.length, at === count()];
    if (extend(part)) {
      listMoves(before);
      drawCharts();
      show(last ? count() : at);
    }
    byId("error").textContent = part.trouble || "";
  } catch (error) {
    byId("error").textContent = "the match does not answer: is the command still running?";
  }
  setTimeout(follow, WAIT);
}

/* --- keys and themes -------------------------------------------------------------------------------------------- */
/* Go so many moves on as a key of a control says. */
function step(event, keys) {
  if (keys[event.key] === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  show(at + keys[event.key]);
}

function pressed(event) {
  const keys = { ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), Home: () => show(0), End: () => show(count()), " ": play };
  if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest(NEEDED_BY[event.key])) {
    if (event.target.closest("[role]")) event.preventDefault(); // there is nothing to press: else space scrolls the page
    return;
  }
  event.preventDefault();
  keys[event.key]();
}

/* On a small screen the board is moved under the screen: the whole of it has letters that are too small to read. */
function showWhole() {
  byId("whole").setAttribute("aria-pressed", byId("whole").getAttribute("aria-pressed") !== "true");
  letScroll();
}

/* What scrolls can have the focus, so that keys move it. */
function letScroll() {
  const board = byId("board");
  if (board.scrollWidth > board.clientWidth) board.tabIndex = 0;
  else board.removeAttribute("tabindex");
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

function nameTheme() {
  byId("theme").textContent = isDark() ? "Light" : "Dark";
}

function listen() {
  byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  byId("rounds").addEventListener("change", (event) => show(Number(event.target.value)));
  byId("events").addEventListener("change", (event) => event.target.value && show(Number(event.target.value)));
  byId("first").addEventListener("click", () => show(0));
  byId("back").addEventListener("click", () => show(at - 1));
  byId("next").addEventListener("click", () => show(at + 1));
  byId("last").addEventListener("click", () => show(count()));
  byId("play").addEventListener("click", play);
  byId("moves").addEventListener("click", (event) => {
    const item = event.target.closest("[data-at]");
    if (item) show(Number(item.dataset.at));
  });
  byId("moves").addEventListener("keydown", (event) => step(event, { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }));
  byId("whole").addEventListener("click", showWhole);
  byId("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  window.addEventListener("hashchange", () => show(addressed() ?? at));
  document.addEventListener("keydown", pressed);
}

/* The colours of sides that the style of the page does not know: for paper and a light page, and for a dark one. */
function addColours() {
  const style = document.styleSheets[0];
  for (const [side, [light, dark]] of Object.entries(film.side_colours ?? {})) {
    const [paper, screen] = [light, dark].map((colour) => `{ --side-${side}: ${colour}; }`);
    for (const rule of [`:root ${paper}`, `@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) ${screen} }`, `@media screen { :root[data-theme="dark"] ${screen} }`]) {
      style.insertRule(rule, style.cssRules.length);
    }
  }
}

/* Show a film from its first part on; later parts go to "extend". */
function begin(part) {
  extend(part);
  addColours();
  byId("period").textContent = film.period;
  makeChart("scores", film.unit[0].toUpperCase() + film.unit.slice(1), film.unit, () => film.rows.map((row) => row.scores), String);
  makeChart("statuses", "Icons of all statuses", "icons",
    () => film.rows.map((row) => row.statuses.map((icons) => icons.reduce((sum, one) => sum + one, 0))),
    (sum, number, mat) => `${sum} (${film.rows[number].statuses[mat].join(" ")})`);
  makeChart("expected", `Expected by ${film.notes_by || "an agent"}`, film.noted_unit,
    () => film.rows.map((_, number) => (film.notes[number] && film.notes[number].values.length ? film.notes[number].values : null)),
    (value) => value.toFixed(2));
  listen();
  nameTheme();
  listMoves(0);
  let drawnWidth = byId("charts").clientWidth; // before the charts make the page so high that it scrolls
  drawCharts();
  show(addressed() ?? (more === null ? 0 : count()));
  new ResizeObserver(() => {
    letScroll();
    if (byId("charts").clientWidth === drawnWidth) return;
    drawnWidth = byId("charts").clientWidth;
    drawCharts();
  }).observe(byId("charts"));
  follow();
}

if (byId("film").textContent) begin(JSON.parse(byId("film").textContent));
