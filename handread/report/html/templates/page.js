"use strict";
(() => {
  const data = JSON.parse(document.getElementById("report").textContent);
  const stepper = document.getElementById("stepper");
  if (!stepper || !data.steps.length) return;

  const RANKS = "AKQJT98765432";
  const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "deuce" };
  const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
  /* Rows and columns of the table by number of players, going round it clockwise. */
  const ROUND = {
    2: ["2/1", "2/3"], 3: ["1/1", "1/3", "3/2"], 4: ["1/1", "1/3", "3/3", "3/1"],
    5: ["1/1", "1/2", "1/3", "3/3", "3/1"], 6: ["1/1", "1/2", "1/3", "3/3", "3/2", "3/1"],
    7: ["1/1", "1/2", "1/3", "2/3", "3/3", "3/1", "2/1"],
    8: ["1/1", "1/2", "1/3", "2/3", "3/3", "3/2", "3/1", "2/1"],
  };
  const CHIPS = 20;

  const state = { at: 0, seat: null, revealed: false, guessing: false, chips: {}, judged: {} };
  const $ = (id) => document.getElementById(id);

  /* Builds an element; text is always text. */
  function el(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "class") made.className = value;
      else if (name === "on") made.addEventListener("click", value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null) made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null));
    return made;
  }
  const fill = (id, ...children) => $(id).replaceChildren(...children);
  const percent = (p) => `${(100 * Math.min(1, Math.max(0, p))).toFixed(2)}%`;
  const step = () => data.steps[state.at];
  const label = (seat) => data.labels[seat];
  const called = (seat) => (label(seat) === String(seat) ? `Seat ${seat}` : label(seat));
  const seatName = (seat) => el("span", { class: `seat-name s${seat}` }, label(seat));
  const knows = (seat) => data.known.includes(Number(seat));

  function cardName(text) {
    return text === "??" ? "a card not seen" : `${RANK_NAMES[text[0]]} of ${SUIT_NAMES[text[1]]}`;
  }
  function card(text, down = false) {
    const kind = `card${down ? " down" : ""}`;
    if (text === null || text === "??")
      return el("span", { class: "card back", role: "img", "aria-label": text ? "a card not seen" : "a downcard" });
    const red = "dh".includes(text[1]) ? " red" : "";
    return el("span", { class: kind + red, role: "img", "aria-label": cardName(text) + (down ? ", down" : "") },
      text[0], el("span", { class: "suit" }, SUITS[text[1]]));
  }
  function downcards(seat, street) {
    const held = street === 7 && step().shared === null ? 3 : 2;
    const shown = state.revealed || knows(seat) || guessed(seat);
    const known = shown ? data.downcards[seat] || [] : [];
    return Array.from({ length: held }, (_, i) => card(known[i] || null, true));
  }
  /* Whether the reader has had a read of this seat judged at this very moment. */
  const guessed = (seat) => state.guessing && state.judged[readNumber(seat)] !== undefined;

  function readNumber(seat) {
    const here = step();
    return seat in here.table_reads ? here.table_reads[seat] : here.reads[seat];
  }
  const read = (seat) => data.reads[readNumber(seat)];

  /* The table */

  function place(p, where) {
    const here = step();
    const folded = p.state === "folded";
    const classes = ["place", `s${p.seat}`];
    if (folded) classes.push("out");
    if (p.seat === here.actor) classes.push("acted");
    if (p.seat === state.seat) classes.push("chosen");
    const chance = here.chances.find((c) => c.seat === p.seat);
    const words = folded ? "folded" : [p.put, p.state === "all-in" ? "all-in" : ""].filter(Boolean).join(", ");
    const turn = here.to_act === p.seat ? " turn" : "";
    const made = el("button", { type: "button", class: classes.join(" "), "aria-pressed": String(p.seat === state.seat),
      "data-seat": p.seat, on: () => choose(p.seat) },
      el("span", { class: "who" }, el("span", { class: `seat-name${turn}` }, label(p.seat)), el("span", { class: "stack" }, p.stack)),
      el("span", { class: "cards" }, ...(folded ? [] : downcards(p.seat, here.street)), ...p.up.map((c) => card(c))),
      el("span", { class: "put" }, words, chance ? el("span", { class: "observer soft" }, ` ${words ? "· " : ""}wins ${chance.bets[1]}`) : null));
    made.style.gridArea = where;
    return made;
  }
  function table() {
    const here = step();
    const round = ROUND[here.places.length] || ROUND[8];
    const seats = here.places.map((p, i) => place(p, round[i % 8]));
    const pot = el("div", { class: "pot" }, el("span", { class: "soft" }, "pot"), el("b", {}, here.pot),
      here.shared ? el("span", { class: "cards", title: "a card for all" }, card(here.shared)) : null,
      el("span", { class: "soft" }, here.title));
    pot.style.gridArea = "2/2";
    fill("seats", ...seats, pot);
  }

  /* The line of play */

  function timeline() {
    const streets = new Map();
    data.steps.forEach((one, i) => {
      if (!streets.has(one.street)) streets.set(one.street, []);
      const letter = one.kind === "deal" || one.kind === "end";
      const made = el("button", {
        type: "button", class: [one.actor ? `s${one.actor}` : "deal", one.notable ? "notable" : ""].join(" "),
        title: one.title, "aria-label": one.title, "data-moment": i, on: () => go(i),
      }, el("span", { class: "m", "aria-hidden": "true" }, one.mark), !letter && one.actor ? el("sub", { "aria-hidden": "true" }, String(one.actor)) : null);
      streets.get(one.street).push(made);
    });
    fill("timeline", ...[...streets.values()].map((buttons) => el("li", { class: "street" }, ...buttons)));
  }
  function mark() {
    for (const button of $("timeline").querySelectorAll("button")) {
      if (Number(button.dataset.moment) === state.at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    for (const chart of document.querySelectorAll(".chart")) {
      const x = Number(chart.dataset.first) + state.at * Number(chart.dataset.step);
      const cursor = chart.querySelector(".cursor");
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
      chart.classList.add("on");
      for (const line of chart.querySelectorAll("[data-seat]"))
        line.classList.toggle("chosen", Number(line.dataset.seat) === state.seat);
    }
    fill("where", `${state.at + 1} of ${data.steps.length}`);
    $("first").disabled = $("back").disabled = state.at === 0;
    $("last").disabled = $("forward").disabled = state.at === data.steps.length - 1;
  }

  /* What the moment told */

  function told() {
    const here = step();
    fill("moment", here.title, el("span", { class: "soft" }, here.stage ? ` · ${here.stage}` : ""));
    fill("sentence", here.sentence);
    fill("on-truth", here.on_truth);
    const rows = [];
    const row = (name, value, kind = "") => rows.push(el("div", { class: kind }, el("dt", {}, name), el("dd", {}, value)));
    if (here.action) {
      const action = here.action;
      row("expected", `${action.expected} · ${action.one_in}`);
      row("surprise", action.surprise === null ? "beyond the model" : `${action.surprise} bits`);
      row("bet news", `${action.told} bits`);
      row("card news", "0.00 bits");
      if (action.truth !== null) row("on the true downcards", `${action.truth} bits`, "spoiler");
      if (knows(here.actor)) row("told the table", `${action.table} bits`);
      if (knows(here.actor) && action.table_truth !== null) row("on your downcards", `${action.table_truth} bits`);
    }
    for (const [seat, bits] of Object.entries(here.news)) row(`card news, ${label(seat)}`, `${bits} bits`);
    fill("bits", ...rows);
  }

  function chances() {
    const rows = step().chances.map((chance) => {
      const bar = el("div", { class: "bar", role: "presentation" });
      const drawn = el("i");
      drawn.style.width = percent(chance.bets[0]);
      const tick = el("u");
      tick.style.left = percent(chance.cards[0]);
      bar.append(drawn, tick);
      const small = el("small", {}, `cards ${chance.cards[1]}`);
      const values = [chance.bets[1], small];
      if (chance.truth) {
        const diamond = el("s", { class: "spoiler" });
        diamond.style.left = percent(chance.truth[0]);
        bar.append(diamond);
        values.push(el("small", { class: "spoiler" }, `truth ${chance.truth[1]}`));
      }
      return el("li", { class: `s${chance.seat}` }, seatName(chance.seat), bar, el("span", { class: "value" }, ...values));
    });
    fill("chances", ...rows);
  }

  /* What a player may hold */

  function share(name, value, words) {
    const bar = el("span", { class: "bar" });
    const drawn = el("i");
    drawn.style.width = percent(value);
    bar.append(drawn);
    return el("li", {}, el("span", {}, name), bar, el("b", { class: "n" }, words));
  }
  function cellName(i) {
    const [row, column] = [Math.floor(i / 13), i % 13];
    const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
    if (row === column) return { name: `pair of ${plural(high)}`, of: 6 };
    const kind = column > row ? "suited" : "offsuit";
    return { name: `${RANK_NAMES[high]} and ${RANK_NAMES[low]}, ${kind}`, of: kind === "suited" ? 4 : 12 };
  }
  const plural = (rank) => RANK_NAMES[rank] + (rank === "6" ? "es" : "s");
  function cellWords(i, one) {
    const { name, of } = cellName(i);
    const live = data.lives[one.live][i];
    const chance = one.grid[i] ? data.shares[one.grid[i]] : live ? "less than 0.01%" : "dead";
    return live ? `${name}: ${chance}, ${live} of ${of} combinations live` : `${name}: dead, none of ${of} combinations is left`;
  }
  function trueCell(one) {
    if (!one.truth) return -1;
    const [a, b] = one.truth.cards.slice(0, 2);
    const ranks = [RANKS.indexOf(a[0]), RANKS.indexOf(b[0])].sort((x, y) => x - y);
    return a[1] === b[1] ? 13 * ranks[0] + ranks[1] : 13 * ranks[1] + ranks[0];
  }
  function grid(one) {
    const most = Math.max(...one.grid, 1);
    const top = 8;
    const head = el("tr", {}, el("td", { "aria-hidden": "true" }), ...[...RANKS].map((r) => el("th", { scope: "col" }, r)));
    const rows = [...RANKS].map((rank, row) =>
      el("tr", {}, el("th", { scope: "row" }, rank), ...[...RANKS].map((_, column) => {
        const i = 13 * row + column;
        const live = data.lives[one.live][i];
        const heat = Math.round(top * Math.sqrt(one.grid[i] / most));
        const kind = [live ? `h${heat}` : "dead", row === column ? "diagonal" : "", i === trueCell(one) ? "true" : ""];
        const large = one.grid[i] >= 50 ? String(Math.round(one.grid[i] / 100)) : "";
        return el("td", { class: kind.join(" "), "data-cell": i, tabindex: i === 0 ? "0" : "-1", "aria-label": cellWords(i, one) },
          large, live ? el("small", { "aria-hidden": "true" }, String(live)) : null);
      })));
    fill("grid", el("caption", { class: "skip" }, "first two downcards by rank"), head, ...rows);
    fill("cell", "Point at a cell for its figures.");
  }
  function pointAt(cell) {
    const one = read(state.seat);
    for (const other of $("grid").querySelectorAll(".at")) other.classList.remove("at");
    cell.classList.add("at");
    fill("cell", cellWords(Number(cell.dataset.cell), one));
  }
  const SVG = "http://www.w3.org/2000/svg";
  function svg(tag, attributes) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }
  function htpd(one) {
    const [edges, most] = [data.edges, Math.max(...data.reads.filter((r) => r.seat === one.seat).flatMap((r) => r.heights))];
    const end = edges[edges.length - 1];
    let path = `M0 100`;
    one.heights.forEach((height, i) => {
      const y = (100 - (98 * height) / most).toFixed(1);
      path += `L${edges[i]} ${y}L${edges[i + 1]} ${y}`;
    });
    const drawn = svg("svg", { viewBox: `0 0 ${end} 100`, preserveAspectRatio: "none", role: "img",
      "aria-label": "chance of every hand type, from the worst to the best; the figures by category follow" });
    drawn.append(svg("path", { d: `${path}L${end} 100Z` }));
    for (const start of data.starts.slice(1, -1)) drawn.append(svg("line", { x1: start, x2: start, y1: 0, y2: 100 }));
    fill("ends-title", "What ", seatName(one.seat), " may end with");
    fill("htpd", drawn);
    fill("categories", ...one.categories.map(([, words], i) =>
      el("li", {}, `${data.categories[i]} `, el("b", {}, words))));
  }
  function readPanel() {
    const [seat, here, one] = [state.seat, step(), read(state.seat)];
    const tables = seat in here.table_reads;
    const out = here.places.find((p) => p.seat === seat).state === "folded";
    const asked = state.guessing && !guessed(seat);
    if (asked) fill("read-title", "What does ", seatName(seat), " hold?");
    else fill("read-title", "What ", seatName(seat), tables ? " has shown the table" : " probably holds");
    const notes = [];
    if (tables) notes.push("As those see it who do not know these downcards.");
    if (out) notes.push(`${called(seat)} has folded: this is what was believed at the fold.`);
    fill("read-note", asked ? "" : notes.join(" "));
    fill("kinds", ...one.kinds.map(([name, value, words]) => share(name, value, words)));
    fill("holdings", ...one.holdings.map(([cards, , words]) =>
      el("li", {}, el("span", { class: "cards" }, ...cards.split(" ").map((c) => card(c))), words)));
    fill("entropy", `Entropy ${one.entropy} bits; ${one.combinations} combinations are not ruled out.`);
    const truth = one.truth;
    fill("truth-line", ...(truth ? ["True: ", el("span", { class: "cards" }, ...truth.cards.map((c) => card(c, true))),
      ` ${truth.kind}. The read gives these downcards ${truth.chance}, ${truth.score} bits on a blind guess, place ${truth.place}.`]
      : ["The log does not tell this player's downcards."]));
    grid(one);
    htpd(one);
  }

  /* Reading it yourself */

  function score(mine, guess) {
    return mine > 0 ? Math.log2(mine / guess) : -Infinity;
  }
  const bits = (x) => (x === -Infinity ? "ruled out" : `${x < 0 ? "-" : "+"}${Math.abs(x).toFixed(2)} bits`);
  function guessable() {
    return Object.keys(step().reads).map(Number).filter((seat) => read(seat).truth && !knows(seat));
  }
  function guessPanel() {
    const box = $("guessing");
    box.hidden = !state.guessing;
    if (!state.guessing) return;
    const [number, one] = [readNumber(state.seat), read(state.seat)];
    if (!one.truth || knows(state.seat)) {
      const others = guessable().map(called);
      box.replaceChildren(el("p", {}, others.length
        ? `There is nothing to hold a guess about ${called(state.seat)} against. The log tells the downcards of ${others.join(", ")}: choose one of them.`
        : "At this moment the log tells nobody's downcards that you do not know."));
      return;
    }
    if (number in state.judged) return verdict(box, one, state.judged[number]);
    const chips = (state.chips[number] ||= one.families.map(() => 0));
    const placed = () => chips.reduce((a, b) => a + b, 0);
    const left = el("p", { "aria-live": "polite" });
    const tell = () => left.replaceChildren(`${CHIPS - placed()} of ${CHIPS} chips are left: they go with the cards alone. One of them always stays.`);
    const rows = one.families.map(([name, , , words], i) => {
      const count = el("output", {}, String(chips[i]));
      const move = (by) => () => {
        if (chips[i] + by < 0 || placed() + by > CHIPS - 1) return;
        chips[i] += by;
        count.replaceChildren(String(chips[i]));
        tell();
      };
      return el("div", { class: "row" }, el("span", {}, name), el("span", { class: "soft n" }, words),
        el("span", { class: "chips" }, el("button", { type: "button", "aria-label": `a chip less on ${name}`, on: move(-1) }, "−"),
          count, el("button", { type: "button", "aria-label": `a chip more on ${name}`, on: move(1) }, "+")));
    });
    tell();
    box.replaceChildren(
      el("p", {}, "What is it now, with the upcards? Put your chips on it; a chip is 5%. The percentages are those of the upcards alone."),
      el("div", { class: "guess-form" }, ...rows), left,
      el("button", { type: "button", id: "judge", on: () => judge(number, one, chips) }, "Compare with the observer"));
  }
  function judge(number, one, chips) {
    const i = one.families.findIndex(([name]) => name === one.truth.family);
    const [, observer, guess] = one.families[i];
    const free = CHIPS - chips.reduce((a, b) => a + b, 0);
    const mine = (chips[i] + free * guess) / CHIPS;
    state.judged[number] = { mine: score(mine, guess), observer: score(observer, guess) };
    show();
    $("guessing").focus();
  }
  function verdict(box, one, { mine, observer }) {
    const all = Object.values(state.judged);
    const total = (key) => bits(all.reduce((sum, judged) => sum + judged[key], 0));
    box.setAttribute("tabindex", "-1");
    box.replaceChildren(el("div", { class: "verdict" },
      el("p", {}, el("b", {}, `You ${bits(mine)}, the observer ${bits(observer)}`), ` on what ${called(one.seat)} held: ${one.truth.family}.`),
      el("p", { class: "soft" }, `log2 of the chance given to it against that of the upcards alone: 0 is knowing nothing more, +1 is twice as good. ` +
        (all.length > 1 ? `All ${all.length} guesses: you ${total("mine")}, the observer ${total("observer")}.` : ""))));
  }

  /* Moving */

  function show() {
    const judged = state.guessing && readNumber(state.seat) in state.judged;
    document.body.classList.toggle("revealed", state.revealed);
    document.body.classList.toggle("guessing", state.guessing && !judged);
    table();
    mark();
    told();
    chances();
    readPanel();
    guessPanel();
  }
  function go(at) {
    state.at = Math.min(data.steps.length - 1, Math.max(0, at));
    if (!(state.seat in step().reads)) state.seat = Number(Object.keys(step().reads)[0]);
    const actor = step().actor;
    if (actor !== null && !state.guessing) state.seat = actor;
    try { history.replaceState(null, "", `#${state.at + 1}`); } catch { /* some browsers forbid it for files */ }
    show();
  }
  function choose(seat) {
    state.seat = seat;
    show();
    const chosen = $("seats").querySelector(`[data-seat="${seat}"]`);
    if (chosen) chosen.focus({ preventScroll: true });
  }
  function toggle(name, button) {
    if (!button) return;
    state[name] = !state[name];
    button.setAttribute("aria-pressed", String(state[name]));
    if (name === "guessing" && state.guessing) {
      if (state.revealed) toggle("revealed", $("reveal"));
      const able = guessable();
      if (able.length && !able.includes(state.seat)) state.seat = able[0];
    }
    show();
  }

  $("first").addEventListener("click", () => go(0));
  $("back").addEventListener("click", () => go(state.at - 1));
  $("forward").addEventListener("click", () => go(state.at + 1));
  $("last").addEventListener("click", () => go(data.steps.length - 1));
  for (const [id, name] of [["reveal", "revealed"], ["guess", "guessing"]])
    if ($(id)) $(id).addEventListener("click", () => toggle(name, $(id)));
  $("grid").addEventListener("pointerover", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (cell) pointAt(cell);
  });
  $("grid").addEventListener("focusin", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (cell) pointAt(cell);
  });
  const MOVES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
  $("grid").addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell || !(event.key in MOVES)) return;
    event.preventDefault();
    event.stopPropagation();
    const [i, by] = [Number(cell.dataset.cell), MOVES[event.key]];
    if (Math.abs(by) === 1 && Math.floor((i + by) / 13) !== Math.floor(i / 13)) return;
    const next = $("grid").querySelector(`[data-cell="${i + by}"]`);
    if (!next) return;
    cell.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
  for (const chart of document.querySelectorAll(".chart svg")) {
    chart.addEventListener("click", (event) => {
      const figure = chart.closest(".chart");
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
      go(Math.round((x - Number(figure.dataset.first)) / Number(figure.dataset.step)));
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea, .scroll")) return;
    const keys = {
      ArrowLeft: () => go(state.at - 1), ArrowRight: () => go(state.at + 1),
      Home: () => go(0), End: () => go(data.steps.length - 1),
      r: () => toggle("revealed", $("reveal")), g: () => toggle("guessing", $("guess")),
    };
    const seat = Number(event.key);
    if (event.key in keys) { event.preventDefault(); keys[event.key](); }
    else if (seat && seat in step().reads) choose(seat);
  });
  window.addEventListener("hashchange", () => go((Number(location.hash.slice(1)) || 1) - 1));

  stepper.hidden = false;
  timeline();
  go((Number(location.hash.slice(1)) || 1) - 1);
})();
