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
let shownAs = null; /* the seat whose hand the page shows, where several people sit at it */
const gamePath = (rest = "") => `games/${encodeURIComponent(gameName())}${rest}?theme=${theme()}${shownAs === null ? "" : `&seat=${shownAs}`}`;
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
  hideTip();
  try {
    await work();
  } catch (error) {
    if (error.status === undefined) throw error;
    showMessage(error.message);
    if (error.status === 409) await look(true);
    if (error.status === 404) await leaveGone();
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
    if (error.status === 404) await leaveGone();
    else plan(POLL_LOST);
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
