/* Reading it yourself: chips on what a player holds, held against the truth with the observer. */

const CHIPS = 20;

/* Whether a guess at a seat can be held against something that the reader does not know. */
const mayGuess = (seat) => state.guessing && seat !== null && !knows(seat) && read(seat).truth !== null;
/* Whether the observer's read of a seat may be seen. */
const isOpen = (seat) => !state.guessing || Boolean(state.seen[seat]) || readNumber(seat) in state.judged;
const guessable = () => step().chances.map(({ seat }) => seat).filter(mayGuess);

function bitsWords(x) {
  if (x === -Infinity) return "ruled out";
  const text = Math.abs(x).toFixed(2);
  return `${x < 0 && text !== "0.00" ? "-" : "+"}${text} bits`;
}
const score = (share, guess) => (share > 0 ? Math.log2(share / guess) : -Infinity);

function guessPanel() {
  const box = $("guessing");
  box.hidden = !state.guessing;
  if (!state.guessing) return box.replaceChildren();
  const [number, one] = [readNumber(state.seat), read(state.seat)];
  if (!mayGuess(state.seat)) box.replaceChildren(el("p", {}, noGuess()));
  else if (number in state.judged) verdict(box, one, state.judged[number]);
  else if (state.seen[state.seat]) box.replaceChildren(el("p", {}, `You have seen what ${called(state.seat)} held: no guess to make.`));
  else form(box, number, one);
}
function noGuess() {
  const others = guessable().map(called);
  return others.length
    ? `There is nothing to hold a guess about ${called(state.seat)} against. The log tells the downcards of ${others.join(", ")}: choose one of them.`
    : "At this moment the log tells nobody's downcards that you do not know.";
}
function form(box, number, one) {
  const chips = (state.chips[number] ||= one.families.map(() => 0));
  const placed = () => chips.reduce((a, b) => a + b, 0);
  const left = el("p", { "aria-live": "polite" });
  const tell = () => left.replaceChildren(`${CHIPS - placed()} of ${CHIPS} chips are left: they go with the cards alone. One of them always stays.`);
  const made = one.families.map(({ name, share }, i) => {
    const count = el("output", { "aria-label": `chips on ${name}` }, String(chips[i]));
    const move = (by) => () => {
      if (chips[i] + by < 0 || placed() + by > CHIPS - 1) return;
      chips[i] += by;
      count.replaceChildren(String(chips[i]));
      tell();
    };
    return el("div", { class: "row" }, el("span", {}, name), el("span", { class: "soft n" }, share),
      el("span", { class: "chips" }, el("button", { type: "button", "aria-label": `a chip less on ${name}`, on: move(-1) }, "−"),
        count, el("button", { type: "button", "aria-label": `a chip more on ${name}`, on: move(1) }, "+")));
  });
  tell();
  box.replaceChildren(
    el("p", {}, "What is it now, with the upcards? Put your chips on it; a chip is 5%. The percentages are those of the upcards alone."),
    el("div", { class: "guess-form" }, ...made), left,
    el("button", { type: "button", id: "judge", on: () => judge(number, one, chips) }, "Compare with the observer"));
}
function judge(number, one, chips) {
  const i = one.families.findIndex(({ name }) => name === one.truth.family);
  const { guess } = one.families[i];
  const free = CHIPS - chips.reduce((a, b) => a + b, 0);
  const mine = (chips[i] + free * guess) / CHIPS;
  state.judged[number] = { mine: score(mine, guess), observer: score(one.truth.share, guess) };
  show();
  $("guessing").focus();
}
/* The scores do not say what it was: the next street is to be guessed, too. */
function verdict(box, one, { mine, observer }) {
  const all = Object.values(state.judged);
  const total = (key) => bitsWords(all.reduce((sum, judged) => sum + judged[key], 0));
  const who = called(one.seat);
  const ask = el("button", { type: "button", id: "tell", on: () => { state.seen[one.seat] = true; show(); $("guessing").focus(); } }, "Tell me what it was");
  box.replaceChildren(el("div", { class: "verdict" },
    el("p", {}, el("b", {}, `You ${bitsWords(mine)}, the observer ${bitsWords(observer)}`),
      ` on what ${who} held${state.seen[one.seat] ? `: ${one.truth.family}` : ""}.`),
    el("p", { class: "soft" }, "log2 of the chance given to it against that of the upcards alone: 0 is knowing nothing more, +1 is twice as good. " +
      (all.length > 1 ? `All ${all.length} guesses: you ${total("mine")}, the observer ${total("observer")}.` : "")),
    state.seen[one.seat] ? null : ask));
}
