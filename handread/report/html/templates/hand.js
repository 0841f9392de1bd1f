/* The hand as it stands in the page, and how its words, cards and names are made. */

const RANKS = "AKQJT98765432";
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "deuce" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

const STREETS = { 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", 6: "6th", 7: "7th" };

const state = { at: 0, seat: null, revealed: false, guessing: false, hides: false, lift: true, chips: {}, judged: {}, seen: {} };
const $ = (id) => document.getElementById(id);

const { steps, reads } = data;
for (const one of reads) one.live = data.lives[one.live];

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
const ranged = (range) => (range ? el("small", { class: "range" }, ` ${range}`) : null);
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
const called = (seat) => (state.hides ? `seat ${seat}` : data.spoken[seat]);
const inFull = (seat) => (state.hides || !data.names[seat] ? called(seat) : `${seat} ${data.names[seat]}`);
const titled = (one) => (one.actor ? `${called(one.actor)}${one.title.slice(data.spoken[one.actor].length)}` : one.title);
const opening = (text) => text[0].toUpperCase() + text.slice(1);
const seatName = (seat) => el("span", { class: `seat-name s${seat}`, title: inFull(seat) }, called(seat));
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
  const loose = street === 7 ? data.loose[seat] : null;
  return shown ? data.downcards[seat] || loose || [] : [];
}
const foldedCards = (seat, street) => knownDowncards(seat, street).map((text) => card(text, true));
/* The downcards of a seat at a moment; null is one that is not shown. */
function held(seat, here) {
  const known = knownDowncards(seat, here.street);
  const n = data.single ? 1 : here.street === 7 && here.shared === null ? 3 : 2;
  return Array.from({ length: n }, (_, i) => known[i] || null);
}
