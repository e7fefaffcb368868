"use strict";
/* The page of a game: asks the server what there is to see, draws it, and sends the moves that are clicked. */
const query = new URLSearchParams(location.search);
const token = query.get("token") || "";
const byId = (id) => document.getElementById(id);
const POLL = 1200; /* milliseconds between two looks while a person is asked */
const POLL_THINKING = 300;
const POLL_LOST = 3000; /* after the server did not answer */
const LOST = "The server does not answer: is the command still running? The game is kept in its file.";
let state = null; /* what the server said last */
let changes = 0; /* requests of this page that change the game: an older look must not hide them */
let busy = false;
let hinting = false;
let timer = 0;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function disc(of) {
  const made = element("span", { className: "disc", textContent: of.letter });
  made.style.background = of.fill;
  made.style.color = of.ink;
  made.setAttribute("aria-hidden", "true");
  return made;
}

const gameName = () => decodeURIComponent(location.hash.slice(1));
const gamePath = (rest = "") => `games/${encodeURIComponent(gameName())}${rest}?theme=${theme()}`;
const withToken = (path) => `${path}&token=${encodeURIComponent(token)}`;

/* --- the server ------------------------------------------------------------------------------------------------- */
async function ask(path, body) {
  const options = { headers: { "X-Token": token } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  let answer;
  try {
    response = await fetch(path, options);
    answer = await response.json();
  } catch {
    throw Object.assign(new Error(LOST), { status: 0 });
  }
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

/* Do what a click asks for; show what is wrong, and the present position if the click was about an older one. */
async function attempt(work) {
  if (busy) return;
  busy = true;
  changes += 1;
  document.body.classList.add("busy");
  hideMessage();
  closeMenu();
  try {
    await work();
  } catch (error) {
    if (error.status === undefined) throw error;
    showMessage(error.message);
    if (error.status === 409) await look(true);
  } finally {
    busy = false;
    document.body.classList.remove("busy");
    plan();
  }
}

/* Ask for what is new in the game, which another tab or an agent may have changed. */
async function look(whole = false) {
  const name = gameName();
  const before = changes;
  const known = state && !whole ? `&known=${encodeURIComponent(state.tag)}` : "";
  const answer = await ask(gamePath() + known);
  if (!answer.same && name === gameName() && (whole || before === changes)) show(answer);
}

function plan(delay) {
  clearTimeout(timer);
  if (!gameName()) return;
  timer = setTimeout(poll, delay ?? (state && state.thinking !== null ? POLL_THINKING : POLL));
}

async function poll() {
  if (document.hidden || busy || !state) return plan();
  try {
    await look();
    if (byId("said").textContent === LOST) hideMessage();
    plan();
  } catch (error) {
    if (error.status === undefined) throw error;
    showMessage(error.message);
    plan(POLL_LOST);
  }
}

/* --- messages --------------------------------------------------------------------------------------------------- */
function showMessage(text, news = false) {
  byId("said").textContent = text;
  byId("message").classList.toggle("news", news);
  byId("message").hidden = false;
}

function hideMessage() {
  byId("message").hidden = true;
  byId("said").textContent = "";
}

/* --- the game --------------------------------------------------------------------------------------------------- */
function show(answer) {
  const inList = byId("moves").contains(document.activeElement);
  const moved = !state || state.position !== answer.position;
  state = answer;
  if (moved) closeMenu();
  byId("lobby").hidden = true;
  byId("table").hidden = false;
  drawBar();
  drawBoard();
  drawMoves();
  drawSeats();
  drawLog();
  if (inList) (byId("moves").querySelector("button") || byId("moves")).focus({ preventScroll: true });
}

function drawBar() {
  const acting = state.seats[state.over ? -1 : state.seats.findIndex((seat) => seat.turn)];
  byId("bar").className = state.asked ? "asks" : state.thinking === null ? "" : "waits";
  byId("when").textContent = state.over ? "" : state.round ? `Round ${state.round} of ${state.rounds} · ${state.phase}` : "Set-up";
  byId("question").textContent = state.question;
  const who = byId("who");
  who.hidden = !acting;
  if (acting) who.replaceWith(Object.assign(disc(acting.disc), { id: "who" }));
  document.title = state.over ? "Over · Endeavor" : state.asked ? "Your move · Endeavor" : "Endeavor";
  byId("undo").disabled = !state.can_undo;
  byId("hint").disabled = !state.asked || hinting;
  byId("replay").href = withToken(gamePath("/replay"));
  byId("record").href = withToken(gamePath("/record"));
  if (state.trouble) showMessage(state.trouble);
}

function drawBoard() {
  const board = byId("board");
  board.innerHTML = state.svg;
  board.querySelector("svg").setAttribute("viewBox", state.box.join(" "));
  board.querySelector("svg").removeAttribute("width");
  board.querySelector("svg").removeAttribute("height");
  for (const { area, fill } of state.recent) {
    const mark = element("div", { className: "recent" });
    mark.style.borderColor = fill;
    board.append(placed(mark, area));
  }
  const places = new Map();
  for (const move of allMoves()) {
    if (!move.area) continue;
    const key = move.area.join(" ");
    places.set(key, [...(places.get(key) || []), move]);
  }
  for (const moves of places.values()) board.append(target(moves));
  if (state.result) board.append(result());
}

const allMoves = () => state.groups.flatMap((group) => group.moves);

function placed(made, [x, y, width, height]) {
  const [left, top, across, down] = state.box;
  made.style.left = `${(100 * (x - left)) / across}%`;
  made.style.top = `${(100 * (y - top)) / down}%`;
  made.style.width = `${(100 * width) / across}%`;
  made.style.height = `${(100 * height) / down}%`;
  return made;
}

function target(moves) {
  const words = moves.map((move) => (move.note ? `${move.words} (${move.note})` : move.words)).join("\nor ");
  const button = element("button", { type: "button", className: "target", title: words, tabIndex: -1 });
  button.dataset.moves = moves.map((move) => move.move).join(" ");
  button.setAttribute("aria-label", words);
  if (moves.length > 1) button.setAttribute("aria-haspopup", "menu");
  button.addEventListener("click", () => (moves.length === 1 ? play(moves[0].move) : openMenu(moves, button)));
  pointing(button, moves);
  return placed(button, moves[0].area);
}

/* Show with a button of the list where its move goes, and with a place on the map its buttons. */
function pointing(button, moves) {
  const point = (on) => {
    for (const other of document.querySelectorAll(".target, #moves button")) {
      if (other !== button) other.classList.toggle("pointed", on && moves.some((move) => hasMove(other, move.move)));
    }
  };
  for (const kind of ["mouseenter", "focus"]) button.addEventListener(kind, () => point(true));
  for (const kind of ["mouseleave", "blur"]) button.addEventListener(kind, () => point(false));
}

const hasMove = (button, move) => (button.dataset.moves || button.dataset.move || "").split(" ").includes(move);

function drawMoves() {
  byId("moves").replaceChildren(...state.groups.map((group) => {
    const buttons = group.moves.map((move) => moveButton(move, group.heading ? move.label : move.words, move.note));
    if (!group.heading) return element("div", { className: "group alone" }, ...buttons);
    const short = group.moves.every((move) => !move.note);
    const list = element("div", { className: short ? "short" : "" }, ...buttons);
    return element("div", { className: "group" }, element("h2", { textContent: group.heading }), list);
  }));
  if (state.over) byId("moves").append(element("button", { type: "button", textContent: "Show the result", onclick: showResult }));
  byId("moves").scrollTop = 0;
}

function moveButton(move, text, note) {
  const button = element("button", { type: "button", title: move.words }, element("span", { textContent: text }));
  if (note) button.append(element("small", { textContent: note }));
  button.dataset.move = move.move;
  button.setAttribute("aria-label", note ? `${move.words}, ${note}` : move.words);
  button.addEventListener("click", () => play(move.move));
  pointing(button, [move]);
  return button;
}

function drawSeats() {
  byId("seats").replaceChildren(...state.seats.map((seat) => {
    const item = element("li", { className: seat.turn ? "turn" : "" }, disc(seat.disc), element("span", { textContent: seat.label }));
    item.append(element("b", { textContent: `${seat.glory} Glory` }));
    if (seat.passed && !state.over) item.append(element("small", { textContent: "passed" }));
    return item;
  }));
}

function drawLog() {
  const items = [];
  let round = null;
  for (const line of state.log.slice().reverse()) {
    if (line.round !== round) {
      round = line.round;
      items.push(element("li", { className: "round", textContent: round ? `Round ${round}` : "Set-up" }));
    }
    const words = element("span", { textContent: line.words });
    if (line.why) words.append(element("small", { textContent: line.why }));
    items.push(element("li", { className: line.new ? "new" : "" }, disc(line.disc), words));
  }
  byId("log").replaceChildren(...items);
  byId("past").scrollTop = 0;
}

function result() {
  const head = element("tr", {}, element("th", { textContent: "Glory" }), ...state.seats.map((seat) => {
    const cell = element("th", { scope: "col", title: seat.label }, disc(seat.disc));
    return cell;
  }));
  const row = (name, glory) => element("tr", {}, element("th", { scope: "row", textContent: name }), ...glory.map((value) => element("td", { textContent: value || "·" })));
  const table = element("table", {}, element("thead", {}, head),
    element("tbody", {}, ...state.result.rows.map(({ source, glory }) => row(source, glory))),
    element("tfoot", {}, row("total", state.result.total)));
  const watch = element("a", { className: "button strong", href: byId("replay").href, target: "_blank", rel: "noopener", textContent: "Watch the replay" });
  const close = element("button", { type: "button", textContent: "Show the board", onclick: () => { byId("result").hidden = true; } });
  const leave = element("button", { type: "button", textContent: "Games", onclick: toLobby });
  const card = element("section", { id: "result" }, element("h2", { textContent: state.question }), table, element("div", { className: "row" }, watch, close, leave));
  card.setAttribute("aria-label", "Result");
  return card;
}

function showResult() {
  byId("result").hidden = false;
}

/* --- the menu of a place with several moves --------------------------------------------------------------------- */
let opener = null;

function openMenu(moves, button) {
  const menu = byId("menu");
  opener = button;
  menu.replaceChildren(...moves.map((move) => {
    const item = moveButton(move, move.note ? `${move.words} (${move.note})` : move.words, "");
    item.setAttribute("role", "menuitem");
    return item;
  }));
  menu.hidden = false;
  const place = button.getBoundingClientRect();
  const size = menu.getBoundingClientRect();
  const inside = (wanted, length, most) => Math.max(4, Math.min(wanted, most - length - 4));
  const below = place.bottom + size.height + 8 < innerHeight ? place.bottom + 4 : place.top - size.height - 4;
  menu.style.left = `${inside(place.left, size.width, innerWidth)}px`;
  menu.style.top = `${inside(below, size.height, innerHeight)}px`;
  menu.querySelector("button").focus();
}

function closeMenu(refocus = false) {
  if (byId("menu").hidden) return;
  byId("menu").hidden = true;
  if (refocus && opener) opener.focus();
}

function walkMenu(event) {
  const items = [...byId("menu").querySelectorAll("button")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
}

/* --- what can be done ------------------------------------------------------------------------------------------- */
function play(move) {
  return attempt(async () => show(await ask(gamePath("/play"), { position: state.position, move })));
}

function undo() {
  return attempt(async () => show(await ask(gamePath("/undo"), { position: state.position })));
}

/* The agent may think for long, so everything else goes on meanwhile. */
async function hint() {
  if (hinting || !state || !state.asked) return;
  const position = state.position;
  hinting = true;
  byId("hint").disabled = true;
  byId("hint").textContent = "Thinking …";
  try {
    const { move, by } = await ask(gamePath("/hint"), { position });
    if (state && state.position === position) showHint(move, by);
  } catch (error) {
    if (error.status === undefined) throw error;
    if (state && state.position === position) showMessage(error.message);
  } finally {
    hinting = false;
    byId("hint").textContent = "Hint";
    byId("hint").disabled = !state || !state.asked;
  }
}

function showHint(move, by) {
  const found = allMoves().find((one) => one.move === move);
  showMessage(`Hint by ${by}: ${found ? found.words : move}`, true);
  for (const button of document.querySelectorAll(".target, #moves button")) {
    button.classList.toggle("hinted", hasMove(button, move));
  }
  const listed = byId("moves").querySelector(".hinted");
  if (listed) listed.scrollIntoView({ block: "nearest" });
}

/* --- light and dark --------------------------------------------------------------------------------------------- */
function theme() {
  const chosen = localStorage.getItem("theme") || document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function applyTheme() {
  document.documentElement.dataset.shown = theme();
  byId("theme").textContent = theme() === "dark" ? "Light" : "Dark";
}

/* --- the list of games ------------------------------------------------------------------------------------------ */
let offered = null;

function toLobby() {
  location.hash = "";
}

async function lobby() {
  state = null;
  clearTimeout(timer);
  byId("table").hidden = true;
  byId("lobby").hidden = false;
  for (const id of ["undo", "hint", "replay", "record", "leave", "who"]) byId(id).hidden = true;
  byId("bar").className = "";
  byId("when").textContent = "";
  byId("question").textContent = "Choose a game";
  document.title = "Endeavor";
  if (!offered) offer(await ask("choices"));
  const { games } = await ask("games");
  byId("none").hidden = games.length > 0;
  byId("games").replaceChildren(...games.map(gameItem));
}

function gameItem(game) {
  if (game.error) return element("li", {}, element("span", { textContent: game.name }), element("small", { textContent: game.error }));
  const variant = offered.variants.find((one) => one.name === game.variant);
  const how = game.scores ? `over, ${game.scores.join(" to ")} Glory` : `${game.moves} moves made`;
  const link = element("a", { href: `#${game.name}`, textContent: `${variant ? variant.title : game.variant}: ${game.seats.join(", ")}` });
  return element("li", {}, link, element("small", { textContent: `${how} · ${game.name}` }));
}

function offer(answer) {
  offered = answer;
  byId("agents").replaceChildren(...offered.agents.map((name) => element("option", { value: name })));
  byId("variants").replaceChildren(...offered.variants.map((variant, index) => {
    const radio = element("input", { type: "radio", name: "variant", value: variant.name, checked: index === 0, onchange: offerVariant });
    return element("label", {}, radio, element("b", { textContent: variant.title }), element("small", { textContent: variant.about }));
  }));
  byId("tiles").replaceChildren(element("p", { textContent: "Exploits in play; three at random if none is chosen:" }), ...offered.exploits.map((tile) =>
    element("label", {}, element("input", { type: "checkbox", value: tile.name }), ` ${tile.title}`)));
  offerVariant();
}

function chosenVariant() {
  const name = byId("new").elements.variant.value;
  return offered.variants.find((variant) => variant.name === name);
}

function offerVariant() {
  const variant = chosenVariant();
  byId("tiles").hidden = variant.name !== "exploits";
  byId("options").replaceChildren(...variant.options.map((option) => {
    const select = element("select", {}, ...option.values.map((value) => element("option", { value: JSON.stringify(value), textContent: String(value) })));
    select.dataset.option = option.name;
    return element("label", {}, select, element("span", { textContent: option.meaning }));
  }));
  offerSeats(variant, Math.max(variant.least, Math.min(3, variant.most)));
}

function offerSeats(variant, count) {
  const before = [...byId("places").querySelectorAll("input")].map((input) => input.value);
  const rows = Array.from({ length: count }, (_, seat) => {
    const input = element("input", { className: "place", value: before[seat] || (seat ? "greedy" : "human"), size: 30 });
    input.setAttribute("list", "agents");
    return element("label", {}, count > 1 ? `Seat ${seat}` : "Player", input);
  });
  if (variant.most > variant.least) {
    const select = element("select", { id: "count", onchange: () => offerSeats(variant, Number(byId("count").value)) });
    for (let number = variant.least; number <= variant.most; number += 1) select.append(new Option(`${number} seats`, number, false, number === count));
    rows.unshift(element("label", {}, select, 'each "human", or an agent'));
  }
  byId("places").replaceChildren(...rows);
}

function begin() {
  const variant = chosenVariant();
  const body = { variant: variant.name, seats: [...document.querySelectorAll(".place")].map((input) => input.value.trim()) };
  const seed = byId("seed").value.trim();
  if (seed) body.seed = /^\d{1,15}$/.test(seed) ? Number(seed) : seed;
  if (byId("on").value.trim()) body.board = byId("on").value.trim();
  const options = [...document.querySelectorAll("#options select")].filter((select) => select.selectedIndex > 0);
  if (options.length) body.options = Object.fromEntries(options.map((select) => [select.dataset.option, JSON.parse(select.value)]));
  const tiles = [...document.querySelectorAll("#tiles input:checked")].map((input) => input.value);
  if (variant.name === "exploits" && tiles.length) body.exploits = tiles;
  return attempt(async () => { location.hash = (await ask("games", body)).name; });
}

function openFile(input) {
  const [file] = input.files;
  if (!file) return;
  attempt(async () => {
    let fields;
    try {
      fields = JSON.parse(await file.text());
    } catch {
      throw Object.assign(new Error(`${file.name} is not JSON: choose a record or a kept game`), { status: 400 });
    }
    location.hash = (await ask("open", { file: fields })).name;
  }).finally(() => { input.value = ""; });
}

/* --- beginning -------------------------------------------------------------------------------------------------- */
async function enter() {
  applyTheme();
  closeMenu();
  state = null;
  if (!gameName()) return attempt(lobby);
  for (const id of ["undo", "hint", "replay", "record", "leave"]) byId(id).hidden = false;
  return attempt(async () => {
    try {
      await look(true);
    } catch (error) {
      if (error.status === 404) toLobby();
      throw error;
    }
  });
}

byId("new").addEventListener("submit", (event) => { event.preventDefault(); begin(); });
byId("file").addEventListener("change", (event) => openFile(event.target));
byId("undo").addEventListener("click", undo);
byId("hint").addEventListener("click", hint);
byId("leave").addEventListener("click", toLobby);
byId("dismiss").addEventListener("click", hideMessage);
byId("menu").addEventListener("keydown", walkMenu);
byId("theme").addEventListener("click", () => {
  localStorage.setItem("theme", theme() === "dark" ? "light" : "dark");
  applyTheme();
  if (state) attempt(() => look(true));
});
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (byId("menu").hidden) hideMessage();
    closeMenu(true);
  }
  if (event.key === "u" && !byId("undo").disabled && state) undo();
  if (event.key === "h") hint();
});
document.addEventListener("click", (event) => {
  if (!byId("menu").contains(event.target) && !event.target.closest(".target")) closeMenu();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) plan(0); });
addEventListener("hashchange", () => { enter(); });
enter();
