/* Reading it yourself: chips on what a player holds, beside the cards alone and the program. */

const CHIPS = 20;

/* Whether a guess at a seat can be held against something that the reader does not know. */
const mayGuess = (seat) => state.guessing && seat !== null && !knows(seat) && read(seat).truth !== null;
/* Whether the program's read of a seat may be seen. */
const isOpen = (seat) => !state.guessing || Boolean(state.seen[seat]) || readNumber(seat) in state.judged;
const guessable = () => step().chances.map(({ seat }) => seat).filter(mayGuess);

function bitsFigure(x) {
  const text = Math.abs(x).toFixed(2);
  return `${x < 0 && text !== "0.00" ? "-" : "+"}${text}`;
}
const bitsCell = (x) => (x === -Infinity ? "ruled out" : bitsFigure(x));
const bitsOver = (share, guess) => (share > 0 ? Math.log2(share / guess) : -Infinity);
/* As the program's shares are spelt: "<1%" for what rounds to nothing. */
const percent = (share) => (share > 0.005 ? `${Math.round(100 * share)}%` : "<1%");

function guessPanel() {
  const box = $("guessing");
  box.hidden = !state.guessing;
  $("score").hidden = !state.guessing;
  if (!state.guessing) return box.replaceChildren();
  const [number, one] = [readNumber(state.seat), read(state.seat)];
  if (!mayGuess(state.seat)) box.replaceChildren(el("p", {}, noGuess()));
  else if (number in state.judged) verdict(box, one, state.judged[number]);
  else if (state.seen[state.seat]) box.replaceChildren(el("p", {}, `You have seen what ${called(state.seat)} held: no guess to make.`));
  else form(box, number, one);
  showScore();
}
function noGuess() {
  const [who, others] = [called(state.seat), guessable().map(called)];
  const why = knows(state.seat) ? `You know the downcards of ${who}.` : `The log does not tell the downcards of ${who}.`;
  return others.length
    ? `${why} Guess at ${others.join(" or ")} instead.`
    : "At this moment the log tells nobody's downcards that you do not know.";
}
function form(box, number, one) {
  const chips = (state.chips[number] ||= one.families.map(() => 0));
  const placed = () => chips.reduce((a, b) => a + b, 0);
  const left = el("p", { "aria-live": "polite" });
  const tellLeft = () => left.replaceChildren(`${CHIPS - placed()} of ${CHIPS} chips left. Those that you keep, one at least, are spread as the upcards say.`);
  const made = one.families.map(({ name, share }, i) => {
    const count = el("output", { "aria-label": `chips on ${name}` }, String(chips[i]));
    const move = (by) => () => {
      if (chips[i] + by < 0 || placed() + by > CHIPS - 1) return;
      chips[i] += by;
      count.replaceChildren(String(chips[i]));
      tellLeft();
    };
    return el("div", { class: "row" }, el("span", {}, name), el("span", { class: "soft n" }, share),
      el("span", { class: "chips" }, el("button", { type: "button", "aria-label": `a chip less on ${name}`, on: move(-1) }, "−"),
        count, el("button", { type: "button", "aria-label": `a chip more on ${name}`, on: move(1) }, "+"),
        el("button", { type: "button", "aria-label": `all chips left on ${name}`, on: () => move(CHIPS - 1 - placed())() }, "all")));
  });
  tellLeft();
  box.replaceChildren(
    el("p", {}, "What do all the cards make by now? Put your chips on it: a chip is 5%. The percentages are what the upcards alone say."),
    el("div", { class: "guess-form" }, ...made), left,
    el("button", { type: "button", id: "judge", on: () => judge(number, one, chips) }, "Compare with the program"));
}
function judge(number, one, chips) {
  const free = CHIPS - chips.reduce((a, b) => a + b, 0);
  const shares = one.families.map(({ guess }, i) => (chips[i] + free * guess) / CHIPS);
  const i = one.families.findIndex(({ name }) => name === one.truth.family);
  const { guess } = one.families[i];
  state.judged[number] = { shares, mine: bitsOver(shares[i], guess), program: bitsOver(one.truth.share, guess) };
  const first = (all) => one.families[all.indexOf(Math.max(...all))].name === one.truth.family;
  keep([{
    id: `${data.hand}.${one.seat}.${number}`, hand: data.hand, session, at: new Date().toISOString(),
    you: bitsOver(shares[i], guess), program: bitsOver(Math.max(one.truth.share, FLOOR), guess),
    right: first(shares), programRight: one.lines[0].name === one.truth.family, cardsRight: first(one.families.map((family) => family.guess)),
  }]);
  show();
  $("guessing").focus();
}
/* Scores would say what it was: they wait until the reader has been told. */
const untold = () => Object.keys(state.judged).some((number) => !state.seen[reads[number].seat]);
function verdict(box, one, { shares, mine, program }) {
  const told = Boolean(state.seen[one.seat]);
  const ask = el("button", { type: "button", id: "tell", on: () => { state.seen[one.seat] = true; show(); $("guessing").focus(); } }, "Tell me what it was");
  const by = Object.fromEntries(one.lines.map(({ name, share }) => [name, share]));
  const row = ({ name, share }, i) => {
    const true_ = told && name === one.truth.family;
    return el("tr", { class: true_ ? "true" : "" },
      el("th", { scope: "row" }, name, true_ ? el("span", { class: "was" }, "✓ the truth") : null),
      ...[share, percent(shares[i]), by[name] ?? "<1%"].map((words) => el("td", {}, words)));
  };
  const head = ["family", "cards alone", "you", "program"].map((name, i) => el("th", { scope: "col", class: i ? "n" : "" }, name));
  box.replaceChildren(el("div", { class: "verdict" },
    el("table", { class: "figures compared" },
      el("caption", { class: "unseen" }, `What ${called(one.seat)} holds: the cards alone, you and the program`),
      el("thead", {}, el("tr", {}, ...head)),
      el("tbody", {}, ...one.families.map(row)),
      told ? el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "bits on the truth"), ...["0", bitsCell(mine), bitsCell(program)].map((words) => el("td", {}, words)))) : ""),
    told ? el("p", { class: "soft" }, "Bits: log2 of the share given to the truth against that of the cards alone. 0 is knowing nothing more, +1 is twice as good.") : ask));
}
