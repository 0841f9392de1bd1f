/* What a decision was worth, and what another action would have come to. */

const decided = new Map(data.worth.map((one) => [one.at, one]));
/* The option that the reader looks at, by moment. */
const looked = {};
let worthShown = "";

function worth() {
  const one = decided.get(state.at);
  const open = one && (one.open || state.revealed);
  const shown = `${one ? one.at : ""} ${Boolean(open)}`;
  $("worth").hidden = !one || state.guessing;
  if (!one || shown === worthShown) return;
  worthShown = shown;
  $("worth-body").hidden = !open;
  $("worth-open").hidden = Boolean(open);
  const drawn = document.querySelector(`.decided [data-moment="${state.at}"]`);
  $("worth-verdict").className = open ? drawn.querySelector(".judged").className : "";
  fill("worth-verdict", open ? drawn.querySelector("p").firstChild.data.trim()
    : "The values of this decision tell of the downcards, which are hidden.");
  fill("options", ...[...drawn.querySelectorAll(".option")].map((row, i) => option(one, row, i)));
  if (open) whatIf(one);
}
function option(one, row, i) {
  const chosen = looked[one.at] ?? one.taken;
  const button = el("input", { type: "radio", name: "what-if", checked: i === chosen });
  button.addEventListener("change", () => {
    looked[one.at] = i;
    fill("heard", whatIf(one));
  });
  const made = el("label", { class: row.className }, button, ...row.cloneNode(true).childNodes);
  // Who points goes on stepping with the arrow keys; who chooses with them stays among the options.
  made.addEventListener("click", (event) => { if (event.detail) setTimeout(() => button.blur()); });
  return made;
}
/* Show what an option would have come to; return it as a screen reader is to say it. */
function whatIf(one) {
  const [i, taken, who] = [looked[one.at] ?? one.taken, one.taken, called(step().actor)];
  const played = i === taken;
  const [option, chosen] = [one.options[i], one.options[taken]];
  const heard = played ? `${who}'s ${option.deed} gave away ${option.bits} bits.`
    : `A ${option.deed} by ${who} would have given away ${option.bits} bits; the ${chosen.deed} gave away ${chosen.bits}.`;
  const columns = played ? ["before", "as played"] : ["before", "as played", `by ${option.noun}`];
  const head = el("tr", {}, el("th", { scope: "col" }, "the table sees"), el("td"),
    ...columns.map((name) => el("th", { scope: "col", class: "n" }, name)));
  const row = ({ name, before, after }) => {
    const [now, tick] = [after[i], played ? before : after[taken]];
    const cells = played ? [before, after[i]] : [before, after[taken], after[i]];
    return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, bar(now, tick)),
      ...cells.map((share, j) => el("td", { class: j === cells.length - 1 ? "n now" : "n soft" }, share)));
  };
  fill("what-if", el("h3", {}, played ? "As played" : opening(`${option.noun} instead`)),
    option.against ? el("p", {}, option.against) : null,
    el("p", {}, heard),
    el("table", { class: "families" }, el("thead", {}, head), el("tbody", {}, ...one.families.map(row))));
  return `${option.against} ${heard}`.trim();
}

/* The script of a page without values is as it is: what it does at each moment, this does too. */
const toldAlone = told;
told = () => {
  toldAlone();
  worth();
};
if (decided.size) $("worth-open").addEventListener("click", (event) => {
  toggle("revealed");
  if (!event.detail) $("options").querySelector(":checked").focus();
});
