/* A hand by hand: the page keeps the entries, the program says what they lead to. */

const the = (id) => document.getElementById(id);
const KEPT = "handread-new-hand";
let setup = null, entries = [], title = "New hand", file = null, last = Promise.resolve(), busy = 0, reading = false, stale = false;

const post = (path, next, replace) => fetch(path, { method: "POST", body: JSON.stringify({ setup, entries: next, replace }) });
const keep = () => sessionStorage.setItem(KEPT, JSON.stringify({ setup, entries, title }));

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
function asked() {
  const value = (id) => the(id).value.trim();
  return {
    game: value("game"), ante: value("ante"), bring_in: value("bring_in"), small: value("small"), big: value("big"),
    hero: Number(document.querySelector("[name=hero]:checked").value), all_cards: the("all_cards").checked,
    seats: rows().filter((row) => !row.hidden).map((row) => ({ name: row.querySelector(".name").value.trim(), stack: row.querySelector(".stack").value.trim() })),
  };
}
function fillIn(from) {
  for (const id of ["game", "ante", "bring_in", "small", "big"]) the(id).value = from[id];
  the("players").value = from.seats.length;
  the("all_cards").checked = from.all_cards;
  from.seats.forEach(({ name, stack }, i) => {
    rows()[i].querySelector(".name").value = name;
    rows()[i].querySelector(".stack").value = stack;
  });
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
  const told = await answer.json();
  entries = told.entries;
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
  file = told.text ? { name: `hand${told.ending}`, text: told.text } : null;
  for (const id of ["save", "open"]) the(id).disabled = file === null;
  the("undo").disabled = entries.length === 0;
  if (matchMedia("(pointer: fine)").matches) the("entry").focus({ preventScroll: true }); // else a keyboard would cover the deck
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
    try {
      const answer = await post("new/read", entries);
      if (answer.ok && !stale) the("reads").innerHTML = await answer.text();
      else if (!answer.ok) the("reads").textContent = "This cannot be read.";
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
  the("step").querySelector(".choices").hidden = true;
  the("other").hidden = false;
  the("question").textContent = `Which card instead of the ${name}?`;
  field.focus();
}
function enter(entry) {
  if (other === null) return goTo((now) => [...now, entry]);
  return goTo((now) => now, { place: other, card: entry });
}
const undo = () => goTo((now) => now.slice(0, -1));

the("game").addEventListener("change", () => {
  const most = Number(the("game").selectedOptions[0].dataset.most);
  if (Number(the("players").value) > most) the("players").value = most;
  seatRows();
});
the("players").addEventListener("change", seatRows);
the("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  setup = asked();
  goTo(() => []);
});
the("step").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.id === "leave") goTo((now) => now);
  else if (button?.dataset.entry) enter(button.dataset.entry);
  else if (button?.dataset.back) goTo((now) => now.slice(0, Number(button.dataset.back)));
});
the("undo").addEventListener("click", undo);

/* What is typed is entered as soon as it is whole and the last entry has been taken. Enter sends anything: the program says what is wrong. */
const field = the("entry");
function take() {
  if (busy) return;
  const typed = field.value.trimStart().toLowerCase().replace(/^10/, "t");
  const offered = [...the("step").querySelectorAll(".choices:not([hidden]) [data-entry]")].map((button) => button.dataset.entry.toLowerCase());
  const found = offered.flatMap((one) => [one, one.replace("b", "r"), one.replace("r", "b")]).find((one) => typed.startsWith(one));
  if (found === undefined) return;
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

the("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file.text], { type: "text/plain" }));
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
  the("done").textContent = `Saved as ${file.name}.`;
});
the("open").addEventListener("click", async () => {
  const answer = await fetch(`logs?${new URLSearchParams({ name: "entered by hand" })}`, { method: "POST", body: file.text });
  if (answer.ok) location.href = "./";
  else the("error").textContent = await answer.text();
});
the("again").addEventListener("click", () => {
  entries = [];
  entitle("New hand");
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
