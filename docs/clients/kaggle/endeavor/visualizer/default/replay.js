/* The replay that Kaggle has, as the film of the page: from window.kaggle in a notebook, from messages on its site. */
const replay = { environment: {}, agents: [], begun: false, movesAt: [], obeying: false };

/* The first part of a film, made of the steps of all positions, whose lines are texts. */
function filmOf(steps) {
  const numbers = new Map();
  const numberOf = (line) => {
    if (!numbers.has(line)) numbers.set(line, numbers.size);
    return numbers.get(line);
  };
  const rows = steps.map(({ row }) => ({
    ...row,
    changes: row.changes.map(([place, removed, added]) => [place, removed, added.map(numberOf)]),
  }));
  return { ...steps[0], known: 0, rows, lines: [...numbers.keys()], over: steps[steps.length - 1].over, notes: {} };
}

/* How many of the moves were made at each step of the replay: its first step only begins, a refused move makes none. */
function countMoves(steps, last) {
  const applied = steps.map((agents) => agents.some((agent) => Number.isInteger(agent.info?.actionApplied)));
  const before = last - applied.filter(Boolean).length;
  let made = Math.max(0, before);
  return applied.map((one) => Math.min(last, one ? (made += 1) : made));
}

function nameOf(player) {
  const { info } = replay.environment;
  const agent = replay.agents.find((one) => (one.index ?? -1) === player) ?? info.Agents?.[player];
  return info.TeamNames?.[player] ?? agent?.name ?? agent?.Name ?? "";
}

/* Who plays, and how it ended: by the rules, or by an answer that was none. */
function titleOf(names, film) {
  const last = replay.environment.steps?.at(-1) ?? [];
  if (film.over) {
    const { scores } = film.rows[film.rows.length - 1];
    return `Endeavor: ${names.map((name, player) => `${name} (${scores[player]})`).join(", ")}`;
  }
  const failed = last.flatMap(({ status }, player) => (["TIMEOUT", "ERROR", "INVALID"].includes(status) ? [player] : []));
  const beaten = last.flatMap(({ reward, status }, player) => (status === "DONE" && reward === -1 ? [player] : []));
  const [blamed, why] = failed.length
    ? [failed, last[failed[0]].status === "TIMEOUT" ? "by a time-out" : "by an error"]
    : [beaten, "by an illegal move"];
  const ended = blamed.length ? `, ended ${why} of ${blamed.map((player) => names[player]).join(", ")}` : "";
  return `Endeavor: ${names.join(", ")}${ended}`;
}

function showReplay() {
  const states = replay.environment.info?.stateHistory ?? [];
  const steps = states.map((text) => JSON.parse(text).step).filter(Boolean);
  if (replay.begun || !steps.length) return;
  replay.begun = true;
  const film = filmOf(steps);
  film.names = film.names.map((name, player) => (nameOf(player) ? `${nameOf(player)} (${name})` : name));
  begin({ ...film, title: titleOf(film.names, film) });
  replay.movesAt = countMoves(replay.environment.steps ?? [], steps.length - 1);
}

/* Go where the site says. */
function obey({ step, playing }) {
  if (!replay.begun) return;
  replay.obeying = true;
  if (Number.isInteger(step) && step in replay.movesAt) show(replay.movesAt[step]);
  if (typeof playing === "boolean" && playing !== (timer !== null)) play();
  replay.obeying = false;
}

function take(told) {
  if (!told || typeof told !== "object") return;
  if (Array.isArray(told.agents)) replay.agents = told.agents;
  Object.assign(replay.environment, told.replay, told.environment);
  showReplay();
  obey(told);
}

function tell(message) {
  if (window.parent !== window) window.parent.postMessage(message, "*");
}

document.addEventListener("shown", () => {
  if (!replay.obeying && replay.movesAt.length) tell({ step: replay.movesAt.lastIndexOf(at) });
});
window.addEventListener("message", (event) => event.source === window.parent && take(event.data));
take({ ...window.kaggle, playing: null });
tell({ ready: true });
tell({ iframeCapabilities: { iframeHandlesUi: true, hasControls: true, hasReasoningLogs: false, managesPlayback: true } });
