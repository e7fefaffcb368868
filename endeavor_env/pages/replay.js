"use strict";
const film = JSON.parse(document.getElementById("film").textContent);
const byId = (id) => document.getElementById(id);
const count = film.changes.length;
const pictures = [film.first];
for (const changes of film.changes) {
  const lines = pictures[pictures.length - 1].slice();
  for (const [place, removed, added] of changes) lines.splice(place, removed, ...added);
  pictures.push(lines);
}
let at = 0;
let timer = null;

function who(seat) {
  return film.names.includes(String(seat)) ? `seat ${seat}` : "player";
}

function show(number) {
  at = Math.max(0, Math.min(count, number));
  byId("board").innerHTML = pictures[at].map((line) => film.lines[line]).join("\n");
  byId("slider").value = at;
  const move = at > 0 ? film.moves[at - 1] : null;
  byId("now").textContent = move ? `${at} of ${count}: ${who(move.seat)} ${move.words}` : `${count} moves`;
  for (const item of document.querySelectorAll("#moves li.now")) item.classList.remove("now");
  const item = document.querySelector(`#moves li[data-at="${at}"]`);
  if (item) {
    item.classList.add("now");
    const list = byId("moves").parentElement;
    list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  for (const id of ["scores", "statuses"]) {
    const mark = byId(id).querySelector(".mark");
    mark.setAttribute("x1", xOf(at));
    mark.setAttribute("x2", xOf(at));
  }
  byId("legend").replaceChildren(...film.names.map((name, index) => {
    const entry = document.createElement("span");
    const points = film.statuses[at][index];
    entry.textContent = `${name}: ${film.scores[at][index]} Glory, icons ${points.join(" ")}`;
    entry.style.borderBottomColor = film.colours[index];
    return entry;
  }));
}

function xOf(number) {
  return count ? (600 * number) / count : 0;
}

function chart(id, rows) {
  const top = Math.max(1, ...rows.flat());
  const parts = film.names.map((_, index) => {
    const points = rows.map((row, number) => `${xOf(number).toFixed(1)},${(146 - (142 * row[index]) / top).toFixed(1)}`);
    const colour = film.colours[index] === "#ffffff" ? "#999999" : film.colours[index];
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="2" vector-effect="non-scaling-stroke"/>`;
  });
  for (const event of film.events) {
    if (event.kind === "open") {
      parts.push(`<line x1="${xOf(event.at)}" x2="${xOf(event.at)}" y1="0" y2="150" stroke="#888" stroke-dasharray="3 3" vector-effect="non-scaling-stroke"/>`);
    }
  }
  parts.push('<line class="mark" x1="0" x2="0" y1="0" y2="150" stroke="#e6007e" vector-effect="non-scaling-stroke"/>');
  const svg = byId(id);
  svg.innerHTML = parts.join("");
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    show(Math.round((count * (event.clientX - box.left)) / box.width));
  });
}

function listMoves() {
  const list = byId("moves");
  const rounds = byId("rounds");
  let round = null;
  film.moves.forEach((move, index) => {
    if (move.round !== round) {
      round = move.round;
      const head = document.createElement("li");
      head.className = "round";
      head.textContent = round ? `Round ${round}` : "Set-up";
      list.append(head);
      rounds.append(new Option(round || "set-up", index));
    }
    const item = document.createElement("li");
    item.dataset.at = index + 1;
    item.textContent = `${who(move.seat)} ${move.words}`;
    item.style.borderLeftColor = film.colours[film.names.indexOf(String(move.seat))] || film.colours[0];
    item.addEventListener("click", () => show(index + 1));
    list.append(item);
  });
  const events = byId("events");
  events.append(new Option("…", ""));
  for (const event of film.events) events.append(new Option(event.words, event.at));
}

function play() {
  if (timer === null && at < count) {
    timer = setInterval(() => (at < count ? show(at + 1) : play()), 500);
  } else {
    clearInterval(timer);
    timer = null;
  }
  byId("play").textContent = timer === null ? "play" : "stop";
}

byId("slider").max = count;
byId("slider").addEventListener("input", (event) => show(Number(event.target.value)));
byId("rounds").addEventListener("change", (event) => show(Number(event.target.value)));
byId("events").addEventListener("change", (event) => event.target.value && show(Number(event.target.value)));
byId("first").addEventListener("click", () => show(0));
byId("back").addEventListener("click", () => show(at - 1));
byId("next").addEventListener("click", () => show(at + 1));
byId("last").addEventListener("click", () => show(count));
byId("play").addEventListener("click", play);
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT") return;
  const keys = { ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1), Home: () => show(0), End: () => show(count), " ": play };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
listMoves();
chart("scores", film.scores);
chart("statuses", film.statuses.map((seats) => seats.map((icons) => icons.reduce((sum, one) => sum + one, 0))));
show(0);
