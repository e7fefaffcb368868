"use strict";
/* The picture of a game: the whole of it, or on a small screen the part that its tab shows; places that can be clicked; zoom. */
const NARROW = matchMedia("(max-width: 900px)");
const VIEWS = { map: ["map", "legend"], mats: ["mats"], supply: ["supply", "side"], moves: [] };
const CLOSEST = 6;
const TOUCHED = 44; /* pixels of the smallest place that a finger hits */
const READABLE = 0.95; /* the least scale of a picture whose smallest letters, 9.5 pixels high, are to be read */
const CROSSROADS = 0.82; /* the least scale of a map with letters of 11 pixels, so that most of it is seen at once */
const TOUCHABLE = 1.4; /* that of a map of crossroads and paths, 32 pixels apart, for a finger on each */
let tab = "map";
let zoom = 1; /* 1 shows a whole part */

/* The parts of the picture that a tab shows: games differ in those that they have. */
const viewsOf = (name) => VIEWS[name].filter((part) => state.parts[part]);

/* How far the board is scrolled; asked before anything is drawn, so that nothing is laid out for the answer. */
const scrolled = () => [byId("board").scrollLeft, byId("board").scrollTop];

function drawBoard(kept = scrolled()) {
  const board = byId("board");
  const focused = document.activeElement.matches(THING) ? document.activeElement.dataset.key : null;
  const least = NARROW.matches ? 0 : (state.panels ? CROSSROADS : READABLE) * state.box[2];
  const boxes = NARROW.matches ? viewsOf(tab).flatMap((name) => (name === "supply" ? supplyBoxes() : [[state.parts[name], 1]])) : [state.box, state.parts.legend].filter((box) => box).map((box) => [box, 1]);
  board.replaceChildren(...boxes.map(([box, share]) => view(box, share, least)));
  if (state.result) board.append(result());
  if (kept.some((pixels) => pixels)) board.scrollTo(...kept);
  roveAgain(focused);
}

/* The supply, with the share of the width that each box takes: as many levels beside each other as leave room for a
   finger on each building, the others below them, and the legend, in halves where its letters would be too small. */
function supplyBoxes() {
  const { columns, row, legend } = state.supply;
  const beside = columns.length && Math.max(1, Math.floor((byId("board").clientWidth * row) / (TOUCHED * columns[0][2])));
  if (beside >= columns.length) return [[state.parts.supply, 1]];
  const boxes = [];
  for (let first = 0; first < columns.length; first += beside) {
    const [x, y, width, height] = columns[first];
    const count = Math.min(beside, columns.length - first);
    boxes.push([[x, y, width * count, height], count / beside]);
  }
  const [x, y, width, height] = legend;
  if (byId("board").clientWidth >= READABLE * width) return [...boxes, [legend, 1]];
  const before = 6; /* a wide sign stands so far left of its column */
  return [...boxes, ...[x, x + width / 2].map((left) => [[left - before, y, width / 2, height], 1])];
}

/* A part of the picture, with the share of the width that it takes, and the least pixels of the whole width. */
function view(box, share, least) {
  const canvas = element("div", { className: "view" });
  canvas.style.width = `calc(max(100%, ${least}px) * ${share} * var(--zoom))`;
  canvas.append(pictureOf(box));
  for (const { area, fill } of state.recent.filter((one) => isInside(one.area, box))) {
    const mark = element("div", { className: "recent" });
    mark.style.borderColor = fill;
    canvas.append(placed(mark, area, box));
  }
  const places = new Map();
  for (const move of allMoves()) {
    if (!move.area || !isInside(move.area, box)) continue;
    const key = move.area.join(" ");
    places.set(key, [...(places.get(key) || []), move]);
  }
  for (const thing of state.things) {
    if (isInside(thing.area, box) && !places.has(thing.area.join(" "))) canvas.append(mark(thing, box));
  }
  for (const moves of places.values()) canvas.append(target(moves, box));
  return canvas;
}

/* --- the picture ------------------------------------------------------------------------------------------------ */
let read = { svg: "", whole: null, shapes: [] }; /* the picture that was read last, and its shapes with their extents */

/* A part of the picture. Shapes that do not reach into it are left out: they would be laid out for nothing. */
function pictureOf([left, top, across, down]) {
  if (read.svg !== state.svg) read = readPicture(state.svg);
  const reach = ([x, y, right, bottom]) => x <= left + across && right >= left && y <= top + down && bottom >= top;
  const picture = read.whole.cloneNode();
  picture.setAttribute("viewBox", [left, top, across, down].join(" "));
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  picture.append(...read.shapes.filter(([, extent]) => reach(extent)).map(([shape]) => shape.cloneNode(true)));
  return picture;
}

function readPicture(svg) {
  const holder = document.createElement("template");
  holder.innerHTML = svg;
  const whole = holder.content.firstElementChild;
  return { svg, whole, shapes: [...whole.children].map((shape) => [shape, extentOf(shape)]) };
}

/* The edges of a shape with its line, and of a text with letters as wide as high; whatever else belongs to all parts. */
function extentOf(shape) {
  const all = (...names) => names.map((name) => Number(shape.getAttribute(name)));
  const line = Number(shape.getAttribute("stroke-width"));
  const around = (xs, ys) => [Math.min(...xs) - line, Math.min(...ys) - line, Math.max(...xs) + line, Math.max(...ys) + line];
  const [x, y, width, height, cx, cy, r, x1, y1, x2, y2, size] = all("x", "y", "width", "height", "cx", "cy", "r", "x1", "y1", "x2", "y2", "font-size");
  const wide = size * shape.textContent.length;
  const points = (shape.getAttribute("points") || "").split(" ").map((point) => point.split(",").map(Number));
  switch (shape.localName) {
    case "rect": return around([x, x + width], [y, y + height]);
    case "circle": return around([cx - r, cx + r], [cy - r, cy + r]);
    case "line": return around([x1, x2], [y1, y2]);
    case "polygon": return around(points.map((point) => point[0]), points.map((point) => point[1]));
    case "text": return around([x - wide, x + wide], [y - size, y + size]);
    default: return [-Infinity, -Infinity, Infinity, Infinity];
  }
}

function isInside([x, y, width, height], [left, top, across, down]) {
  const [middle, centre] = [x + width / 2, y + height / 2];
  return middle >= left && middle <= left + across && centre >= top && centre <= top + down;
}

/* Places are set by their centres: on a touch screen they are larger than what they stand on. */
function placed(made, [x, y, width, height], [left, top, across, down]) {
  made.style.left = `${(100 * (x + width / 2 - left)) / across}%`;
  made.style.top = `${(100 * (y + height / 2 - top)) / down}%`;
  made.style.width = `${(100 * width) / across}%`;
  made.style.height = `${(100 * height) / down}%`;
  return made;
}

function target(moves, box) {
  const words = moves.map((move) => (move.note ? `${move.words} (${move.note})` : move.words)).join("\nor ");
  const button = element("button", { type: "button", className: "target", tabIndex: -1 });
  const thing = thingAt(moves[0].area);
  if (thing) button.dataset.key = thing.key;
  button.dataset.moves = moves.map((move) => move.move).join(" ");
  button.setAttribute("aria-label", words);
  if (moves.length > 1) button.setAttribute("aria-haspopup", "menu");
  button.addEventListener("click", () => (moves.length === 1 ? play(moves[0].move) : openMenu(moves, button)));
  pointing(button, moves);
  return placed(button, moves[0].area, box);
}

/* Scroll the board to the places with a move, if none of them can be seen. */
function reachTargets() {
  const seen = byId("board").getBoundingClientRect();
  const targets = [...byId("board").querySelectorAll(".target")];
  const isSeen = ({ left, top, right, bottom }) => left >= seen.left && top >= seen.top && right <= seen.right && bottom <= seen.bottom;
  if ((NARROW.matches && !state.panels) || !targets.length || targets.some((one) => isSeen(one.getBoundingClientRect()))) return;
  for (const one of [targets.at(-1), targets[0]]) one.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/* --- tabs of a small screen ------------------------------------------------------------------------------------- */
function chooseTab(name) {
  tab = name;
  byId("table").dataset.tab = name;
  for (const button of byId("tabs").children) {
    const chosen = button.dataset.tab === name;
    button.setAttribute("aria-selected", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
  }
  if (!state) return;
  drawBoard();
  zoomTo(firstZoom());
  reachTargets();
}

/* The map fills the height there is, and its letters can be read; what is wider than the screen is dragged. */
function firstZoom() {
  if (!NARROW.matches || tab !== "map") return 1;
  const board = byId("board");
  const [, , across, down] = state.parts.map;
  const high = board.clientHeight / down;
  return Math.max(1, Math.min(CLOSEST, (Math.max(high, state.panels ? TOUCHABLE : READABLE) * across) / board.clientWidth));
}

/* Say on the tabs of the board how many places with a move each of them has: a part may show none of them. */
function drawTabs() {
  const places = [...new Map(allMoves().filter((move) => move.area).map((move) => [move.area.join(" "), move.area])).values()];
  for (const button of byId("tabs").children) {
    nameTab(button);
    const boxes = viewsOf(button.dataset.tab).map((name) => state.parts[name]);
    const count = places.filter((area) => boxes.some((box) => isInside(area, box))).length;
    button.querySelector("small")?.remove();
    button.removeAttribute("aria-label");
    if (!count) continue;
    button.setAttribute("aria-label", `${button.textContent.trim()}, ${count} ${count === 1 ? "place" : "places"} with a move`);
    button.append(element("small", { textContent: count }));
  }
}

function nameTab(button) {
  const { tab: name } = button.dataset;
  button.hidden = name === "supply" && !state.supply;
  if (name !== "mats") return;
  button.firstChild.textContent = state.panels ? "Hands" : "Mats";
  button.setAttribute("aria-controls", state.panels ? "right" : "left");
}

function walkTabs(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const tabs = [...byId("tabs").children].filter((one) => !one.hidden);
  const next = tabs[(tabs.findIndex((one) => one.dataset.tab === tab) + step + tabs.length) % tabs.length];
  chooseTab(next.dataset.tab);
  next.focus();
}

/* --- zoom ------------------------------------------------------------------------------------------------------- */
/* Zoom, leaving the point at (x, y) of the window where it is; without one, the middle of the board. */
function zoomTo(wanted, x, y) {
  const board = byId("board");
  const box = board.getBoundingClientRect();
  const [across, down] = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top];
  const before = zoom;
  const [left, top] = [(board.scrollLeft + across) / before, (board.scrollTop + down) / before];
  setZoom(Math.max(1, Math.min(CLOSEST, wanted)));
  board.scrollTo(left * zoom - across, top * zoom - down);
  if (keyedBy(told)) showTip(keyedBy(told), pinned); /* beside its thing */
}

function setZoom(to) {
  zoom = to;
  byId("board").style.setProperty("--zoom", zoom);
}

function followFingers() {
  const board = byId("board");
  const spread = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  let pinch = null;
  board.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    pinch = { spread: spread(event.touches), zoom };
  }, { passive: false });
  board.addEventListener("touchmove", (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    zoomTo((pinch.zoom * spread(event.touches)) / pinch.spread, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
  }, { passive: false });
  for (const kind of ["touchend", "touchcancel"]) board.addEventListener(kind, () => { pinch = null; });
  board.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15), event.clientX, event.clientY);
  }, { passive: false });
}
