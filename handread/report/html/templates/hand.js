/* The hand as it stands in the page, and how its words, cards and names are made. */

const data = JSON.parse(document.getElementById("report").textContent);
const RANKS = "AKQJT98765432";
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "deuce" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

const state = { at: 0, seat: null, revealed: false, guessing: false, chips: {}, judged: {}, seen: {} };
const $ = (id) => document.getElementById(id);

/* What stands packed, made plain */

const words = (text) => text.split(" ").filter(Boolean);

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
  const [seats, bets, cards, truth] = row.chances.map((i) => words(data.texts[i]));
  const [expected, one_in, surprise, told, onTruth, table, tableTruth] = row.action || [];
  const places = row.places.map((i) => data.places[i]);
  return {
    ...row,
    kind: data.texts[row.kind],
    places: places.map(([seat, up, status, put, stack]) => ({ seat, up: words(up), status, put, stack })),
    reads: Object.fromEntries(places.map(([seat], i) => [seat, row.reads[i]])),
    chances: seats.map((seat, i) => ({ seat: Number(seat), bets: bets[i], cards: cards[i], truth: truth ? truth[i] : null })),
    action: row.action && { expected, one_in, surprise, told, truth: onTruth, table, tableTruth },
  };
}
function unpackedTruth([cards, kind, family, sentence, share]) {
  return { cards: words(cards), kind: data.texts[kind], family: data.texts[family], sentence, share };
}
function unpackedRead(row) {
  return {
    ...row,
    kinds: row.kinds.map(([kind, chance]) => [data.texts[kind], chance]),
    holdings: row.holdings.map((one) => ({ cards: words(one).slice(0, -1), chance: words(one).at(-1) })),
    grid: numbers(row.grid, 169),
    live: numbers(data.lives[row.live], 169),
    as_likely: data.texts[row.as_likely],
    ends: words(data.texts[row.ends]),
    heights: numbers(row.heights, data.edges.length - 1),
    families: row.families === null ? [] : data.families[row.families].map(([name, guess, share]) => ({ name, guess, share })),
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
const fill = (id, ...children) => $(id).replaceChildren(...children);

/* A bar from 0 to as far as its words say. */
function bar(share) {
  const drawn = el("i");
  drawn.style.width = at(share);
  return el("span", { class: "bar", "aria-hidden": "true" }, drawn);
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
const knows = (seat) => data.known.includes(Number(seat));

function readNumber(seat) {
  const here = step();
  return seat in here.table_reads ? here.table_reads[seat] : here.reads[seat];
}
const read = (seat) => reads[readNumber(seat)];

function knownDowncards(seat) {
  const shown = state.revealed || knows(seat) || (state.guessing && state.seen[seat]);
  return shown ? words(data.downcards[seat] || "") : [];
}
const foldedCards = (seat) => knownDowncards(seat).map((text) => card(text, true));
function downcards(seat, street) {
  const held = street === 7 && step().shared === null ? 3 : 2;
  const known = knownDowncards(seat);
  return Array.from({ length: held }, (_, i) => card(known[i] || null, true));
}
