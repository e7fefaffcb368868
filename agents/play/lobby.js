"use strict";
/* The list of games, and the form for a new one. */
let offered = null;

function toLobby() {
  location.hash = "";
}

/* Show the list in the place of a game that is not there, or whose file is damaged. */
async function leaveGone() {
  history.replaceState(null, "", location.pathname + location.search);
  await lobby();
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
  nameGame(null);
  document.title = "Endeavor";
  if (!offered) offer(await ask("choices"));
  const { games } = await ask("games");
  byId("none").hidden = games.length > 0;
  byId("games").replaceChildren(...games.map(gameItem));
  arrange();
}

/* On a small screen games that have been begun stand before the form for a new one. */
function arrange() {
  const gamesFirst = NARROW.matches && byId("games").children.length > 0;
  const parts = (gamesFirst ? ["kept", "begin"] : ["begin", "kept"]).map((id) => byId(id).closest("section"));
  if (byId("lobby").firstElementChild !== parts[0]) byId("lobby").prepend(...parts);
  byId("to-new").hidden = !gamesFirst;
}

function gameItem(game) {
  const change = [
    element("button", { type: "button", textContent: "Rename", onclick: () => rename(game.name) }),
    element("button", { type: "button", textContent: "Delete", onclick: () => remove(game.name) }),
  ];
  for (const button of change) button.setAttribute("aria-label", `${button.textContent} ${game.name}`);
  const buttons = element("span", { className: "change" }, ...change);
  if (game.error) {
    const told = element("span", {}, element("b", { textContent: game.name }), element("small", { textContent: game.error }));
    return element("li", {}, told, element("span", { className: "change" }, change[1]));
  }
  const variant = offered.variants.find((one) => one.name === game.variant && (one.game || null) === (game.game || null));
  const link = element("a", { href: `#${game.name}`, textContent: `${variant ? variant.title : game.variant}: ${game.titles.join(", ")}` });
  const about = element("small", { textContent: `${game.date} · ${howFar(game)} · ${game.name}` });
  return element("li", {}, element("span", {}, link, about), buttons);
}

function howFar(game) {
  if (game.scores) return `over, ${game.scores.join(" to ")} ${unitOf(game)}`;
  const made = game.moves === 1 ? "1 move made" : `${game.moves} moves made`;
  if (game.turn === null || game.turn === undefined) return made;
  const alone = game.people.filter((one) => one).length === 1;
  return game.people[game.turn] && alone ? `${made}, your turn` : `${made}, ${game.titles[game.turn]} is to move`;
}

function rename(name) {
  const wished = prompt("Name of the game: lower-case letters, digits, - and _", name);
  if (wished === null) return;
  const to = wished.trim().toLowerCase().replace(/\s+/g, "-");
  if (to === name) return;
  attempt(async () => {
    await ask(`games/${encodeURIComponent(name)}/rename`, { to });
    await lobby();
    document.querySelector(`#games a[href="#${to}"]`).focus();
  });
}

function remove(name) {
  if (!confirm(`Delete the game ${name}? It cannot be brought back.`)) return;
  attempt(async () => {
    await ask(`games/${encodeURIComponent(name)}/delete`, { sure: true });
    await lobby();
    byId("kept").focus();
  });
}

function offer(answer) {
  offered = answer;
  byId("variants").replaceChildren(...offered.variants.map((variant, index) => {
    const radio = element("input", { type: "radio", name: "variant", value: keyOf(variant), checked: index === 0, onchange: offerVariant });
    return element("label", {}, radio, element("b", { textContent: variant.title }), element("small", { textContent: variant.about }));
  }));
  byId("tiles").replaceChildren(element("p", { textContent: "Exploits in play; three at random if none is chosen:" }), ...offered.exploits.map((tile) =>
    element("label", {}, element("input", { type: "checkbox", value: tile.name }), element("span", {}, element("b", { textContent: tile.title }),
      element("small", { textContent: `${tile.effect} (${tile.regions})` })))));
  offerVariant();
}

const keyOf = (variant) => (variant.game ? `${variant.game}:${variant.name}` : variant.name);

function chosenVariant() {
  const name = byId("new").elements.variant.value;
  return offered.variants.find((variant) => keyOf(variant) === name);
}

function offerVariant() {
  const variant = chosenVariant();
  const agents = variant.agents || offered.agents;
  byId("agents").replaceChildren(...agents.map(({ name }) => element("option", { value: name })));
  byId("players").replaceChildren(...agents.flatMap(({ name, about }) => [element("dt", { textContent: name }), element("dd", { textContent: about })]));
  byId("tiles").hidden = variant.name !== "exploits";
  byId("on").placeholder = variant.game ? variant.name : "endeavor_2009";
  linkHow();
  byId("options").replaceChildren(...variant.options.map((option) => {
    const select = element("select", {}, ...option.values.map((value) => element("option", { value: JSON.stringify(value.value), textContent: value.title })));
    select.dataset.option = option.name;
    return element("label", {}, select, element("span", {}, element("b", { textContent: option.title }), element("small", { textContent: option.meaning })));
  }));
  offerSeats(variant, Math.max(variant.least, Math.min(3, variant.most)));
}

function offerSeats(variant, count) {
  const sameGame = byId("places").dataset.game === String(variant.game);
  const before = sameGame ? [...byId("places").querySelectorAll("input")].map((input) => input.value) : [];
  byId("places").dataset.game = String(variant.game);
  const rows = Array.from({ length: count }, (_, seat) => {
    const input = element("input", { className: "place", value: before[seat] || (seat ? variant.rival || "greedy" : "human"), size: 30 });
    input.setAttribute("list", "agents");
    return element("label", {}, count > 1 ? `Seat ${seat}` : "Player", input);
  });
  if (variant.most > variant.least) {
    const select = element("select", { id: "count", onchange: () => offerSeats(variant, Number(byId("count").value)) });
    for (let number = variant.least; number <= variant.most; number += 1) select.append(new Option(`${number} seats`, number, false, number === count));
    rows.unshift(element("label", {}, select, 'each a person ("human") or an agent'));
  }
  byId("places").replaceChildren(...rows);
}

function begin() {
  const variant = chosenVariant();
  const body = { variant: variant.name, seats: [...document.querySelectorAll(".place")].map((input) => input.value.trim()) };
  if (variant.game) body.game = variant.game;
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
