/* The page of a hand as a question: it stops before a decision until you have chosen. */

const [question] = decided.values();
const KEY_OF = { fold: "f", check: "c", call: "c", "bring-in": "c", bet: "r", raise: "r", completion: "r" };
const drawnOptions = [...document.querySelectorAll(".decided .option")];
const optionWords = drawnOptions.map((row) => row.querySelector(".act").firstChild.data.trim());
const best = drawnOptions.findIndex((row) => row.querySelector("em:not(.chosen)")?.textContent === "highest");
let answered = false;

/* How often its player wins would give the answer away. */
const shares = steps.map((one) => one.chances);
for (const one of steps) one.chances = one.chances.filter(({ seat }) => seat !== steps[question.at].actor);

/* Nobody steps beyond the question; what it asks about is not to be seen. */
const goAnywhere = go;
go = (moment) => goAnywhere(answered ? moment : Math.min(moment, question.at - 1));
const askedAnywhere = asked;
asked = () => askedAnywhere() ?? question.at - 1;

/* The place in the sitting: null on a page that was opened by itself. */
function placeIn({ waits, answers }) {
  const [first] = waits;
  const name = decodeURIComponent(location.pathname.split("/").at(-1));
  const here = first && first.page === name && Number(first.moment) === question.at;
  return here ? { ...first, n: answers + 1, of: answers + waits.length } : null;
}
const placed = placeIn(sitting.read());

function ask() {
  const who = steps[question.at].actor;
  // The question is that of its player, who knows these downcards.
  if (!knows(who)) data.known.push(who);
  const buttons = optionWords.map((words, i) =>
    el("button", { type: "button", "data-key": keyOf(i), on: () => answer(i) }, words, " ", el("kbd", {}, keyOf(i))));
  const bar = el("section", { class: "panel question", id: "question", "aria-labelledby": "question-title" },
    el("div", { class: "heading" },
      el("h2", { id: "question-title", tabindex: "-1" }, who === data.you ? "What do you do?" : `What does ${called(who)} do?`),
      el("span", { class: "soft" }, placed ? `${placed.n} of ${placed.of} · ` : "", el("a", { href: "train" }, "Stop"))),
    el("div", { class: "choices", id: "choices" }, ...buttons),
    el("div", { id: "answer", "aria-live": "polite" }));
  $("stepper").before(bar);
  document.body.classList.add("asking");
}
const keyOf = (i) => KEY_OF[question.options[i].deed] ?? String(i + 1);

function answer(i) {
  if (answered) return;
  answered = true;
  steps.forEach((one, i) => { one.chances = shares[i]; });
  const right = i === best;
  document.body.classList.remove("asking");
  $("choices").hidden = true;
  const rows = drawnOptions.map((row, n) => {
    const made = row.cloneNode(true);
    if (n === i) made.querySelector(".act").append(" ", el("em", { class: "chosen" }, "you now"));
    return made;
  });
  const later = remember(right).then((words) => fill("later", words));
  const sentence = document.querySelector(".decided p").firstChild.data.trim();
  fill("question-title", "What each action was worth");
  fill("answer",
    el("p", { class: "sentence" }, el("b", { class: right ? "good" : "bad" }, right ? "✓ The best. " : `✗ ${optionWords[best]} was best. `), sentence),
    el("ol", { class: "options" }, ...rows),
    el("p", { class: "onward" },
      el("button", { type: "button", id: "onward", on: () => later.then(goOn) }, placed ? "Next" : "To the training", " ", el("kbd", {}, "Enter")),
      el("a", { href: `${location.pathname.split("/").at(-1)}#${question.at + 1}` }, "The whole hand"),
      el("span", { class: "soft", id: "later", role: "status" })));
  go(question.at);
  $("onward").focus({ preventScroll: true });
}
/* Keep the answer, and say when the decision comes back. */
async function remember(right) {
  if (!placed) return "";
  const { waits, answers, right: before } = sitting.read();
  const { id, page, moment } = placed;
  const left = waits.slice(1);
  if (!right) left.push({ id, page, moment });
  sitting.write({ waits: left, answers: answers + 1, right: before + right });
  return learn(id, right);
}
/* Before the keys of the page: there r shows the downcards. */
document.addEventListener("keydown", (event) => {
  if (answered || event.ctrlKey || event.metaKey || event.altKey) return;
  const i = question.options.findIndex((_, n) => keyOf(n) === event.key);
  if (i >= 0) answer(i);
  if (i >= 0 || event.key === "r" || event.key === "g") {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
});
document.body.classList.add("training");
ask();
