/* Where a training begins and ends. */

const the = (id) => document.getElementById(id);
const asked = JSON.parse(the("asked").textContent);
const count = (n) => `${n} ${n === 1 ? "decision" : "decisions"}`;

function begin(waits) {
  sitting.write({ waits, answers: 0, right: 0 });
  goOn();
}
function show() {
  const due = asked.filter((one) => one.due <= Date.now());
  const later = asked.map((one) => one.due).filter((at) => at > Date.now());
  const { answers, right, waits } = sitting.read();
  the("sat").textContent = answers && !waits.length ? `Done: ${right} of ${answers} answers were right.` : "";
  const back = later.length ? `You have got ${count(later.length)} right; the next comes back on ${new Date(Math.min(...later)).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" })}.` : "";
  the("due").textContent = `${due.length ? `${count(due.length)} to look at.` : "Nothing is due now."} ${back}`.trim();
  the("begin").hidden = !due.length;
  the("anew").hidden = due.length === asked.length;
  the("begin").onclick = () => begin(due);
  the("anew").onclick = () => begin(asked);
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
if (asked.length) show();
/* Nothing to ask for yet: look again until there is. */
else if (the("progress").textContent) setTimeout(() => location.reload(), 2000);
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
