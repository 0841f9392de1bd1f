/* Marks of a page that a running program shows: the program keeps them, for all its pages. */

const unsent = new Map();
let marksRevision = 0, sending = Promise.resolve();

async function asked(options) {
  const answer = await fetch(`marks?${new URLSearchParams({ since: marksRevision })}`, options);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  const { revision, hands } = await answer.json();
  return () => {
    marksRevision = revision;
    for (const [key, mark] of hands.map(cleaned).filter(Boolean)) if (!unsent.has(key)) marks.set(key, mark);
  };
}
async function fetchKept() {
  try {
    (await asked())();
  } catch (error) {
    unkept(error);
  }
}
/* Changes are sent in order. What could not be sent goes with the next one. */
async function send(method, keepalive = false) {
  const some = new Map([...unsent].filter(([, { by }]) => by === method));
  if (some.size === 0) return;
  const hands = [...some].map(([key, { mark }]) => ({ key, ...mark }));
  const take = await asked({ method, keepalive, body: JSON.stringify({ schema: SCHEMA, hands }) });
  for (const [key, sent] of some) if (unsent.get(key) === sent) unsent.delete(key);
  take();
}
/* A page that is left sends what nobody has answered yet: a note that was just typed, behind a colour. */
window.addEventListener("pagehide", () => { send("PUT", true).catch(() => {}); });
async function sendAll() {
  try {
    await send("POST");
    await send("PUT");
    say("");
    return true;
  } catch (error) {
    unkept(error);
    return false;
  }
}
/* PUT for what the reader has just changed, POST for what comes from a file: only if newer. */
function keep(keys, by = "PUT") {
  for (const key of keys) unsent.set(key, { by, mark: markOf(key) });
  sending = sending.then(sendAll);
  return sending;
}
/* A file that the program exported also says what was learned. */
async function takeTraining(training) {
  if (training) await fetch("training", { method: "POST", body: JSON.stringify(training) });
}
/* Earlier windows left them in the browser, for each port. */
async function moveMarks() {
  try {
    const keys = merge(JSON.parse(localStorage.getItem("handread.marks") ?? "null")) ?? [];
    if (keys.length && !(await keep(keys, "POST"))) return;
    localStorage.removeItem("handread.marks");
    if (keys.length) redraw();
  } catch { /* the browser keeps nothing */ }
}
function unkept(error) {
  const reason = error instanceof TypeError ? "the program has ended" : error.message;
  say(`Marks are not kept (${reason}): save them to a file before you leave.`);
}
