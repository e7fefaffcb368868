"use strict";
/* Draws a game: question, board with its targets, moves, scores, log, result, and the menu of a place. */
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
