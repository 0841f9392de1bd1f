/* A hand by hand: the page keeps the entries, the program says what they lead to. */

const the = (id) => document.getElementById(id);
const KEPT = "handread-new-hand";
let setup = null, entries = [], title = "New hand", asks = false, last = Promise.resolve(), busy = 0, reading = false, stale = false;

/* The setup with the name and the date, which may be stated at any time. */
const NAMING = ["title", "played_at"];
const named = () => ({ ...setup, ...Object.fromEntries(NAMING.map((id) => [id, the(id).value.trim()])) });
const post = (path, next, replace) => fetch(path, { method: "POST", body: JSON.stringify({ setup: named(), entries: next, replace }) });
const keep = () => sessionStorage.setItem(KEPT, JSON.stringify({ setup: named(), entries, title }));

/* The setup */

const rows = () => [...the("seats").rows];
function seatRows() {
  const game = the("game").selectedOptions[0];
  for (const option of the("players").options) option.disabled = Number(option.value) > Number(game.dataset.most);
  const n = Number(the("players").value);
  rows().forEach((row, i) => {
    row.hidden = i >= n;
    const you = row.querySelector("[name=hero]");
    if (row.hidden && you.checked) rows()[0].querySelector("[name=hero]").checked = true;
  });
}
const anySeed = () => Math.floor(Math.random() * 2 ** 52);
function asked() {
  const value = (id) => the(id).value.trim();
  return {
    game: value("game"), ante: value("ante"), bring_in: value("bring_in"), small: value("small"), big: value("big"),
    hero: Number(document.querySelector("[name=hero]:checked").value), all_cards: the("all_cards").checked,
    against: value("against"), seed: anySeed(),
    seats: rows().filter((row) => !row.hidden).map((row) => ({ name: row.querySelector(".name").value.trim(), stack: row.querySelector(".stack").value.trim() })),
  };
}
function fillIn(from) {
  for (const id of ["game", "ante", "bring_in", "small", "big"]) the(id).value = from[id];
  the("players").value = from.seats.length;
  the("all_cards").checked = from.all_cards;
  the("against").value = from.against ?? "";
  from.seats.forEach(({ name, stack }, i) => {
    rows()[i].querySelector(".name").value = name;
    rows()[i].querySelector(".stack").value = stack;
  });
  for (const id of NAMING) the(id).value = from[id] ?? "";
  document.querySelector(`[name=hero][value="${Number(from.hero)}"]`).checked = true;
  seatRows();
}
const isDealt = () => !the("hand").hidden;
function ask() {
  the("hand").hidden = true;
  the("setup").hidden = false;
  the("game").focus();
}

/* Entries: one after the other, however fast they are typed */

function goTo(next, replace) {
  busy += 1;
  last = last.then(() => step(next(entries), replace))
    .catch(() => { the("error").textContent = "The program has ended. Start handread open again."; })
    .then(() => { busy -= 1; take(); });
}
async function step(next, replace) {
  const answer = await post("new/step", next, replace);
  if (!answer.ok) {
    the(isDealt() ? "error" : "setup-error").textContent = await answer.text();
    return;
  }
  const told = await answer.json(), begins = !isDealt();
  ({ entries, asks } = told);
  other = null;
  keep();
  the("setup-error").textContent = "";
  the("setup").hidden = true;
  the("hand").hidden = false;
  const open = the("step").querySelector("details")?.open;
  the("step").innerHTML = told.html;
  offerCards();
  if (open && the("step").querySelector("details")) the("step").querySelector("details").open = true;
  the("error").textContent = told.error;
  if (told.error) field.value = "";
  the("done").textContent = "";
  for (const id of ["save", "open"]) the(id).disabled = !told.text;
  the("undo").disabled = entries.length === 0;
  the("hand").classList.toggle("plays", Boolean(setup.against));
  the("values").replaceChildren();
  the("hand").classList.toggle("over", told.over);
  const types = !matchMedia("(pointer: coarse)").matches; // else a keyboard would cover the deck
  if (told.over) the("reads").replaceChildren();
  if (told.over && types) the("title").focus({ preventScroll: true });
  if (told.over) return;
  if (types) field.focus({ preventScroll: !begins });
  else if (begins) the("step").querySelector("[data-entry]").focus();
  read();
}

/* One read at a time, of the last entry: what came between is not waited for. */
async function read() {
  if (reading) {
    stale = true;
    return;
  }
  reading = true;
  the("reads").setAttribute("aria-busy", "true");
  do {
    stale = false;
    const now = entries;
    try {
      const answer = await post("new/read", now);
      const html = answer.ok ? await answer.text() : "<p>This cannot be read.</p>";
      if (now === entries) the("reads").innerHTML = html;
      const worth = asks && !stale ? await (await post("new/values", now)).text() : "";
      if (now === entries) the("values").innerHTML = worth;
    } catch {
      the("reads").textContent = "The program has ended: there is no read.";
    }
  } while (stale);
  the("reads").removeAttribute("aria-busy");
  reading = false;
}

/* Another card in the place of one that was entered: a click on it, then on the new one, or type it. */
let other = null;
const SUITS = { "♠": "s", "♥": "h", "♦": "d", "♣": "c" };
function offerCards() {
  if (setup.against) return;
  for (const drawn of the("step").querySelectorAll(".felt .card:not(.back)")) {
    const text = drawn.textContent.replace(/[♠♥♦♣]/u, (suit) => SUITS[suit]);
    const place = entries.findIndex((entry) => entry.toLowerCase() === text.toLowerCase());
    if (place < 0) continue;
    drawn.tabIndex = 0;
    drawn.setAttribute("role", "button");
    drawn.title = "another card in its place";
    drawn.onclick = () => exchange(place, drawn.getAttribute("aria-label"));
    drawn.onkeydown = (event) => { if (event.key === "Enter") drawn.onclick(); };
  }
}
function exchange(place, name) {
  other = place;
  the("hand").classList.remove("over");
  the("step").querySelector(".choices").hidden = true;
  the("other").hidden = false;
  the("question").textContent = `Which card instead of the ${name}?`;
  field.focus();
}
function enter(entry) {
  if (other === null) return goTo((now) => [...now, entry]);
  return goTo((now) => now, { place: other, card: entry });
}
/* What was played against others is played. */
const back = (to) => { if (!setup.against) goTo((now) => now.slice(0, to)); };
const undo = () => back(-1);

the("game").addEventListener("change", () => {
  const most = Number(the("game").selectedOptions[0].dataset.most);
  if (Number(the("players").value) > most) the("players").value = most;
  seatRows();
});
the("players").addEventListener("change", seatRows);
the("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  setup = asked();
  const now = new Date();
  the("title").value = "";
  the("played_at").value = new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
  goTo(() => []);
});
the("step").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.id === "leave") goTo((now) => now);
  else if (button?.dataset.entry) enter(button.dataset.entry);
  else if (button?.dataset.back) back(Number(button.dataset.back));
});
the("undo").addEventListener("click", undo);

/* What is typed is entered as soon as it is whole and the last entry has been taken. Enter sends anything: the program says what is wrong. */
const field = the("entry");
function take() {
  if (busy || !field.value.trim()) return;
  const typed = field.value.trimStart().toLowerCase().replace(/^10/, "t");
  const offered = [...the("step").querySelectorAll(".choices:not([hidden]) [data-entry]")].map((button) => button.dataset.entry.toLowerCase());
  const king = /^K(.?)/.exec(field.value.trimStart());
  if (king && offered.includes("k")) { // a king is no check: the suit that follows says so
    if (king[1] && "shdc".includes(king[1].toLowerCase())) enter(field.value.trim());
    if (!king[1] || "shdc".includes(king[1].toLowerCase())) return;
  }
  const found = offered.flatMap((one) => [one, one.replace("b", "r"), one.replace("r", "b")]).find((one) => typed.startsWith(one));
  if (found === undefined) {
    // Nothing that is offered begins like this: the program says why it is refused.
    const begins = [typed, typed.replace(/^1$/, "t")].some((text) => offered.some((one) => one.startsWith(text)));
    if (!begins) enter(field.value.trim());
    return;
  }
  field.value = typed.slice(found.length);
  enter(found);
}
field.addEventListener("input", take);
field.addEventListener("keydown", (event) => {
  if (event.key === "Backspace" && field.value === "" && !event.repeat) {
    event.preventDefault();
    undo();
  } else if (event.key === "Enter" && field.value.trim() && !busy) {
    enter(field.value.trim());
    field.value = "";
  }
});

/* What becomes of the hand */

/* The hand as a file, with what it is called now; null where it cannot be. */
async function written() {
  const answer = await post("new/step", entries);
  if (answer.ok) return answer.json();
  the("error").textContent = await answer.text();
  return null;
}
the("save").addEventListener("click", async () => {
  const made = await written();
  if (made === null) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([made.text], { type: "text/plain" }));
  link.download = `${the("title").value.trim() || "hand"}${made.ending}`;
  link.click();
  URL.revokeObjectURL(link.href);
  the("done").textContent = `Saved as ${link.download}.`;
});
/* The page of the hand, once it is read; the index for one that is not shown. It may wait for logs that are being read. */
async function opened(log) {
  for (let waits = 0; waits < 60;) {
    const { page, progress } = await (await fetch(`new/opened?${new URLSearchParams({ log })}`)).json();
    if (page) return page;
    if (!progress) waits += 1;
    the("done").textContent = `Opening the hand ... ${progress}`;
    await new Promise((done) => { setTimeout(done, 100); });
  }
  return "./";
}
the("open").addEventListener("click", async () => {
  the("open").disabled = true;
  the("done").textContent = "Opening the hand ...";
  try {
    const made = await written();
    const answer = made && await fetch(`logs?${new URLSearchParams({ name: "entered by hand" })}`, { method: "POST", body: made.text });
    if (answer?.ok) return location.assign(await opened((await answer.json()).name));
    if (answer) the("error").textContent = await answer.text();
    the("done").textContent = "";
  } catch {
    [the("error").textContent, the("done").textContent] = ["handread has ended: start it again.", ""];
  } finally { the("open").disabled = false; }
});
for (const id of NAMING) {
  the(id).addEventListener("change", keep);
  the(id).addEventListener("keydown", (event) => { if (event.key === "Enter" && the("hand").classList.contains("over")) the("open").click(); });
}
the("again").addEventListener("click", () => {
  entries = [];
  entitle("New hand");
  if (setup.against) {
    setup.seed = anySeed();
    goTo(() => []);
    return;
  }
  keep();
  ask();
});

function entitle(words) {
  title = document.querySelector("h1").textContent = words;
  document.title = `${words} · handread`;
}
function resume(from) {
  ({ setup, entries } = from);
  entitle(from.title ?? "New hand");
  fillIn(setup);
  if (entries.length) goTo((now) => now);
}
async function copy(query) {
  const answer = await fetch(`new/copy${query}`);
  if (answer.ok) resume(await answer.json());
  else the("setup-error").textContent = await answer.text();
  history.replaceState(null, "", "new"); // loaded again, the page goes on with what was changed
}
seatRows();
const kept = sessionStorage.getItem(KEPT);
if (location.search) copy(location.search);
else if (kept !== null) resume(JSON.parse(kept));
if (!entries.length) the("game").focus();
