/* The page of a hand as a question: what answers it is fetched once you have chosen. */

const LETTERS = { fold: "f", check: "k", call: "c", "bring-in": "c", bet: "b", raise: "r", completion: "r" };
const letterOf = (i) => LETTERS[data.options[i][1]] ?? String(i + 1);
/* As in the form for a hand, b and r are the same. */
const typed = (key) => data.options.findIndex((_, i) => letterOf(i) === key || (letterOf(i) === "b" && key === "r") || (letterOf(i) === "r" && key === "b"));
const holds = !data.options.length;
const address = new URLSearchParams(location.search);
const placed = placeIn(sitting.read());
let answered = false;

/* The place in the sitting: null on a page that was opened by itself. */
function placeIn({ waits, answers }) {
  const [first] = waits;
  const here = first && PLACE.every((name) => String(first[name]) === address.get(name));
  return here ? { ...first, n: answers + 1, of: Math.min(SITTING, answers + waits.length) } : null;
}
function ask() {
  const who = called(data.asks);
  fill("question-title", holds ? `What does ${who} hold?` : data.asks === data.you ? "What do you do?" : `What does ${who} do?`);
  document.title = `${$("question-title").textContent} · handread`;
  fill("placed", placed ? `${placed.n} of ${placed.of} · ${LEVELS[placed.level]} · ` : "", el("a", { href: "train" }, "Stop"));
  if (holds) {
    state.guessing = true;
    $("choices").replaceWith($("guessing"));
  } else fill("choices", ...data.options.map(([words], i) =>
    el("button", { type: "button", "data-key": letterOf(i), "aria-keyshortcuts": letterOf(i), on: () => answer(i) }, words, " ", el("kbd", {}, letterOf(i)))));
  document.querySelectorAll("#stepper > .side")[1].prepend($("question"));
  document.body.classList.add("training", "asking");
}

/* What the page may show from now on; null if it cannot be had. */
async function reveal() {
  if (answered) return null;
  answered = true;
  let found = null;
  try {
    const got = await fetch(`train?${address}&answer=1`);
    if (got.ok) found = await got.json();
  } catch { /* the program has ended */ }
  if (!found) {
    answered = false;
    fill("answer", el("p", { class: "bad" }, "The program does not answer: nothing is kept."));
    return null;
  }
  const { steps: moments, reads: fresh, known, ...rest } = found.data;
  steps.splice(0, steps.length, ...moments);
  reads.splice(0, reads.length, ...fresh);
  Object.assign(data, rest);
  for (const one of reads) one.live = data.lives[one.live];
  document.body.classList.remove("asking");
  timeline();
  return found;
}
async function answer(i) {
  const found = await reveal();
  if (!found) return;
  const made = document.adoptNode(new DOMParser().parseFromString(found.html, "text/html").body);
  made.querySelectorAll(".act")[i].append(" ", el("em", { class: "chosen" }, "you now"));
  $("choices").hidden = true;
  const right = i === found.best;
  const sentences = [...made.querySelectorAll(".sentence")], sentence = sentences[i];
  for (const one of sentences) one.remove();
  sentence.hidden = false;
  sentence.prepend(el("b", { class: right ? "good" : "bad" }, right ? "✓ " : "✗ "));
  close(right, found, sentence, ...made.childNodes);
}
/* The guess is judged as on the page of a hand; the program keeps the score. */
const judgeHere = judge;
let guess = null;
keep = ([one]) => { guess = one; };
judge = async (number, _, chips) => {
  const found = await reveal();
  if (!found) return;
  state.seen[data.asks] = true;
  judgeHere(number, reads[number], chips);
  const [table, { mine, program }] = [$("guessing").firstElementChild, state.judged[number]];
  state.guessing = false;
  data.known.push(data.asks);
  close(guess.right, found, el("p", { class: "sentence" }, el("b", { class: guess.right ? "good" : "bad" }, guess.right ? "✓ " : "✗ "),
    `The truth: ${reads[number].truth.kind}. Bits for you: ${bitsCell(mine)}; for the program: ${bitsCell(program)}.`), table);
};
function close(right, { page }, ...told) {
  const later = remember(right).then((words) => fill("later", words));
  fill("answer", ...told,
    el("p", { class: "onward" },
      el("button", { type: "button", id: "onward", on: () => later.then(goOn) }, placed ? "Next" : "To the practice page", " ", el("kbd", {}, "Enter")),
      el("a", { href: `${page}#${data.steps.length}` }, "The whole hand"),
      el("span", { class: "soft", id: "later", role: "status" })));
  go(steps.length - 1);
  $("onward").focus({ preventScroll: true });
}
/* Keep the answer, and say when the question comes back. */
async function remember(right) {
  const { waits, answers, right: before, level } = sitting.read();
  const { hand, moment, seat } = Object.fromEntries([...address].map(([name, value]) => [name, Number(value)]));
  if (placed) {
    const left = waits.slice(1);
    // What somebody holds is no longer asked once it was told.
    if (!right && !holds) left.push(waits[0]);
    sitting.write({ waits: left, answers: answers + 1, right: before + right, level: level === null ? null : Math.min(2, Math.max(0, level + (right ? 1 : -1))) });
  }
  return learn({ hand, moment, seat, right });
}

/* Who guesses does so at the last moment, at whom is asked for. */
noGuess = () => (step() === steps.at(-1) ? `The question is what ${called(data.asks)} holds.` : "Go to the last moment to answer.");
const goAnywhere = go;
go = (moment) => {
  goAnywhere(moment);
  if (holds) choose(data.asks);
};
const askedAnywhere = asked;
asked = () => askedAnywhere() ?? steps.length - 1;
document.addEventListener("keydown", (event) => {
  if (answered || $("keys").open || event.ctrlKey || event.metaKey || event.altKey) return;
  const i = typed(event.key);
  if (i >= 0) {
    event.preventDefault();
    answer(i);
  }
});
ask();
