"use strict";
const byId = (id) => document.getElementById(id);
const film = { lines: [], pictures: [], rows: [], notes: {}, names: [], colours: [], over: false, by: "" };
const WAIT = 700; // milliseconds between questions for the rest of a running game
let more = null;
let at = 0;
let timer = null;

function count() {
  return film.rows.length - 1;
}

// Add a part of the film behind what is known; the lines of a picture are numbers into film.lines.
function extend(part) {
  if (part.known !== film.rows.length) return false;
  film.lines.push(...part.lines);
  for (const row of part.rows) {
    const picture = film.pictures.length ? film.pictures[film.pictures.length - 1].slice() : [];
    for (const [place, removed, added] of row.changes) picture.splice(place, removed, ...added);
    film.pictures.push(picture);
    film.rows.push(row);
  }
  Object.assign(film.notes, part.notes);
  film.names = part.names;
  film.colours = part.colours.map((colour) => (colour === "#ffffff" ? "#999999" : colour));
  film.over = part.over;
  if (part.notes_by) film.by = part.notes_by;
  if (part.title) document.querySelector("h1").textContent = document.title = part.title; // of a running game
  if (part.more !== undefined) more = part.more;
  return part.rows.length > 0;
}

function who(seat) {
  return film.names[seat];
}

function element(tag, text, colour) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (colour) made.style.borderColor = colour;
  return made;
}

function show(number) {
  at = Math.max(0, Math.min(count(), number));
  byId("board").innerHTML = film.pictures[at].map((line) => film.lines[line]).join("\n");
  byId("slider").value = at;
  const { move, scores, statuses } = film.rows[at];
  byId("now").textContent = move ? `${at} of ${count()}: ${who(move.seat)} ${move.words}` : `${count()} moves`;
  for (const item of document.querySelectorAll("#moves li.now")) item.classList.remove("now");
  const item = document.querySelector(`#moves li[data-at="${at}"]`);
  if (item) {
    item.classList.add("now");
    const list = byId("scroll");
    list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  for (const mark of document.querySelectorAll("#charts .mark")) {
    mark.setAttribute("x1", xOf(at));
    mark.setAttribute("x2", xOf(at));
  }
  byId("legend").replaceChildren(...film.names.map((name, index) =>
    element("span", `${name}: ${scores[index]} Glory, icons ${statuses[index].join(" ")}`, film.colours[index])));
  const options = [...byId("rounds").options].filter((option) => Number(option.value) <= at);
  if (options.length) byId("rounds").selectedIndex = options.length - 1;
  showNote(film.notes[at]);
}

function showNote(note) {
  byId("notes").hidden = Object.keys(film.notes).length === 0;
  if (byId("notes").hidden) return;
  byId("notes-by").textContent = `What ${film.by || "the agent"} expects`;
  byId("values").replaceChildren(...(note ? note.values : []).map((value, seat) => {
    const row = element("p", `${who(seat)} ${value.toFixed(2)}`);
    const bar = document.createElement("span");
    bar.style.width = `${Math.max(0, Math.min(1, value)) * 100}%`;
    bar.style.background = film.colours[seat];
    row.append(bar);
    return row;
  }));
  byId("choices").replaceChildren(...(note ? note.choices : []).map((choice) => {
    const item = element("li", `${(100 * choice.share).toFixed(0)} % ${choice.words}${choice.made ? " (played)" : ""}`);
    item.classList.toggle("made", choice.made);
    return item;
  }));
}

function xOf(number) {
  return count() ? (600 * number) / count() : 0;
}

// Draw a line for each entry of the rows; a row may be null where nothing is known.
function chart(id, rows, low, high) {
  const seats = Math.max(0, ...rows.map((row) => (row ? row.length : 0)));
  const yOf = (value) => (146 - (142 * (value - low)) / Math.max(1e-9, high - low)).toFixed(1);
  const parts = [];
  for (let seat = 0; seat < seats; seat += 1) {
    const points = rows.flatMap((row, number) => (row ? [`${xOf(number).toFixed(1)},${yOf(row[seat])}`] : []));
    parts.push(`<polyline points="${points.join(" ")}" fill="none" stroke="${film.colours[seat]}" stroke-width="2" vector-effect="non-scaling-stroke"/>`);
  }
  film.rows.forEach((row, number) => {
    if (row.events.some((event) => event.kind === "open")) {
      parts.push(`<line x1="${xOf(number)}" x2="${xOf(number)}" y1="0" y2="150" stroke="#888" stroke-dasharray="3 3" vector-effect="non-scaling-stroke"/>`);
    }
  });
  parts.push('<line class="mark" x1="0" x2="0" y1="0" y2="150" stroke="#e6007e" vector-effect="non-scaling-stroke"/>');
  byId(id).innerHTML = parts.join("");
}

function charts() {
  const scores = film.rows.map((row) => row.scores);
  const icons = film.rows.map((row) => row.statuses.map((seat) => seat.reduce((sum, one) => sum + one, 0)));
  chart("scores", scores, Math.min(0, ...scores.flat()), Math.max(1, ...scores.flat()));
  chart("statuses", icons, 0, Math.max(1, ...icons.flat()));
  const values = film.rows.map((_, number) => (film.notes[number] && film.notes[number].values.length ? film.notes[number].values : null));
  byId("expected").hidden = values.every((row) => row === null);
  const known = values.filter((row) => row !== null).flat();
  if (known.length) chart("outcomes", values, Math.min(0, ...known), Math.max(1, ...known));
}

function listMoves(from) {
  const list = byId("moves");
  const rounds = byId("rounds");
  if (from === 0) byId("events").append(new Option("…", ""));
  for (let number = Math.max(1, from); number <= count(); number += 1) {
    const { move, events } = film.rows[number];
    if (number === 1 || film.rows[number - 1].move.round !== move.round) {
      const head = element("li", move.round ? `Round ${move.round}` : "Set-up");
      head.className = "round";
      list.append(head);
      rounds.append(new Option(move.round || "set-up", number - 1));
    }
    const item = element("li", `${who(move.seat)} ${move.words}`, film.colours[move.seat]);
    item.dataset.at = number;
    item.addEventListener("click", () => show(number));
    list.append(item);
    for (const event of events) byId("events").append(new Option(event.words, number));
  }
  byId("slider").max = count();
}

function play() {
  if (timer === null && at < count()) {
    timer = setInterval(() => (at < count() ? show(at + 1) : play()), 500);
  } else {
    clearInterval(timer);
    timer = null;
  }
  byId("play").textContent = timer === null ? "play" : "stop";
}

// Ask for the rest of a running game, and follow it if its last position is shown.
async function follow() {
  if (more === null || film.over) return;
  try {
    const response = await fetch(`${more}${film.rows.length}`);
    const part = await response.json();
    if (!response.ok) throw new Error(part.error);
    const [before, last] = [film.rows.length, at === count()];
    if (extend(part)) {
      listMoves(before);
      charts();
      show(last ? count() : at);
    }
    byId("error").textContent = part.trouble || "";
  } catch (error) {
    byId("error").textContent = "the match does not answer: is the command still running?";
  }
  setTimeout(follow, WAIT);
}

extend(JSON.parse(byId("film").textContent));
byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
byId("rounds").addEventListener("change", (event) => show(Number(event.target.value)));
byId("events").addEventListener("change", (event) => event.target.value && show(Number(event.target.value)));
byId("first").addEventListener("click", () => show(0));
byId("back").addEventListener("click", () => show(at - 1));
byId("next").addEventListener("click", () => show(at + 1));
byId("last").addEventListener("click", () => show(count()));
byId("play").addEventListener("click", play);
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
});
for (const svg of document.querySelectorAll("#charts svg")) {
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    show(Math.round((count() * (event.clientX - box.left)) / box.width));
  });
}
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), Home: () => show(0), End: () => show(count()), " ": play };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
listMoves(0);
charts();
show(more === null ? 0 : count());
follow();
