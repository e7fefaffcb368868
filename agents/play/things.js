"use strict";
/* Everything on the board says what it does and why it cannot be used now: under the mouse, with the focus, at a tap. */
const HOVER = 180; /* milliseconds that the mouse rests before an explanation opens */
const LEAVE = 260; /* and that it may be away, as on its way into the explanation */
const FINGER = 22; /* pixels that a finger may miss a thing by */
let told = null; /* the key of the thing that is explained */
let pinned = false; /* it stays until it is closed */
let roved = null; /* the key of the thing to which Tab leads */
let pointer = ""; /* what pressed last: "mouse", "touch" or "pen" */
let hovering = 0;
let hovered = null;

const THING = ".thing, .target[data-key]"; /* the picture below has keys as well */
const keyed = () => [...byId("board").querySelectorAll(THING)];
const keyedBy = (key) => keyed().find((one) => one.dataset.key === key);
const thingBy = (key) => state.things.find((thing) => thing.key === key);
const thingAt = (area) => state.things.find((thing) => thing.area.join(" ") === area.join(" "));
const movesAt = (thing) => allMoves().filter((move) => move.area && move.area.join(" ") === thing.area.join(" "));

function mark(thing, box) {
  const made = element("div", { className: "thing", tabIndex: -1 });
  made.setAttribute("role", "button");
  made.setAttribute("aria-label", thing.title);
  made.dataset.key = thing.key;
  return placed(made, thing.area, box);
}

/* --- the explanation -------------------------------------------------------------------------------------------- */
function showTip(from, stays) {
  const thing = thingBy(from.dataset.key);
  if (!thing) return;
  hideTip();
  told = thing.key;
  pinned = stays;
  from.setAttribute("aria-describedby", "told");
  const moves = movesAt(thing);
  const [, name, , now] = /^(.*?)([:;] |$)(.*)$/.exec(thing.title);
  byId("tip-title").textContent = name;
  byId("tip-now").textContent = now;
  byId("tip-says").replaceChildren(thing.says, " ", element("small", { textContent: thing.clause }));
  byId("tip-why").textContent = thing.why || "";
  byId("tip-why").hidden = !thing.why;
  byId("tip-moves").replaceChildren(...(stays ? moves.map((move) => moveButton(move, move.note ? `${move.words} (${move.note})` : move.words, "")) : []));
  byId("untip").hidden = !stays;
  byId("tip").hidden = false;
  placeTip(from.getBoundingClientRect());
}

/* Beside the thing, and on a small screen in the half of the window where the thing is not. */
function placeTip(place) {
  const tip = byId("tip");
  if (NARROW.matches) {
    const board = byId("board").getBoundingClientRect();
    const low = place.top + place.height / 2 > board.top + board.height / 2;
    tip.style.left = "6px";
    tip.style.top = low ? `${board.top + 4}px` : `${board.bottom - tip.offsetHeight - 4}px`;
    return;
  }
  const size = tip.getBoundingClientRect();
  const inside = (wanted, length, most) => Math.max(4, Math.min(wanted, most - length - 4));
  const below = place.bottom + size.height + 10 < innerHeight ? place.bottom + 6 : place.top - size.height - 6;
  tip.style.left = `${inside(place.left, size.width, innerWidth)}px`;
  tip.style.top = `${inside(below, size.height, innerHeight)}px`;
}

function hideTip() {
  clearTimeout(hovering);
  byId("tip").hidden = true;
  for (const one of document.querySelectorAll('[aria-describedby="told"]')) one.removeAttribute("aria-describedby");
  told = null;
  pinned = false;
}

/* --- the mouse and fingers -------------------------------------------------------------------------------------- */
/* The edges of what a place stands on: where fingers need room, the place itself is larger. */
function drawn(one) {
  const [x, y] = middle(one);
  const canvas = one.parentElement;
  const [across, down] = [canvas.clientWidth * parseFloat(one.style.width), canvas.clientHeight * parseFloat(one.style.height)].map((size) => size / 200);
  return { left: x - across, top: y - down, right: x + across, bottom: y + down };
}

/* What is meant at a point: the nearest thing that is no farther than the slack; of things that lie on each other one
   with a move, and the smallest. */
function thingUnder(x, y, slack) {
  let [best, least] = [null, Infinity];
  for (const one of keyed()) {
    const box = drawn(one);
    const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    const cost = away * 1e9 + (one.matches(".target") ? 0 : 1e8) + (box.right - box.left) * (box.bottom - box.top);
    if (away <= slack && cost < least) [best, least] = [one, cost];
  }
  return best;
}

/* What a press or the mouse means. Places may be larger than what they stand on and lie on each other: on one of them
   the nearest thing is meant, as by a finger that misses. */
function meant(event) {
  const on = event.target.closest(".target");
  return thingUnder(event.clientX, event.clientY, on || pointer === "touch" ? FINGER : 0) || on;
}

function hover(event) {
  if (event.pointerType === "touch") return;
  const under = event.target.closest("#result") ? null : meant(event);
  const key = under ? under.dataset.key : null;
  if (key === hovered) return;
  hovered = key;
  clearTimeout(hovering);
  if (pinned) return;
  hovering = under ? setTimeout(() => { if (under.isConnected) showTip(under, false); }, HOVER) : setTimeout(leave, LEAVE);
}

/* The mouse has left the board or what was explained; an explanation of what has the focus stays. */
function leave() {
  if (pinned || byId("tip").matches(":hover")) return;
  const focused = document.activeElement;
  if (focused && focused.dataset.key && focused.matches(":focus-visible") && thingBy(focused.dataset.key)) showTip(focused, false);
  else hideTip();
}

/* A finger does not point before it presses: its first tap explains a place, the second makes the move. */
function tap(event) {
  const on = event.target.closest(".target");
  if (!pointer || !on || !on.dataset.key) return;
  const place = meant(event);
  if (pointer !== "touch" && place === on) return;
  event.stopPropagation();
  if (place.matches(".target") && (pointer !== "touch" || (told === place.dataset.key && pinned))) {
    pointer = "";
    place.click();
  } else {
    rove(place);
    showTip(place, true);
  }
}

function press(event) {
  if (event.target.closest(".target, #result")) return;
  const under = meant(event);
  if (!under) return hideTip();
  rove(under);
  showTip(under, true);
}

/* --- the keyboard ----------------------------------------------------------------------------------------------- */
function rove(to) {
  for (const one of keyed()) one.tabIndex = one === to ? 0 : -1;
  roved = to ? to.dataset.key : roved;
}

/* After a redraw one thing can be reached by Tab, and what had the focus has it again. */
function roveAgain(focused) {
  const again = told;
  const stays = pinned;
  hideTip();
  const next = (focused && keyedBy(focused)) || (roved && keyedBy(roved)) || keyed()[0];
  if (!next) return;
  rove(next);
  if (focused) next.focus({ preventScroll: true });
  else if (again && stays && keyedBy(again)) showTip(keyedBy(again), true);
}

function walkThings(event) {
  const from = event.target.closest(THING);
  if (!from) return;
  if ((event.key === "Enter" || event.key === " ") && !from.matches(".target")) {
    event.preventDefault();
    return showTip(from, true);
  }
  const to = { Home: () => keyed()[0], End: () => keyed().at(-1) }[event.key];
  const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  if (!to && !way) return;
  event.preventDefault();
  const next = to ? to() : nearest(from, way);
  if (!next) return;
  rove(next);
  next.focus();
}

function middle(one) {
  const box = one.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/* The nearest thing on the way; what lies aside is as far as thrice the distance. */
function nearest(from, [right, down]) {
  const [x, y] = middle(from);
  let [best, least] = [null, Infinity];
  for (const one of keyed()) {
    const [toX, toY] = middle(one);
    const along = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    if (one !== from && along > 1 && along + 3 * aside < least) [best, least] = [one, along + 3 * aside];
  }
  return best;
}

function followThings() {
  const board = byId("board");
  document.addEventListener("pointerdown", (event) => { pointer = event.pointerType; }, true);
  document.addEventListener("keydown", () => { pointer = ""; }, true);
  board.addEventListener("pointermove", hover);
  board.addEventListener("pointerleave", () => { hovered = null; clearTimeout(hovering); hovering = setTimeout(leave, LEAVE); });
  byId("tip").addEventListener("pointerleave", () => { hovering = setTimeout(leave, LEAVE); });
  board.addEventListener("click", tap, true);
  board.addEventListener("click", press);
  board.addEventListener("keydown", walkThings);
  board.addEventListener("focusin", (event) => {
    const on = event.target.closest(THING);
    if (on) rove(on);
    if (on && on.matches(":focus-visible")) showTip(on, false);
  });
  board.addEventListener("focusout", () => { if (!pinned) hideTip(); });
  byId("untip").addEventListener("click", () => { const from = keyedBy(told); hideTip(); if (from) from.focus({ preventScroll: true }); hideTip(); });
  byId("ask").addEventListener("click", openHelp);
  byId("unhelp").addEventListener("click", () => byId("help").close());
}

function openHelp() {
  hideTip();
  byId("help").showModal();
}
