"use strict";
/* Draws a game: question, moves, scores, log, result, and the menu of a place. */
function show(answer) {
  const inList = ["moves", "advice"].some((id) => byId(id).contains(document.activeElement));
  const moved = !state || state.position !== answer.position;
  const kept = scrolled();
  state = answer;
  if (moved) closeMenu();
  if (moved && state.over && NARROW.matches) chooseTab("map"); /* where the result is shown */
  byId("lobby").hidden = true;
  byId("table").hidden = false;
  drawBar();
  drawTabs();
  drawMoves();
  drawPanels();
  drawAhead();
  drawSeats();
  drawLog();
  drawBoard(kept); /* last: its picture is laid out once, when all else has its place */
  drawHints();
  for (const list of ["moves", "past"]) byId(list).scrollTop = 0;
  if (moved) reachTargets();
  if (inList && state.over) byId("result").querySelector("a").focus();
  else if (inList) nextInList().focus({ preventScroll: true });
}

/* What has the focus after a move from the list: no Pass or Stop while there is anything else to do. */
function nextInList() {
  const moves = byId("moves");
  return moves.querySelector(".group:not(.alone) button") || moves.querySelector("button") || moves;
}

function drawBar() {
  const acting = state.seats[state.over ? -1 : state.seats.findIndex((seat) => seat.turn)];
  byId("bar").className = state.asked ? "asks" : state.thinking === null ? "" : "waits";
  const when = state.rounds ? `Round ${state.round} of ${state.rounds} · ${state.phase}` : [`${state.period} ${state.round}`, state.phase].filter((one) => one).join(" · ");
  byId("when").textContent = state.over ? "" : state.round ? when : "Set-up";
  byId("question").textContent = state.question;
  const who = byId("who");
  who.hidden = !acting;
  if (acting) who.replaceWith(Object.assign(disc(acting.disc), { id: "who" }));
  nameGame(state.title);
  document.title = state.over ? `Over · ${titleOf(state)}` : state.asked ? `Your move · ${titleOf(state)}` : titleOf(state);
  byId("undo").disabled = !state.can_undo;
  byId("hint").disabled = !mayAct() || hinting;
  byId("replay").href = withToken(gamePath("/replay"));
  byId("record").href = withToken(gamePath("/record"));
  if (state.trouble) showMessage(state.trouble);
}

/* What a game is called, and what its page has that others have not. */
const titleOf = (game) => (game && game.title) || "Endeavor";

function nameGame(title) {
  byId("name").textContent = title || "Endeavor";
  document.body.classList.toggle("rails", !!title);
  for (const part of document.querySelectorAll('[data-of="endeavor"]')) part.hidden = !!title;
  byId("ahead-switch").hidden = !!title;
  byId("undo").title = title ? "Take back your last move, unless something was shown since (U)" : "Go back to the beginning of your turn (U)";
  linkHow();
}

/* Whether whoever looks at the page may decide: where several people sit at it, only who says to be the one asked. */
const mayAct = () => !!state && state.asked && !state.curtain;

const allMoves = () => state.groups.flatMap((group) => group.moves);

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
    return element("div", { className: "group", role: "group", ariaLabel: group.heading }, element("h2", { textContent: group.heading }), list);
  }));
  if (state.over) byId("moves").append(element("button", { type: "button", textContent: "Show the result", onclick: showResult }));
  if (state.curtain) byId("moves").append(curtain(state.curtain));
}

/* Where several people sit at the page, nobody's hand is shown before the one who is asked says so. */
function curtain({ seat, title }) {
  const lift = element("button", { type: "button", className: "strong", textContent: `I am ${title}: show my hand` });
  lift.addEventListener("click", () => { shownAs = seat; attempt(() => look(true)); });
  return element("div", { className: "group alone" }, lift);
}

/* What lies before the seats and in the middle, in games that say it in words. */
function drawPanels() {
  byId("panels").hidden = !state.panels;
  byId("panels").replaceChildren(...(state.panels || []).map((panel) => {
    const rows = panel.rows.flatMap(({ name, words }) => [element("dt", { textContent: name }), element("dd", { textContent: words })]);
    const head = element("h2", {}, ...(panel.disc ? [disc(panel.disc)] : []), element("span", { textContent: panel.title }));
    return element("div", { className: `panel ${panel.own ? "own" : panel.disc ? "" : "common"}` }, head, element("dl", {}, ...rows));
  }));
}

function moveButton(move, text, note) {
  const button = element("button", { type: "button", title: move.words }, element("span", { textContent: text }));
  if (note) button.append(" ", element("small", { textContent: note }));
  button.dataset.move = move.move;
  button.addEventListener("click", () => play(move.move));
  pointing(button, [move]);
  return button;
}

const unitOf = (of) => of.unit || "Glory";

function drawSeats() {
  byId("seats").replaceChildren(...state.seats.map((seat) => {
    const item = element("li", { className: seat.turn ? "turn" : "" }, disc(seat.disc), element("span", { textContent: seat.label }));
    item.append(element("b", { textContent: `${seat.glory} ${unitOf(state)}` }));
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
      items.push(element("li", { className: "round", textContent: round ? `${state.period || "Round"} ${round}` : "Set-up" }));
    }
    const words = element("span", { textContent: line.words });
    if (line.why) words.append(element("small", { textContent: line.why }));
    items.push(element("li", { className: line.new ? "new" : "" }, disc(line.disc), words));
  }
  byId("log").replaceChildren(...items);
}

function result() {
  const head = element("tr", {}, element("th", { textContent: unitOf(state).replace(/^./, (first) => first.toUpperCase()) }), ...state.seats.map((seat) => {
    return element("th", { scope: "col" }, disc(seat.disc), element("span", { textContent: seat.label }));
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
  if (NARROW.matches) chooseTab("map");
  byId("result").hidden = false;
}

/* --- the menu of a place with several moves --------------------------------------------------------------------- */
let opener = null;

function openMenu(moves, button) {
  const menu = byId("menu");
  hideTip();
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
