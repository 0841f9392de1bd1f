/* Your results in the hands of the list, by what they have in common. */

const FEW_HANDS = 20;
/* A number as the tables have it: rounded to what sums can hold, and halves to the even digit. */
function fixed(x, places = 1) {
  const exact = Math.abs(Number(x.toFixed(9))), lower = Math.floor(exact * 10 ** places);
  const isHalf = (exact * 2 ** (places + 1)) % 2 === 1;
  return (isHalf && lower % 2 === 0 ? lower / 10 ** places : exact).toFixed(places);
}
const spelt = (x) => signed(x).replace("+", "");
const signed = (x, places = 1) => `${x < 0 && Number(fixed(x, places)) ? "-" : "+"}${fixed(x, places)}`;

/* The 97.5% quantile of Student's t, as ``study.statistics.t_quantile``. */
const [QUANTILES, TERMS] = JSON.parse($("results")?.dataset.student ?? "[[],[]]");
const quantile = (freedom) => QUANTILES[freedom] ?? TERMS.reduce((sum, term, power) => sum + term / freedom ** power, 0);

/* The mean for a hundred hands, with its 95% interval, as the lines of the sessions have it. */
function perHundred(values, words = signed) {
  const n = values.length;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  if (n < 5) return n ? words(100 * mean) : "";
  const reach = quantile(n - 1) * Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1) / n);
  const [low, high] = [mean - reach, mean + reach].map((x) => words(100 * x));
  return `${words(100 * mean)} (${low} to ${high})`;
}
function grouped(by) {
  const groups = new Map();
  for (const row of rows) {
    const name = facet(row.tr.dataset, by);
    if (!name || row.tr.dataset.bets === undefined || !fits(row)) continue;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(row.tr.dataset);
  }
  return [...groups];
}
function drawResults() {
  if (!$("results")?.open) return;
  const by = $("by").value, timely = ["month", "day"].includes(by);
  const groups = grouped(by).sort((a, b) => timely || by === "players" ? spelled.compare(a[0], b[0]) : by === "weekday" ? DAYS.indexOf(a[0]) - DAYS.indexOf(b[0]) : b[1].length - a[1].length || spelled.compare(a[0], b[0]));
  const cell = (head, text) => el("td", { class: "n", "data-head": head }, text);
  const said = (words) => [el("tr", {}, el("td", { colspan: "6" }, words))];
  if (arriving) return fill($("results-body"), ...said("Loading ..."));
  const lines = groups.map(([name, hands]) => {
    const bets = hands.map((one) => Number(one.bets));
    /* The hands in which you lost most are valued first: the others are waited for. */
    const valued = hands.some((one) => one.pending !== undefined) ? [] : hands;
    const fair = valued.filter((one) => one.fair !== undefined).map((one) => Number(one.fair));
    const costs = valued.filter((one) => one.cost !== undefined).map((one) => Number(one.cost));
    return el("tr", { class: hands.length < FEW_HANDS ? "few" : null },
      el("th", { scope: "row" }, el("button", { type: "button", class: "pick" }, name)),
      cell("hands", hands.length.toLocaleString("en")),
      cell("BB", signed(bets.reduce((a, b) => a + b, 0))),
      cell("BB per 100", perHundred(bets)),
      cell("without luck", valued.length ? perHundred(fair) : "not yet"),
      cell("decisions cost", perHundred(costs, spelt)));
  });
  /* A line keeps its button as long as it is there. */
  const before = new Map([...$("results-body").rows].map((tr) => [tr.querySelector(".pick")?.textContent, tr]));
  arrange($("results-body"), (lines.length ? lines : said("None of the hands has a result in a cash game.")).map((tr) => {
    const old = before.get(tr.querySelector(".pick")?.textContent);
    if (old === undefined) return tr;
    old.className = tr.className;
    for (const [i, td] of [...tr.cells].entries()) if (!td.isEqualNode(old.cells[i])) old.cells[i].replaceWith(td);
    return old;
  }));
}
/* The hands of the list as a table for other programs; a text that looks like a formula is none. */
function csvText() {
  const columns = ["number", "day", "log", "table", "variant", "game", "room", "players", "family", "start", "kicker", "position", "front", "end", "in", "pot", "net", "unit", "bets", "fair", "cost"];
  const names = { variant: "game", game: "stake", in: "you", net: "result", bets: "big_bets", fair: "big_bets_without_luck", cost: "cost_of_decisions" };
  const quoted = (text) => `"${(/^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const lines = rows.filter(fits).sort(compared).map((row) => [row.title, row.date, ...columns.map((name) => row.tr.dataset[name] ?? "")]);
  return [["hand", "date", ...columns.map((name) => names[name] ?? name)], ...lines].map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}
$("csv").addEventListener("click", () => saveFile("hands.csv", csvText(), "text/csv"));
$("results")?.addEventListener("toggle", drawResults);
$("results-body")?.addEventListener("click", (event) => {
  const name = event.target.closest(".pick")?.textContent, by = $("by").value;
  if (name !== undefined) set({ [by === "month" ? "day" : by]: name }, true);
});
$("by")?.addEventListener("change", () => { remember(); drawResults(); });
