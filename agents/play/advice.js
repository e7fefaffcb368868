"use strict";
/* Hints with what they are expected to bring, and the bar of who is ahead. */
let hinted = null; /* the hints that are shown, with their position */

/* Each game has agents of its own. */
const hinterKey = () => (state && state.how ? `hinter ${state.how}` : "hinter");
const hintersOf = () => (state && state.hinting) || (offered ? offered.hinting : []);
const hinter = () => localStorage.getItem(hinterKey()) || (state && state.hinting ? state.hinting[0] : offered ? offered.hint_by : "");

/* The agent may think for long, so everything else goes on meanwhile. */
async function hint() {
  if (hinting || !mayAct()) return;
  const position = state.position;
  hinting = true;
  byId("hint").disabled = true;
  byId("hint").textContent = "Thinking …";
  try {
    const answer = await ask(gamePath("/hint"), hinter() ? { position, by: hinter() } : { position });
    if (state && state.position === position) showHints({ ...answer, position });
  } catch (error) {
    if (error.status === undefined) throw error;
    if (state && state.position === position) {
      showHints({ position, by: hinter(), hints: [], why: error.message });
      showMessage(error.message);
    }
  } finally {
    hinting = false;
    byId("hint").textContent = "Hint";
    byId("hint").disabled = !mayAct();
  }
}

function showHints(answer) {
  hinted = answer;
  if (NARROW.matches) chooseTab("moves");
  drawHints();
  const first = byId("advice").querySelector("li button");
  if (first) first.focus();
}

function drawHints() {
  if (hinted && (!state || hinted.position !== state.position)) hinted = null;
  byId("advice").hidden = !hinted;
  for (const button of document.querySelectorAll(".target, #moves button")) {
    button.classList.toggle("hinted", !!hinted && hinted.hints.length > 0 && hasMove(button, hinted.hints[0].move));
  }
  if (!hinted) return;
  byId("hints").replaceChildren(...hinted.hints.map(hintItem));
  byId("units").textContent = hinted.why || units();
  const names = [...new Set([hinter(), ...hintersOf()])];
  byId("hinter").replaceChildren(...names.map((name) => new Option(name, name, false, name === hinter())));
}

/* What the numbers of the hints are. */
function units() {
  if (hinted.hints.every((one) => one.value === null)) {
    return hinted.hints.some((one) => one.share !== null) ? "Search: the share of its simulations. It sees only what you can see." : "It sees only what you can see.";
  }
  const expected = "Value: your chance of winning (0-1), plus 0.02 for every point you lead by.";
  const liked = " Search: the share of its simulations, or the probability by its network.";
  return hinted.hints.some((one) => one.share !== null) ? expected + liked : expected;
}

function hintItem({ move, value, value_by: by, share }) {
  const found = allMoves().find((one) => one.move === move);
  const words = found ? found.words : move;
  const worth = value === null ? "" : `value ${value.toFixed(2)}${by === hinted.by ? "" : ` (${by})`}`;
  const searched = /^(search|tree)/.test(hinted.by);
  const liked = share === null ? "" : `${Math.round(100 * share)} % ${searched ? "of the search" : "likely"}`;
  const told = [worth, liked].filter((one) => one).join(", ") || "recommended";
  const button = element("button", { type: "button" }, element("b", { textContent: words }), element("small", { textContent: told }));
  button.dataset.hint = move;
  button.addEventListener("click", () => play(move));
  if (found) pointing(button, [found]);
  return element("li", {}, button);
}

/* --- who is ahead ----------------------------------------------------------------------------------------------- */
const showsAhead = () => localStorage.getItem("ahead") === "yes";

async function drawAhead() {
  byId("ahead-switch").setAttribute("aria-pressed", String(showsAhead()));
  byId("ahead").hidden = !showsAhead() || !state || state.over || !!state.title;
  if (byId("ahead").hidden || byId("ahead").dataset.position === state.position) return;
  const position = state.position;
  try {
    const answer = await ask(gamePath("/standing"));
    if (state && state.position === answer.position) fillAhead(answer);
  } catch (error) {
    if (error.status === undefined) throw error;
    if (state && state.position === position) byId("ahead").replaceChildren(element("span", { className: "why", textContent: error.message }));
  }
}

function fillAhead({ position, values, shares }) {
  const bar = byId("ahead");
  bar.dataset.position = position;
  bar.replaceChildren(...state.seats.map((seat, index) => {
    const told = values[index] === undefined ? "" : ` ${values[index].toFixed(2)}`;
    const part = element("span", { className: "part", title: `${seat.label}: ${Math.round(100 * shares[index])} %${told}` }, element("b", { textContent: `${seat.disc.letter}${told}` }));
    part.style.flexGrow = shares[index];
    part.style.background = seat.disc.fill;
    return part;
  }));
  const told = state.seats.map((seat, index) => `${seat.label} ${Math.round(100 * shares[index])} %`).join(", ");
  bar.setAttribute("aria-label", `Who is ahead by the agent value: ${told}`);
}

function switchAhead() {
  localStorage.setItem("ahead", showsAhead() ? "no" : "yes");
  byId("ahead").dataset.position = "";
  drawAhead();
}
