/* The table, the line of play, and what a moment told. */

/* Rows and columns of the table by number of players, going round it clockwise. */
const ROUND = {
  2: ["2/1", "2/3"], 3: ["1/1", "1/3", "3/2"], 4: ["1/1", "1/3", "3/3", "3/1"],
  5: ["1/1", "1/2", "1/3", "3/3", "3/1"], 6: ["1/1", "1/2", "1/3", "3/3", "3/2", "3/1"],
  7: ["1/1", "1/2", "1/3", "2/3", "3/3", "3/1", "2/1"],
  8: ["1/1", "1/2", "1/3", "2/3", "3/3", "3/2", "3/1", "2/1"],
};

/* At the end it is known who won: nobody has a chance any more. */
const isWon = (here) => here.mark === "end" && here.places.some(({ put }) => put !== "");
function place(p, where) {
  const here = step();
  const folded = p.status === "folded";
  const turn = here.to_act === p.seat;
  const classes = ["place", `s${p.seat}`];
  if (folded) classes.push("out");
  if (p.seat === here.actor) classes.push("acted");
  if (p.seat === state.seat) classes.push("chosen");
  const chance = here.chances.find((c) => c.seat === p.seat);
  const put = folded ? "folded" : [p.put, p.status === "all-in" ? "all-in" : ""].filter(Boolean).join(", ");
  const made = el("button", { type: "button", class: classes.join(" "), "aria-pressed": String(p.seat === state.seat),
    "data-seat": p.seat, on: () => choose(p.seat) },
    el("span", { class: "who" },
      el("span", { class: `seat-name${turn ? " turn" : ""}`, title: inFull(p.seat), "data-colour": data.players[p.seat]?.[2] ?? "" }, called(p.seat), turn ? el("span", { class: "unseen" }, ", to act") : null),
      youChip(p.seat),
      el("span", { class: "stack" }, p.stack)),
    el("span", { class: "cards" }, ...(folded ? foldedCards(p.seat, here.street) : held(p.seat, here).map((text) => card(text, true))), ...p.up.map((c) => card(c))),
    folded ? null : headline(p.seat),
    before(p.seat),
    el("span", { class: "put" }, put, chance && here.chances.length > 1 && !isWon(here) ? el("span", { class: "observer soft" }, `${put ? " · " : ""}${chance.bets} ${data.to_win}`) : null));
  made.style.gridArea = where;
  return made;
}
/* What earlier hands say of a player, and what the reader has noted; a table below has all of it. */
function before(seat) {
  const words = (data.before[seat] ?? "").split(", ").slice(0, 2).join(", "), [, note = ""] = data.players[seat] ?? [];
  if (state.shares || (!words && !note)) return null; // not in a picture for others
  return el("span", { class: "hud" }, words ? el("span", { class: "before", title: data.before[seat] }, words) : null,
    note ? el("span", { title: note }, `✎ ${note.slice(0, 40)}${note.length > 40 ? " ..." : ""}`) : null);
}
/* The family that leads the read of a seat, and the one that rose most, beside the cards alone. */
function headline(seat) {
  if (!isOpen(seat)) return null;
  const lines = read(seat).lines.filter((line) => line.leads).map(({ name, share, cards, change }) =>
    el("span", { class: change }, el("span", { class: "family" }, `${opening(name)} `), el("b", {}, share),
      el("small", {}, share === cards ? "as by the cards alone" : `cards alone ${cards}`)));
  return el("span", { class: "headline observer" },
    seat in step().table_reads ? el("small", {}, "the table sees") : null, ...lines);
}
function table() {
  const here = step();
  const round = ROUND[here.places.length] || ROUND[8];
  const seats = here.places.map((p, i) => place(p, round[i % 8]));
  const pot = el("div", { class: "pot" }, el("span", { class: "soft" }, "pot"), el("b", {}, here.pot),
    here.shared ? el("span", { class: "cards shared" }, card(here.shared), el("span", { class: "soft" }, "shared by all")) : null,
    el("span", { class: "soft" }, titled(here)));
  pot.style.gridArea = "2/2";
  fill("seats", ...seats, pot);
}

function timeline() {
  const streets = new Map();
  steps.forEach((one, i) => {
    if (!streets.has(one.street)) streets.set(one.street, []);
    const made = el("button", {
      type: "button", class: [one.actor ? `s${one.actor}` : "deal", one.notable ? "notable" : ""].join(" ").trim(),
      title: one.title, "aria-label": one.title, "data-moment": i, on: () => go(i),
    }, el("span", { class: "m", "aria-hidden": "true" }, one.mark), one.actor ? el("sub", { "aria-hidden": "true" }, String(one.actor)) : null);
    streets.get(one.street).push(made);
  });
  fill("timeline", ...[...streets.values()].map((buttons) => el("li", { class: "street" }, ...buttons)));
}
function turningPoints() {
  if (!$("turns")) return;
  const found = [...steps.keys()].filter((i) => steps[i].notable);
  fill("turns", ...found.map((i) => {
    const one = steps[i];
    return el("li", {}, el("button", { type: "button", "data-moment": i, on: () => go(i) },
      el("span", { class: "soft" }, STREETS[one.street]),
      el("span", { class: one.actor ? `event s${one.actor}` : "event" }, opening(one.title), youChip(one.actor)),
      el("span", { class: "gist" }, one.gist)));
  }));
}
function keepInView(box, one) {
  if (one.offsetTop < box.scrollTop) box.scrollTop = one.offsetTop;
  else box.scrollTop = Math.max(box.scrollTop, one.offsetTop + one.offsetHeight - box.clientHeight);
}
function mark() {
  for (const button of document.querySelectorAll("#timeline button, #turns button")) {
    if (Number(button.dataset.moment) === state.at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  for (const chart of document.querySelectorAll(".chart")) {
    const x = Number(chart.dataset.first) + state.at * Number(chart.dataset.step);
    const cursor = chart.querySelector(".cursor");
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    chart.classList.add("on");
    const box = chart.querySelector(".scroll");
    box.scrollLeft = (x / chart.querySelector("svg").viewBox.baseVal.width) * box.scrollWidth - box.clientWidth / 2;
    for (const line of chart.querySelectorAll("[data-seat]"))
      line.classList.toggle("chosen", Number(line.dataset.seat) === state.seat);
  }
  const turn = document.querySelector("#turns [aria-current]");
  if (turn) keepInView($("turns"), turn);
  fill("where", `${state.at + 1} of ${steps.length}`);
  /* Not disabled: a button that has the focus would lose it. */
  for (const id of ["first", "back"]) $(id).setAttribute("aria-disabled", String(state.at === 0));
  for (const id of ["last", "forward"]) $(id).setAttribute("aria-disabled", String(state.at === steps.length - 1));
  for (const [id, way] of [["turn-back", -1], ["turn-on", 1]])
    if ($(id)) $(id).setAttribute("aria-disabled", String(turningPoint(way) === null));
}

/* What the moment told; it waits where its player is still to be guessed. */
function told() {
  const here = step();
  const waits = mayGuess(here.actor) && !isOpen(here.actor);
  fill("moment", opening(here.title), youChip(here.actor),
    el("span", { class: "soft" }, here.actor ? ` · ${STREETS[here.street]} street` : ""));
  fill("sentence", waits ? `What the program made of it waits for your guess at ${called(here.actor)}.` : here.sentence);
  fill("on-truth", here.on_truth);
  const rows = waits ? [] : bitsTold(here);
  fill("bits", ...rows);
  $("in-bits").hidden = !rows.length;
  const heard = `${here.title}. ${waits || !isOpen(state.seat) ? "" : here.sentence}`.trim();
  if ($("heard").textContent !== heard) fill("heard", heard);
}
const bitsTold = (here) => here.bits.map(([name, words, kind = ""]) =>
  el("div", { class: kind }, el("dt", {}, name), el("dd", {}, words)));

function chances() {
  const here = step(), made = isWon(here) ? [el("li", { class: "won" }, here.sentence)] : here.chances.map((chance) => {
    const drawn = bar(chance.bets, chance.cards);
    const values = [chance.bets, ranged(chance.range), el("small", {}, `cards ${chance.cards}`)];
    if (chance.truth) {
      const diamond = el("s", { class: "spoiler" });
      diamond.style.left = at(chance.truth);
      drawn.append(diamond);
      values.push(el("small", { class: "spoiler" }, `truth ${chance.truth}`));
    }
    return el("li", { class: `s${chance.seat}` }, seatName(chance.seat), drawn, el("span", { class: "value" }, ...values.filter(Boolean)));
  });
  fill("chances", ...made);
}
