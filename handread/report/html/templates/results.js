/* Your results in the hands of the list, by what they have in common. */

const FEW_HANDS = 20;
const signed = (x, places = 1) => `${x < 0 ? "-" : "+"}${Math.abs(x).toFixed(places)}`;

/* The 97.5% quantile of Student's t, as ``study.statistics.t_quantile``. */
const [QUANTILES, TERMS] = JSON.parse($("results")?.dataset.student ?? "[[],[]]");
const quantile = (freedom) => QUANTILES[freedom] ?? TERMS.reduce((sum, term, power) => sum + term / freedom ** power, 0);

/* The mean for a hundred hands, with its 95% interval, as the lines of the sessions have it. */
function perHundred(values) {
  const n = values.length;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  if (n < 5) return n ? signed(100 * mean) : "";
  const reach = quantile(n - 1) * Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1) / n);
  const [low, high] = [mean - reach, mean + reach].map((x) => signed(100 * x));
  return `${signed(100 * mean)} (${low} to ${high})`;
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
  $("results-body").replaceChildren(...groups.map(([name, hands]) => {
    const bets = hands.map((one) => Number(one.bets));
    const fair = hands.filter((one) => one.fair !== undefined).map((one) => Number(one.fair));
    const [cost, decisions] = ["cost", "decisions"].map((name) => hands.reduce((sum, one) => sum + Number(one[name] ?? 0), 0));
    const chosen = by === "month" ? { day: name } : { [by]: name };
    return el("tr", { class: hands.length < FEW_HANDS ? "few" : null },
      el("th", { scope: "row" }, el("button", { type: "button", class: "pick", on: () => set(chosen) }, name)),
      cell("hands", hands.length.toLocaleString("en")),
      cell("BB", signed(bets.reduce((a, b) => a + b, 0))),
      cell("BB per 100", perHundred(bets)),
      cell("without luck", perHundred(fair)),
      cell("decisions cost", decisions ? (100 * cost / decisions).toFixed(1) : ""));
  }));
  if (!groups.length) $("results-body").replaceChildren(el("tr", {}, el("td", { colspan: "6" }, "None of the hands has a result in a cash game.")));
}
/* The hands of the list as a table for other programs; a text that looks like a formula is none. */
function csvText() {
  const columns = ["number", "day", "table", "variant", "game", "room", "players", "start", "position", "front", "end", "in", "net", "unit", "bets", "fair", "cost"];
  const names = { variant: "game", game: "stake", in: "you", net: "result", bets: "big_bets", fair: "big_bets_without_luck", cost: "cost_of_decisions" };
  const quoted = (text) => `"${(/^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const lines = rows.filter(fits).sort(compared).map((row) => [row.title, ...columns.map((name) => row.tr.dataset[name] ?? "")]);
  return [["hand", ...columns.map((name) => names[name] ?? name)], ...lines].map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}
$("csv").addEventListener("click", () => saveFile("hands.csv", csvText(), "text/csv"));
$("results")?.addEventListener("toggle", drawResults);
$("by")?.addEventListener("change", () => { remember(); drawResults(); });
