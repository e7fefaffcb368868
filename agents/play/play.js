"use strict";
const token = new URLSearchParams(location.search).get("token") || "";
const byId = (id) => document.getElementById(id);
const WIDTH = 1280;
const HEIGHT = 800;
const VARIANTS = {
  solo: ["the solitaire game", "human"],
  standard: ["the base game", "human greedy greedy"],
  exploits: ["with three Exploits", "human greedy greedy greedy"],
  soloplay_2: ["two players with neutral discs", "human greedy"],
  soloplay_3: ["three players with neutral discs", "human greedy greedy"],
  neutral_2: ["two players, two sides each", "human greedy"],
};
let state = null;
let busy = false;
let theme = localStorage.getItem("theme") === "dark" ? "dark" : "light";

function gameName() {
  return location.hash.slice(1);
}

async function ask(path, body) {
  const options = { headers: { "X-Token": token } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error), { status: response.status });
  return answer;
}

async function attempt(work) {
  if (busy) return;
  busy = true;
  document.body.dataset.busy = "yes";
  byId("error").textContent = "";
  try {
    await work();
  } catch (error) {
    byId("error").textContent = error.status ? error.message : "the server does not answer: is the command still running?";
    if (error.status === 409) state = await ask(`games/${gameName()}?theme=${theme}`).catch(() => state);
    if (state) draw();
  } finally {
    busy = false;
    delete document.body.dataset.busy;
  }
}

function draw() {
  byId("lobby").hidden = true;
  byId("table").hidden = false;
  const board = byId("board");
  board.innerHTML = state.svg;
  const places = new Map();
  for (const move of state.moves) {
    if (!move.area) continue;
    const key = move.area.join(" ");
    places.set(key, [...(places.get(key) || []), move]);
  }
  for (const moves of places.values()) board.append(target(moves));
  const who = state.seats.length > 1 ? `Seat ${state.seat}: ` : "";
  byId("asked").textContent = state.over ? "The game is over" : state.asked ? `${who}choose` : "…";
  byId("moves").replaceChildren(...state.moves.map((move) => moveButton(move)));
  byId("log").replaceChildren(...state.log.slice().reverse().map((words) => {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
  byId("status").textContent = state.over ? state.result : `${state.seats.join(", ")} · move ${state.number + 1}`;
  byId("hint").disabled = !state.asked;
  byId("undo").disabled = state.number === 0;
}

function target(moves) {
  const [x, y, width, height] = moves[0].area;
  const button = document.createElement("button");
  button.className = "target";
  button.style.left = `${(100 * x) / WIDTH}%`;
  button.style.top = `${(100 * y) / HEIGHT}%`;
  button.style.width = `${(100 * width) / WIDTH}%`;
  button.style.height = `${(100 * height) / HEIGHT}%`;
  button.title = moves.map((move) => move.words).join(" or ");
  button.dataset.moves = moves.map((move) => move.move).join(" ");
  button.setAttribute("aria-label", button.title);
  button.addEventListener("click", (event) => (moves.length === 1 ? play(moves[0].move) : openMenu(moves, event)));
  return button;
}

function moveButton(move) {
  const button = document.createElement("button");
  button.textContent = move.words;
  button.dataset.move = move.move;
  button.addEventListener("click", () => play(move.move));
  return button;
}

function openMenu(moves, event) {
  const menu = byId("menu");
  menu.replaceChildren(...moves.map((move) => moveButton(move)));
  menu.style.left = `${Math.min(event.clientX, innerWidth - 220)}px`;
  menu.style.top = `${Math.min(event.clientY, innerHeight - 40 * moves.length)}px`;
  menu.hidden = false;
  menu.querySelector("button").focus();
}

function play(move) {
  byId("menu").hidden = true;
  return attempt(async () => {
    state = await ask(`games/${gameName()}/play?theme=${theme}`, { number: state.number, move });
    draw();
  });
}

async function enter() {
  byId("menu").hidden = true;
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
  if (gameName()) {
    await attempt(async () => {
      state = await ask(`games/${gameName()}?theme=${theme}`);
      draw();
    });
  } else {
    await attempt(lobby);
  }
}

async function lobby() {
  state = null;
  byId("table").hidden = true;
  byId("lobby").hidden = false;
  byId("status").textContent = "";
  const { games } = await ask("games");
  byId("games").replaceChildren(...games.map((game) => {
    const item = document.createElement("li");
    if (game.error) {
      item.textContent = `${game.name}: ${game.error}`;
    } else {
      const link = document.createElement("a");
      link.href = `#${game.name}`;
      link.textContent = `${game.variant}: ${game.seats.join(", ")} (${game.state})`;
      item.append(link);
    }
    return item;
  }));
}

for (const [name, [words]] of Object.entries(VARIANTS)) byId("variant").append(new Option(words, name));
byId("variant").value = "standard";
byId("variant").addEventListener("change", (event) => { byId("seats").value = VARIANTS[event.target.value][1]; });
byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const seed = byId("seed").value.trim();
    const body = { variant: byId("variant").value, seats: byId("seats").value.trim().split(/\s+/) };
    if (seed) body.seed = Number(seed);
    const { name } = await ask("games", body);
    location.hash = name;
  });
});
byId("undo").addEventListener("click", () => attempt(async () => {
  state = await ask(`games/${gameName()}/undo?theme=${theme}`, { number: state.number });
  draw();
}));
byId("hint").addEventListener("click", () => attempt(async () => {
  const { move } = await ask(`games/${gameName()}/hint`, {});
  for (const button of document.querySelectorAll(".target, #moves button")) {
    const moves = (button.dataset.moves || button.dataset.move || "").split(" ");
    button.classList.toggle("hinted", moves.includes(move));
  }
}));
byId("theme").addEventListener("click", () => {
  theme = theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", theme);
  enter();
});
byId("leave").addEventListener("click", () => { location.hash = ""; });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") byId("menu").hidden = true; });
addEventListener("hashchange", enter);
enter();
