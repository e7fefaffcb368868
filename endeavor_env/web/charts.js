"use strict";
/* Charts: a line for each mat over the moves, with axes, and below what the lines say at one of the moves. */
const DASHES = ["", "10 4", "3 3", "12 3 3 3", "6 2 2 2"];
const MARGIN = { left: 40, right: 24, top: 16, bottom: 30 };
const LETTER = 12; // height of the letters at the ends of the lines
const charts = [];

function drawn(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function lineLook(mat) {
  const look = { fill: "none", stroke: `var(--side-${film.sides[mat]})`, "stroke-width": 2 };
  return DASHES[mat % DASHES.length] ? { ...look, "stroke-dasharray": DASHES[mat % DASHES.length] } : look;
}

/* Make an empty chart in a figure of the page. "rows" returns the numbers of all mats by move, or null where nothing is
known; "told" the words for one of them. */
function makeChart(id, title, unit, rows, told) {
  const figure = byId(id);
  const [caption, plot, values] = [element("figcaption", ""), document.createElement("div"), document.createElement("ul")];
  plot.className = "plot";
  plot.tabIndex = 0;
  plot.setAttribute("role", "slider");
  plot.setAttribute("aria-valuemin", 0);
  values.className = "values";
  figure.replaceChildren(caption, plot, values);
  const chart = { figure, caption, plot, values, title, unit, rows, told, known: [], pointed: null };
  plot.addEventListener("pointermove", (event) => read(chart, moveUnder(chart, event)));
  plot.addEventListener("pointerleave", () => read(chart, null));
  plot.addEventListener("click", (event) => show(moveUnder(chart, event)));
  plot.addEventListener("keydown", (event) => step(event, { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }));
  charts.push(chart);
}

function moveUnder(chart, event) {
  const box = chart.plot.getBoundingClientRect();
  const share = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
  return Math.max(0, Math.min(count(), Math.round(share * count())));
}

/* Steps of 1, 2 or 5 and zeros that make at most so many parts. */
function stepOf(range, parts) {
  const power = 10 ** Math.floor(Math.log10(range / parts));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => range / one <= parts + 1e-9);
}

function ticks(low, high, step) {
  const found = [];
  for (let number = Math.ceil(low / step - 1e-9); number * step <= high + step / 1e6; number += 1) found.push(number * step);
  return found;
}

function drawCharts() {
  for (const chart of charts) drawChart(chart);
}

function drawChart(chart) {
  chart.known = chart.rows();
  const known = chart.known.filter((row) => row !== null).flat();
  chart.figure.hidden = known.length === 0;
  if (chart.figure.hidden) return;
  const { clientWidth: width, clientHeight: height } = chart.plot;
  chart.low = Math.min(0, ...known);
  chart.high = Math.max(1, ...known);
  chart.xOf = (number) => MARGIN.left + ((width - MARGIN.left - MARGIN.right) * number) / Math.max(1, count());
  chart.yOf = (value) =>
    height - MARGIN.bottom - ((height - MARGIN.top - MARGIN.bottom) * (value - chart.low)) / (chart.high - chart.low);
  const svg = drawn("svg", { "aria-hidden": "true" });
  svg.append(...axes(chart, width, height), ...lines(chart), ...letters(chart, width));
  chart.reading = drawn("g", { class: "reading" });
  svg.append(chart.reading);
  chart.plot.replaceChildren(svg);
  chart.plot.setAttribute("aria-label", `${chart.title} over the moves`);
  chart.plot.setAttribute("aria-valuemax", count());
  read(chart, chart.pointed);
}

function axes(chart, width, height) {
  const [left, right, bottom] = [MARGIN.left, width - MARGIN.right, height - MARGIN.bottom];
  const parts = [drawn("text", { x: 2, y: 10 }, chart.unit)];
  const step = stepOf(chart.high - chart.low, 4);
  for (const value of ticks(chart.low, chart.high, step)) {
    const y = chart.yOf(value);
    parts.push(drawn("line", { x1: left, x2: right, y1: y, y2: y, stroke: "var(--faint)" }));
    parts.push(drawn("text", { x: left - 6, y: y + 4, "text-anchor": "end", class: "y" }, Number(value.toPrecision(6))));
  }
  const apart = Math.max(1, stepOf(Math.max(1, count()), Math.max(2, Math.floor((right - left) / 70))));
  for (const number of ticks(0, count(), apart)) {
    const x = chart.xOf(number);
    parts.push(drawn("line", { x1: x, x2: x, y1: bottom, y2: bottom + 4, stroke: "var(--muted)" }));
    parts.push(drawn("text", { x, y: bottom + 15, "text-anchor": "middle", class: "x" }, number));
  }
  parts.push(drawn("text", { x: right, y: height - 3, "text-anchor": "end" }, "moves"));
  film.rows.forEach((row, number) => {
    if (!row.events.some((event) => event.kind === "open")) return;
    byId("dotted").hidden = false;
    const x = chart.xOf(number);
    parts.push(drawn("line", { x1: x, x2: x, y1: MARGIN.top, y2: bottom, stroke: "var(--muted)", "stroke-dasharray": "1 3" }));
  });
  const axis = `M${left} ${MARGIN.top}V${bottom}H${right}`;
  return [...parts, drawn("path", { d: axis, fill: "none", stroke: "var(--muted)", class: "axis" })];
}

/* Whether a row says anything of a mat: an agent may expect something of some seats only. */
function knows(row, mat) {
  return row !== null && row[mat] !== undefined;
}

function lines(chart) {
  return film.sides.map((_, mat) => {
    const points = chart.known.flatMap((row, number) =>
      (knows(row, mat) ? [`${chart.xOf(number).toFixed(1)},${chart.yOf(row[mat]).toFixed(1)}`] : []));
    return drawn("polyline", { ...lineLook(mat), points: points.join(" ") });
  });
}

/* The letters of the discs behind the ends of the lines, moved apart where lines end close together. */
function letters(chart, width) {
  const last = chart.known.findLast((row) => row !== null);
  const mats = film.sides.map((_, mat) => mat).filter((mat) => knows(last, mat));
  const ends = mats.map((mat) => ({ mat, y: chart.yOf(last[mat]) })).sort((one, other) => one.y - other.y);
  ends.forEach((end, place) => {
    if (place) end.y = Math.max(end.y, ends[place - 1].y + LETTER);
  });
  const over = Math.max(0, ends[ends.length - 1].y - chart.yOf(chart.low));
  return ends.map(({ mat, y }, place) => {
    const room = ends.length - 1 - place; // what still has to stand below
    const lowest = chart.yOf(chart.low) - LETTER * room;
    const at = { x: width - MARGIN.right + 6, y: (over ? Math.min(y, lowest) : y) + 4, "font-weight": 600 };
    return drawn("text", { ...at, class: "end" }, film.letters[mat]);
  });
}

/* Show what the lines say at a move: that under the pointer, else that of the position that is shown. */
function read(chart, pointed) {
  chart.pointed = pointed;
  if (chart.figure.hidden) return;
  const number = pointed ?? at;
  const row = chart.known[number];
  const told = film.names.map((_, mat) => (knows(row, mat) ? chart.told(row[mat], number, mat) : "–"));
  const x = chart.xOf(number);
  chart.reading.replaceChildren(
    drawn("line", { x1: x, x2: x, y1: MARGIN.top, y2: chart.yOf(chart.low), stroke: "var(--highlight)" }),
    ...film.sides.flatMap((side, mat) =>
      (knows(row, mat) ? [drawn("circle", { cx: x, cy: chart.yOf(row[mat]), r: 3.5, fill: `var(--side-${side})` })] : [])));
  chart.caption.textContent = `${chart.title} after ${number === 1 ? "1 move" : `${number} moves`}`;
  chart.values.replaceChildren(...told.map((words, mat) => {
    const item = element("li", "");
    const sample = drawn("svg", { "aria-hidden": "true" });
    sample.append(drawn("line", { ...lineLook(mat), x1: 0, x2: 30, y1: 4, y2: 4 }));
    item.append(sample, ` ${film.letters[mat]} `, `${film.names[mat]}: `, element("b", words));
    return item;
  }));
  if (pointed !== null) return; // the keyboard moves the position, and the pointer only looks
  chart.plot.setAttribute("aria-valuenow", number);
  const all = told.map((words, mat) => `${film.names[mat]} ${words}`).join(", ");
  chart.plot.setAttribute("aria-valuetext", `after ${number === 1 ? "1 move" : `${number} moves`}: ${all}`);
}

function readCharts() {
  for (const chart of charts) read(chart, chart.pointed);
}
