/* The hand as it stands in the page, and how its words, cards and names are made. */

const data = JSON.parse(document.getElementById("report").textContent);
const RANKS = "AKQJT98765432";
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "deuce" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

const STREETS = { 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", 6: "6th", 7: "7th" };

const state = { at: 0, seat: null, revealed: false, guessing: false, lift: true, chips: {}, judged: {}, seen: {} };
const $ = (id) => document.getElementById(id);

/* What stands packed, made plain */

const words = (text) => text.split(" ").filter(Boolean);
/* "52% (40 to 59)" is a figure with its range. */
const point = (text) => text.replace(/ \(.*/, "");
function ranged(text) {
  const within = text.slice(point(text).length);
  return within ? el("small", { class: "range" }, within) : null;
}
const figures = (text) => text.split("|").filter(Boolean);

function numbers(text, length) {
  const found = [];
  const base = data.digits.length / 2;
  let [value, run] = [0, false];
  for (const character of text) {
    if (character === data.run) { run = true; continue; }
    const digit = data.digits.indexOf(character);
    value = value * base + (digit % base);
    if (digit >= base) continue;
    if (run) found.push(...Array(value).fill(0));
    else found.push(value);
    [value, run] = [0, false];
  }
  return [...found, ...Array(length - found.length).fill(0)];
}
function rows(columns) {
  const names = Object.keys(columns);
  return (columns[names[0]] || []).map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
}
function unpackedStep(row) {
  const [seats, bets, cards, truth] = row.chances.map((i) => figures(data.texts[i]));
  const [expected, one_in, surprise, told, onTruth, table, tableTruth] = row.action || [];
  const places = row.places.map((i) => data.places[i]);
  return {
    ...row,
    kind: data.texts[row.kind],
    on_truth: withNumbers(words(row.on_truth)),
    places: places.map(([seat, up, status, put, stack]) => ({ seat, up: words(up), status, put, stack })),
    reads: Object.fromEntries(places.map(([seat], i) => [seat, row.reads[i]])),
    chances: seats.map((seat, i) => ({ seat: Number(seat), bets: bets[i], cards: cards[i], truth: truth ? truth[i] : null })),
    action: row.action && { expected, one_in, surprise, told, truth: onTruth, table, tableTruth },
  };
}
function unpackedTruth([cards, kind, family, sentence, share]) {
  return { cards: words(cards), kind: data.texts[kind], family: data.names[family], sentence: withNumbers(words(sentence)), share };
}
const withNumbers = ([text, ...found]) => data.texts[text].replace(/#/g, () => found.shift());
const fields = (text) => figures(text).map((line) => line.split(":"));
function unpackedLine([name, share, cards, marks]) {
  const change = marks.includes("r") ? "rise" : marks.includes("f") ? "fall" : "";
  return { name: data.names[name], share, cards, change, leads: marks.includes("h") };
}
function unpackedRead(row) {
  return {
    ...row,
    lines: fields(row.lines).map(unpackedLine),
    kinds: fields(row.kinds).map(([kind, share, cards, family]) => ({ name: data.names[kind], share, cards, family: data.names[family] })),
    openness: withNumbers(words(row.openness)),
    holdings: row.holdings.map((one) => ({ cards: words(one).slice(0, -1), chance: words(one).at(-1) })),
    grid: numbers(row.grid, data.single ? 52 : 169),
    live: numbers(data.lives[row.live], data.single ? 52 : 169),
    as_likely: data.texts[row.as_likely],
    ends: figures(data.texts[row.ends]),
    heights: numbers(row.heights, data.edges.length - 1),
    families: row.families === null ? [] : data.families[row.families].map(([name, guess, share]) => ({ name: data.names[name], guess, share })),
    truth: row.truth && unpackedTruth(row.truth),
  };
}
const steps = rows(data.steps).map(unpackedStep);
const reads = rows(data.reads).map(unpackedRead);

/* Building elements; text is always text */

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") made.className = value;
    else if (name === "on") made.addEventListener("click", value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}
const fill = (id, ...children) => $(id).replaceChildren(...children.filter((child) => child !== null));

/* A bar from 0 to as far as its words say, and a tick where the cards alone are. */
function bar(share, cards = null) {
  const drawn = el("i");
  drawn.style.width = at(share);
  const made = el("span", { class: "bar", "aria-hidden": "true" }, drawn);
  if (cards !== null) {
    const tick = el("u");
    tick.style.left = at(cards);
    made.append(tick);
  }
  return made;
}
/* "<1%" and "never" are nothing that could be drawn. */
const at = (share) => `${Number.parseFloat(share) || 0}%`;

/* Cards and names */

function cardName(text) {
  return text === "??" ? "a card not seen" : `${RANK_NAMES[text[0]]} of ${SUIT_NAMES[text[1]]}`;
}
function card(text, down = false) {
  if (text === null || text === "??")
    return el("span", { class: "card back", role: "img", "aria-label": text ? "a card not seen" : "a downcard" });
  const kind = ["card", down ? "down" : "", "dh".includes(text[1]) ? "red" : ""];
  return el("span", { class: kind.filter(Boolean).join(" "), role: "img", "aria-label": cardName(text) + (down ? ", down" : "") },
    text[0], el("span", { class: "suit" }, SUITS[text[1]]));
}
const step = () => steps[state.at];
const called = (seat) => data.spoken[seat];
const opening = (text) => text[0].toUpperCase() + text.slice(1);
const seatName = (seat) => el("span", { class: `seat-name s${seat}`, title: called(seat) }, called(seat));
function youChip(seat) {
  if (data.you === null || Number(seat) !== data.you) return null;
  const made = document.createDocumentFragment();
  made.append(" ", el("span", { class: "you" }, "you"));
  return made;
}
const knows = (seat) => data.known.includes(Number(seat));

function readNumber(seat) {
  const here = step();
  return seat in here.table_reads ? here.table_reads[seat] : here.reads[seat];
}
const read = (seat) => reads[readNumber(seat)];

function knownDowncards(seat, street) {
  const shown = state.revealed || knows(seat) || (state.guessing && state.seen[seat]);
  // Three cards of which any may have come last are told on 7th street alone.
  const loose = street === 7 ? data.loose[seat] : "";
  return shown ? words(data.downcards[seat] || loose || "") : [];
}
const foldedCards = (seat, street) => knownDowncards(seat, street).map((text) => card(text, true));
function downcards(seat, street) {
  const held = data.single ? 1 : street === 7 && step().shared === null ? 3 : 2;
  const known = knownDowncards(seat, street);
  return Array.from({ length: held }, (_, i) => card(known[i] || null, true));
}
