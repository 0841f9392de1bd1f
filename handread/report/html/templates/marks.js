/* Stars, tags and notes of hands, and of players: what they are, and files that carry them. */

const $ = (id) => document.getElementById(id);
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") made.addEventListener("click", value);
    else if (value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const SCHEMA = "handread.marks/1";
const LONGEST = { tag: 40, note: 10000 };
const NOTHING = { star: false, tags: [], note: "", changed: "" };

const marks = new Map();
const markOf = (key) => marks.get(key) ?? NOTHING;
const says = ({ star, tags, note }) => star || tags.length > 0 || note !== "";
/* Players and filters are kept in the same way, under keys with a space. */
const isHand = (key) => !key.includes(" ");
const marksWords = (keys) => {
  const n = keys.filter(isHand).length;
  const more = keys.length - n ? ` and ${keys.length - n} of players and filters` : "";
  return `the marks of ${n} ${n === 1 ? "hand" : "hands"}${more}`;
};

/* A mark of which nothing is taken on trust; null where it is none. */
function cleaned(one) {
  if (one === null || typeof one !== "object" || typeof one.key !== "string" || !one.key) return null;
  const tags = Array.isArray(one.tags) ? one.tags.filter((tag) => typeof tag === "string") : [];
  return [one.key, {
    star: one.star === true,
    tags: [...new Set(tags.map((tag) => tag.trim().slice(0, LONGEST.tag)).filter(Boolean))],
    note: typeof one.note === "string" ? one.note.trim().slice(0, LONGEST.note) : "",
    changed: typeof one.changed === "string" ? one.changed : "",
  }];
}
/* Take over what is newer; return the keys of hands that changed, or null for what are no marks. */
function merge(found) {
  if (found === null || typeof found !== "object" || found.schema !== SCHEMA || !Array.isArray(found.hands)) return null;
  const keys = [];
  for (const [key, mark] of found.hands.map(cleaned).filter(Boolean)) {
    if (marks.has(key) && markOf(key).changed >= mark.changed) continue;
    marks.set(key, mark);
    keys.push(key);
  }
  return keys;
}
const carriedText = () =>
  JSON.stringify({ schema: SCHEMA, hands: [...marks].map(([key, mark]) => ({ key, ...mark })) }, null, 1);

function mark(key, changes) {
  const [, made] = cleaned({ key, ...markOf(key), ...changes, changed: new Date().toISOString() });
  marks.set(key, made);
  keep([key]);
}
const say = (words) => { $("carried").textContent = words; };

function saveFile(name, text, type) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
async function exportMarks() {
  await fetchKept();
  saveFile("handread-marks.json", carriedText(), "application/json");
  say(`Saved ${marksWords([...marks.keys()].filter((key) => says(markOf(key))))}.`);
}
async function importMarks(file) {
  let keys = null;
  try {
    const found = JSON.parse(await file.text());
    keys = merge(found);
    if (keys !== null) await takeTraining(found.training);
  } catch { /* it is no JSON */ }
  if (keys === null) return say(`${file.name} holds no marks of handread.`);
  const n = keys.length;
  if (await keep(keys, "POST")) say(n ? `Took over ${marksWords(keys)}.` : "Nothing in it is newer than what is here.");
  return n;
}

/* The colour of a player is a tag; a name shows it, and the note. */
function drawPlayers() {
  for (const link of document.querySelectorAll("[data-player]")) {
    const { tags, note } = markOf(link.dataset.player);
    link.dataset.colour = tags[0] ?? "";
    link.title = note;
    link.nextElementSibling.textContent = note ? "✎" : "";
  }
}

/* The editor of a hand's tags and note */

let edited = null;
function edit(row) {
  edited = row;
  const { tags, note } = markOf(row.key);
  $("editor-title").textContent = row.title;
  $("editor-tags").value = tags.join(", ");
  $("editor-note").value = note;
  $("editor").showModal();
  $("editor-tags").focus();
}
function saveEdited() {
  mark(edited.key, { tags: $("editor-tags").value.split(","), note: $("editor-note").value });
  $("editor").close();
}
