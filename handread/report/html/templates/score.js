/* The score of the reader's guesses: kept in the browser, over this session and over time. */

const SCORE_KEY = "handread.guesses";
const SCORE_SCHEMA = "handread.guesses/1";
const MOST_GUESSES = 20000;
const LEAST_HANDS = 5;
const STUDENT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09];

/* A share of nothing counts as this, so that one miss does not make a mean infinite. */
const FLOOR = 1e-5;

/* The pages of one report lie in one folder: its guesses are a session. The folder is not told. */
const session = (() => {
  let hash = 2166136261;
  for (const character of location.pathname.replace(/[^/]*$/, ""))
    hash = Math.imul(hash ^ character.codePointAt(0), 16777619) >>> 0;
  return hash.toString(16);
})();

/* What a file or the browser holds is not to be trusted: whatever is no guess is left out. */
function soundGuess(one) {
  const text = (x) => typeof x === "string" && x.length > 0 && x.length < 100;
  const bits = (x) => Number.isFinite(x) && Math.abs(x) < 100;
  const flag = (x) => typeof x === "boolean";
  if (one === null || typeof one !== "object") return null;
  const { id, hand, session: where, at: when, you, program, right, programRight, cardsRight } = one;
  if (![id, hand, where, when].every(text) || ![you, program].every(bits)) return null;
  if (![right, programRight, cardsRight].every(flag)) return null;
  return { id, hand, session: where, at: when, you, program, right, programRight, cardsRight };
}
function soundGuesses(value) {
  if (!value || value.schema !== SCORE_SCHEMA || !Array.isArray(value.guesses)) return null;
  return value.guesses.slice(0, MOST_GUESSES).map(soundGuess).filter(Boolean);
}
/* The first guess at a read counts: of two with the same id the earlier one stays. */
function merged(some, more) {
  const found = new Map();
  for (const one of [...some, ...more])
    if (!found.has(one.id) || one.at < found.get(one.id).at) found.set(one.id, one);
  return [...found.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

const score = { guesses: [], kept: true };
function stored() {
  try {
    return soundGuesses(JSON.parse(localStorage.getItem(SCORE_KEY))) || [];
  } catch {
    return [];
  }
}
const asFile = () => JSON.stringify({ schema: SCORE_SCHEMA, guesses: score.guesses });
/* Another page may have kept more meanwhile. */
function keep(more) {
  const old = score.guesses.length;
  score.guesses = merged(merged(stored(), score.guesses), more).slice(-MOST_GUESSES);
  write();
  return score.guesses.length - old;
}
function write() {
  try {
    localStorage.setItem(SCORE_KEY, asFile());
    score.kept = true;
  } catch {
    score.kept = false;
  }
}

/* Means with an interval of 95%. Guesses at one hand are correlated: a hand counts once. */
function byHand(guesses) {
  const found = new Map();
  for (const one of guesses) found.set(one.hand, [...(found.get(one.hand) || []), one]);
  return [...found.values()];
}
function meanBits(guesses, key) {
  const hands = byHand(guesses);
  const mean = guesses.reduce((sum, one) => sum + one[key], 0) / guesses.length;
  const off = hands.map((some) => some.reduce((sum, one) => sum + one[key] - mean, 0));
  const n = hands.length;
  const error = Math.sqrt((off.reduce((sum, x) => sum + x * x, 0) * n) / Math.max(1, n - 1)) / guesses.length;
  const t = STUDENT[n - 2] ?? 1.96;
  const plus = (x) => bitsFigure(x);
  return plus(mean) + (n < LEAST_HANDS ? "" : ` (${plus(mean - t * error)} to ${plus(mean + t * error)})`);
}
/* Wilson's interval, with as many trials as there are hands. */
function hitRate(guesses, key) {
  const n = byHand(guesses).length;
  const p = guesses.filter((one) => one[key]).length / guesses.length;
  const z2 = 1.96 ** 2;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (1.96 * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  const words = (x) => `${Math.round(100 * x)}%`;
  return words(p) + (n < LEAST_HANDS ? "" : ` (${words(Math.max(0, middle - half))} to ${words(Math.min(1, middle + half))})`);
}
const counted = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

function scoreRows(name, guesses) {
  if (!guesses.length) return [];
  const row = (head, ...cells) => el("tr", {}, el("th", { scope: "row" }, head), ...cells.map((cell) => el("td", {}, cell)));
  return [
    el("tr", { class: "group" }, el("th", { scope: "rowgroup", colspan: "4" }, el("b", {}, name),
      ` · ${counted(guesses.length, "guess").replace(/guesss$/, "guesses")} in ${counted(byHand(guesses).length, "hand")}`)),
    row("first choice right", hitRate(guesses, "right"), hitRate(guesses, "programRight"), hitRate(guesses, "cardsRight")),
    row("bits per guess", meanBits(guesses, "you"), meanBits(guesses, "program"), "0"),
  ];
}
function scoreTable() {
  if (untold()) return [el("p", { class: "soft" }, "The scores follow when you have been told what you guessed at.")];
  const here = score.guesses.filter((one) => one.session === session);
  const head = ["", "you", "program", "cards alone"].map((name) => el("th", { scope: "col", class: "n" }, name || el("span", { class: "unseen" }, "score")));
  const rows = [...scoreRows("This session", here), ...scoreRows("All guesses", score.guesses)];
  const few = byHand(score.guesses).length < LEAST_HANDS;
  return [
    el("h3", {}, "Your score"),
    rows.length
      ? el("div", { class: "scroll" }, el("table", { class: "figures score" }, el("caption", { class: "unseen" }, "Your score beside the program's"), el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)))
      : el("p", { class: "soft" }, "No guess has been kept yet."),
    el("p", { class: "soft" }, (few ? `Intervals follow from ${LEAST_HANDS} hands on. ` : "The intervals hold 95%; a hand counts once in them. ") +
      (score.kept ? `Kept in this browser under the key ${SCORE_KEY}. The first guess at a read counts.`
        : "This browser keeps nothing for this page: export the score to keep it.")),
    scoreTools(),
  ];
}
function scoreTools() {
  const said = el("span", { id: "score-said", class: "soft", role: "status" }, score.said || "");
  const file = el("input", { type: "file", id: "score-file", accept: ".json,application/json", class: "unseen", tabindex: "-1", "aria-label": "file of guesses" });
  file.addEventListener("change", () => importScore(file.files[0]));
  const clear = el("button", { type: "button", id: "score-clear", on: clearScore }, score.asked ? "Really clear" : "Clear");
  return el("div", { class: "score-tools" },
    el("button", { type: "button", id: "score-export", on: exportScore }, "Export"),
    el("button", { type: "button", id: "score-load", on: () => file.click() }, "Import"), clear, file, said);
}
function tell(said, asked = false) {
  Object.assign(score, { said, asked });
  showScore();
}
function exportScore() {
  const link = el("a", { download: "handread-guesses.json", href: URL.createObjectURL(new Blob([asFile()], { type: "application/json" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  tell(`${score.guesses.length.toLocaleString("en")} written to handread-guesses.json.`);
}
async function importScore(file) {
  let found = null;
  try {
    found = file && soundGuesses(JSON.parse(await file.text()));
  } catch { /* not JSON: said below */ }
  if (found) tell(`${counted(keep(found), "new one")} in the file.`);
  else tell("That is no file of guesses.");
}
function clearScore() {
  if (!score.asked) return tell("This forgets every guess in this browser.", true);
  score.guesses = [];
  write();
  tell("");
}
function showScore() {
  const focused = document.activeElement.id;
  fill("score", ...scoreTable());
  if (focused.startsWith("score-")) $(focused)?.focus();
}
