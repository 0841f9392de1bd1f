/* Where practice begins and ends. */

const the = (id) => document.getElementById(id);
const asked = JSON.parse(the("asked").textContent);
const count = (n) => `${n} ${n === 1 ? "question" : "questions"}`;
const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value ?? "all";
const NAME = "handread.practice";
const CHOICES = ["kind", "whose", "level"];

/* What is asked of all there is. */
function fitting() {
  const [kind, whose, level] = CHOICES.map(chosen);
  return asked.filter((one) => (kind === "all" || (kind === "holds") === one.seat > 0)
    && (whose === "all" || (whose === "yours") === one.yours)
    && (["all", "adapts"].includes(level) || Number(level) === one.level));
}
function begin(all) {
  // An answer shows what others may hold: the hand is not asked about it once more.
  const waits = all.filter((one, i) => !all.slice(0, i).some(({ hand, seat }) => hand === one.hand && (seat || one.seat)));
  const adapts = chosen("level") === "adapts";
  the("begin").disabled = the("anew").disabled = true;
  the("due").textContent = "The first answer is being checked.";
  sitting.write({ waits, answers: 0, right: 0, level: adapts ? 0 : null });
  goOn();
}
function show() {
  const all = fitting();
  const due = all.filter((one) => one.due <= Date.now()).sort((a, b) => a.due - b.due);
  const later = all.map((one) => one.due).filter((at) => at > Date.now());
  const { answers, right, waits } = sitting.read();
  the("sat").textContent = answers && !waits.length ? `Done: ${right} of ${answers} answers were right.` : "";
  const back = later.length ? `You have got ${count(later.length)} right; the next comes back on ${new Date(Math.min(...later)).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" })}.` : "";
  the("due").textContent = `${due.length ? `${count(due.length)} to answer.` : all.length ? "Nothing is due now." : "There is no such question."} ${back}`.trim();
  the("begin").hidden = !due.length;
  the("anew").hidden = due.length === all.length;
  the("begin").onclick = () => begin(due);
  the("anew").onclick = () => begin(all);
  try { localStorage.setItem(NAME, JSON.stringify(CHOICES.map(chosen))); } catch { /* not kept */ }
}
/* The choices of the last time. */
function recall() {
  let kept = [];
  try { kept = Object.values(parsed(localStorage.getItem(NAME))); } catch { /* nothing is kept */ }
  for (const input of document.querySelectorAll("#choose input")) {
    if (kept[CHOICES.indexOf(input.name)] === input.value) input.checked = true;
    input.addEventListener("change", show);
  }
}
/* Earlier windows kept it in the browser, for each port. */
async function moveLearned() {
  const NAME = "handread.training";
  try {
    const kept = localStorage.getItem(NAME);
    if (kept === null || !(await fetch("training", { method: "POST", body: kept })).ok) return;
    localStorage.removeItem(NAME);
    location.reload();
  } catch { /* the browser keeps nothing, or the program has ended */ }
}
moveLearned();
if (asked.length) {
  recall();
  show();
}
/* Nothing to ask for yet: look again until there is. */
else if (the("progress").textContent) setTimeout(() => location.reload(), 2000);
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
