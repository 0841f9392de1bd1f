/* What a player may hold: families, kinds, holdings, the grid, and what it may end with. */

const HEATS = 8;
/* From which factor on a cell is a step likelier or less likely than by the cards alone. */
const LIFTS = [1.25, 2, 4, 8];
/* Beyond it a cell is all but ruled out. */
const MOST_FACTOR = 50;

/* Where a single card is down, a row of the grid is a suit. */
const GRID_ROWS = data.single ? [..."♠♥♦♣"] : [...RANKS];
function cellName(i) {
  if (data.single) return { name: `${RANK_NAMES[RANKS[i % 13]]} of ${["spades", "hearts", "diamonds", "clubs"][Math.floor(i / 13)]}`, of: 1 };
  const [row, column] = [Math.floor(i / 13), i % 13];
  const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
  if (row === column) return { name: `pair of ${plural(high)}`, of: 6 };
  const kind = column > row ? "suited" : "offsuit";
  return { name: `${RANK_NAMES[high]} and ${RANK_NAMES[low]}, ${kind}`, of: kind === "suited" ? 4 : 12 };
}
const plural = (rank) => RANK_NAMES[rank] + (rank === "6" ? "es" : "s");
const shareWords = (parts) => data.shares.findLast(([from]) => from <= parts)[1];

function cellWords(i, one) {
  const { name, of } = cellName(i);
  const live = one.live[i];
  if (!live) return data.single ? `${name}: has been seen` : `${name}: dead, none of ${of} combinations is left`;
  const chance = one.grid[i] ? shareWords(one.grid[i]) : "less than 0.01%";
  const truth = state.revealed && i === trueCell(one) ? `; the true downcard${data.single ? "" : "s"}` : "";
  return `${name}: ${liftWords(one, i)}; ${chance}${data.single ? "" : `, ${live} of ${of} combinations live`}${truth}`;
}
/* How much likelier one combination of a cell is than by the cards alone, where all are equally likely. */
function lift(one, i) {
  const sum = (all) => all.reduce((a, b) => a + b, 0);
  one.mean ??= sum(one.grid) / sum(one.live);
  return one.grid[i] / one.live[i] / one.mean;
}
const times = (x) => (x < 9.95 ? x.toFixed(1) : String(Math.round(x)));
function liftWords(one, i) {
  const x = lift(one, i);
  if (x < 1 / MOST_FACTOR) return "all but ruled out by the bets";
  if (x > 1 / 1.05 && x < 1.05) return "as likely as by the cards alone";
  return x > 1 ? `${times(x)} times as likely as by the cards alone` : `${times(1 / x)} times less likely than by the cards alone`;
}
/* The step of the diverging scale, 0 to 8, and the figure in the cell. */
function liftStep(x) {
  const away = LIFTS.filter((from) => Math.max(x, 1 / x) >= from).length;
  return 4 + (x > 1 ? away : -away);
}
function liftFigure(x) {
  if (x < 1 / MOST_FACTOR) return "0";
  const factor = Math.round(Math.max(x, 1 / x));
  return factor < 2 ? "" : `${x > 1 ? "×" : "÷"}${factor}`;
}
function trueCell(one) {
  if (!one.truth || one.truth.cards.slice(0, 2).includes("??")) return -1;
  const [a, b] = one.truth.cards;
  if (data.single) return 13 * "shdc".indexOf(a[1]) + RANKS.indexOf(a[0]);
  const ranks = [RANKS.indexOf(a[0]), RANKS.indexOf(b[0])].sort((x, y) => x - y);
  return a[1] === b[1] ? 13 * ranks[0] + ranks[1] : 13 * ranks[1] + ranks[0];
}
function grid(one) {
  const most = Math.max(...one.grid, 1);
  const cell = (i) => {
    const live = one.live[i];
    const heat = state.lift ? `l${live ? liftStep(lift(one, i)) : 4}` : `h${Math.round(HEATS * Math.sqrt(one.grid[i] / most))}`;
    const kind = [live ? heat : "dead", !data.single && i % 14 === 0 ? "diagonal" : "", i === trueCell(one) ? "true" : ""];
    const share = one.grid[i] >= 50 ? String(Math.round(one.grid[i] / 100)) : "";
    const large = !live ? "" : state.lift ? liftFigure(lift(one, i)) : share;
    return el("td", { class: kind.filter(Boolean).join(" "), "data-cell": i, tabindex: i === state.cell ? "0" : "-1", "aria-label": cellWords(i, one) },
      large, live && !state.lift && !data.single ? el("small", {}, String(live)) : null);
  };
  const head = el("tr", {}, el("th", { scope: "col" }, el("span", { class: "unseen" }, "rank")), ...[...RANKS].map((rank) => el("th", { scope: "col" }, rank)));
  const body = GRID_ROWS.map((name, row) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...[...RANKS].map((_, column) => cell(13 * row + column))));
  fill("grid", el("caption", { class: "unseen" }, data.single ? "The downcard by suit and rank" : "First two downcards by rank: suited above the diagonal, offsuit below"),
    el("thead", {}, head), el("tbody", {}, ...body));
  fill("cell", "Point at a cell for its figures.");
  $("lift-key").hidden = !state.lift;
}
function pointAt(cell) {
  for (const other of $("grid").querySelectorAll(".at")) other.classList.remove("at");
  cell.classList.add("at");
  fill("cell", cellWords(Number(cell.dataset.cell), read(state.seat)));
}
/* One cell stands in the order of the Tab key: the one that had the focus last. */
function moveIn(cell, key) {
  const i = Number(cell.dataset.cell);
  const [row, column] = [Math.floor(i / 13), i % 13];
  const to = { ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], ArrowUp: [row - 1, column], ArrowDown: [row + 1, column],
    Home: [row, 0], End: [row, 12] }[key];
  if (!to) return false;
  if (to.every((x) => x >= 0 && x < 13) && to[0] < GRID_ROWS.length) {
    state.cell = 13 * to[0] + to[1];
    const next = $("grid").querySelector(`[data-cell="${state.cell}"]`);
    cell.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
  return true;
}

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
function htpd(one) {
  const most = Math.max(...reads.filter((r) => r.seat === one.seat).flatMap((r) => r.heights));
  const end = data.edges.at(-1);
  const path = one.heights.map((height, i) => {
    const y = (100 - (98 * height) / most).toFixed(1);
    return `L${data.edges[i]} ${y}L${data.edges[i + 1]} ${y}`;
  });
  const drawn = svg("svg", { viewBox: `0 0 ${end} 100`, preserveAspectRatio: "none", role: "img",
    "aria-label": "chance of every hand type, from the worst to the best; the figures by category follow" });
  drawn.append(svg("path", { d: `M0 100${path.join("")}L${end} 100Z` }));
  for (const start of data.starts.slice(1, -1)) drawn.append(svg("line", { x1: start, x2: start, y1: 0, y2: 100 }));
  fill("ends-title", "What ", seatName(one.seat), " may end with");
  fill("htpd", drawn, ...data.marks.map((name, i) => {
    const [low, high] = [data.starts[i], data.starts[i + 1]];
    const made = el("span", { "aria-hidden": "true" }, high - low > (end * name.length) / 36 ? name : "");
    made.style.left = `${(50 * (low + high)) / end}%`;
    return made;
  }));
  fill("categories", ...one.ends.map((share, i) => el("li", {}, el("span", { class: "mark-of", "aria-hidden": "true" }, data.marks[i]), ` ${data.categories[i]} `, el("b", {}, share))));
}
const CHANGES = { rise: ["▲", "up most"], fall: ["▼", "down most"], "": ["", ""] };
function families(one) {
  const row = ({ name, share, range, cards, change, leads }) => {
    const [sign, said] = CHANGES[change];
    return el("tr", { class: `${change} ${leads ? "leads" : ""}`.trim() },
      el("th", { scope: "row" }, name), el("td", {}, bar(share, cards)),
      el("td", { class: "n share" }, el("b", {}, share), ranged(range)), el("td", { class: "n soft" }, cards),
      el("td", { class: "change" }, el("span", { "aria-hidden": "true" }, sign), el("span", { class: "unseen" }, said)));
  };
  fill("families", ...one.lines.map(row));
  const leading = [...new Set(one.kinds.map(({ family }) => family))];
  fill("kinds", ...leading.flatMap((family) => [
    el("h3", {}, opening(family)),
    el("ul", { class: "shares" }, ...one.kinds.filter((kind) => kind.family === family).map(({ name, share, cards }) =>
      el("li", {}, el("span", {}, name), bar(share, cards), el("b", { class: "n" }, share), el("span", { class: "n soft" }, cards))))]));
}
function readPanel() {
  const [seat, here, one] = [state.seat, step(), read(state.seat)];
  const tables = seat in here.table_reads;
  const out = here.places.find((p) => p.seat === seat).status === "folded";
  const asked = !isOpen(seat);
  if (asked) fill("read-title", "What does ", seatName(seat), " hold?");
  else fill("read-title", "What ", seatName(seat), tables ? " has shown the table" : " probably holds");
  const notes = [];
  if (tables) notes.push("As those see it who do not know these downcards.");
  if (out) notes.push(`${opening(called(seat))} has folded: this is what was believed at the fold.`);
  fill("read-note", asked ? "" : notes.join(" "));
  families(one);
  $("likeliest").hidden = !one.holdings.length;
  fill("holdings", ...one.holdings.map(({ cards, chance }) =>
    el("li", {}, el("span", { class: "cards" }, ...cards.map((c) => card(c))), chance)));
  fill("as-likely", one.as_likely);
  fill("openness", one.openness);
  fill("entropy", `Entropy ${one.entropy} bits; ${one.combinations} combinations are not ruled out.`);
  const truth = one.truth;
  fill("truth-line", ...(truth ? ["True: ", el("span", { class: "cards" }, ...truth.cards.map((c) => card(c, true))),
    ` ${truth.kind}. ${truth.sentence}`]
    : ["The log does not tell this player's downcards."]));
  grid(one);
  htpd(one);
}
