/* The index of a running program: logs are added to it, and what is new appears. */

const BUSY = 400, IDLE = 700, GONE = 2000, SOON = 120;
const the = (id) => document.getElementById(id);
const list = typeof rowOf === "function" ? rows : null;
const places = new Map();
if (list !== null) growing = the("progress").textContent !== "";
let revision = 0, summed = 0, pause = 0, lost = false;

/* The hands that the summary is about: those of the list if it is filtered; empty for all. */
let about = "", wanted = "";
const wantedHands = () => list === null || !isFiltered() ? "" : JSON.stringify({ hands: list.filter(fits).map(({ tr }) => Number(tr.dataset.number)) });

/* Nothing changes below a pointer that is down. */
let down = false;
for (const name of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
  document.addEventListener(name, (event) => { down = name !== "pointercancel" && event.buttons > 0; }, { capture: true });
}
/* Make an element like another; what is the same stays. A section in which something has the focus waits until it has not, unless other hands were chosen. */
const OWN = "#add, dialog, section:has(#hands), .star, .marks"; // not of the summary
const made = new WeakMap();
let behind = null, chosen = false;
const nameOf = (node) => node.id || node.getAttribute?.("aria-labelledby");
function become(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) { old.data = fresh.data; return; }
  if (old.matches(OWN)) return;
  if (old.matches("section")) {
    const html = fresh.outerHTML;
    if (made.get(old) === html) return; // what the page itself put into it stays
    if (!chosen && old.contains(document.activeElement)) { behind = old; return; }
    made.set(old, html);
  }
  if (old.matches("details")) fresh.open = old.open;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const named = new Map([...old.childNodes].filter(nameOf).map((node) => [nameOf(node), node]));
  const loose = [...old.childNodes].filter((node) => !nameOf(node));
  const wanted = new Set([...fresh.childNodes].map(nameOf));
  for (const [name, node] of named) if (!wanted.has(name) && !node.matches(OWN)) node.remove();
  let at = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    const next = loose.findIndex(({ nodeName }) => nodeName === node.nodeName);
    const mine = nameOf(node) ? named.get(nameOf(node)) : next < 0 ? undefined : loose.splice(next, 1)[0];
    if (mine !== undefined) become(mine, node);
    if (mine !== undefined && mine === at) at = at.nextSibling;
    else old.insertBefore(mine ?? node, at);
  }
  for (const node of loose) node.remove();
}

/* Rows that are new, or have changed. */
function take(html) {
  const parsed = new DOMParser().parseFromString(`<table><tbody>${html}</tbody></table>`, "text/html");
  for (const tr of [...parsed.querySelectorAll("tbody tr")]) {
    const { number } = tr.dataset, row = rowOf(tr), old = list[places.get(number)];
    if (old === undefined) places.set(number, list.push({ ...row, tr: document.adoptNode(tr) }) - 1);
    else {
      become(old.tr, tr);
      Object.assign(old, { ...row, tr: old.tr, drawn: old.drawn && old.key === row.key });
    }
  }
  drawTags();
  draw();
}

/* All but the list and the place for more logs: it comes anew from the same page. Return whether it is there. */
async function refresh() {
  const begun = performance.now(), of = wanted;
  pause = begun + 1000;
  const answer = await fetch("./", of ? { method: "POST", body: of } : {});
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!answer.ok || of !== wanted || down) return false;
  [behind, chosen] = [null, of !== about];
  for (const css of [".masthead", "main"]) become(document.querySelector(css), page.querySelector(css));
  document.title = page.title;
  about = of;
  progressed(page.getElementById("progress").textContent);
  if (list !== null) drawPlayers();
  pause = performance.now() + Math.max(1000, 8 * (performance.now() - begun));
  return true;
}
/* Where there are hands, the progress is that of the summary, and the list has no number meanwhile: all count the same. */
function progressed(words) {
  the("progress").textContent = words;
  if (list === null || growing === (words !== "")) return;
  growing = words !== "";
  draw();
}
/* The list has other columns: what is open stays open, and what was said is said again. */
function loadAgain() {
  sessionStorage.setItem("open", JSON.stringify([...document.querySelectorAll("main details[open]")].map(({ id }) => id)));
  sessionStorage.setItem("said", JSON.stringify(answers));
  location.reload();
}
function takenOut(name) {
  const found = JSON.parse(sessionStorage.getItem(name) ?? "[]");
  sessionStorage.removeItem(name);
  return found;
}
for (const id of takenOut("open")) the(id)?.setAttribute("open", "");
async function look() {
  const columns = document.body.dataset.columns, again = lost;
  lost = true;
  const answer = await fetch(`news?${new URLSearchParams({ since: revision, columns, seen })}`);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  const news = await answer.json();
  const anew = news.reload || news.gone.some((number) => places.has(String(number)));
  /* A page that is loaded again would lose what is being sent. */
  lost = again;
  if (down || (list !== null && the("editor").open) || ((again || anew) && outgoing.length)) return BUSY;
  lost = false;
  if (list === null || again) progressed(news.progress);
  if (news.answers.length) {
    seen = news.answers.at(-1)[0];
    sessionStorage.setItem("seen", seen);
    answered(news.answers.map(([, line]) => line));
  }
  if ((again && (list === null || (await sendAll()))) || anew) return loadAgain();
  if (list !== null && (news.rows || arriving !== news.more)) {
    arriving = news.more;
    take(news.rows);
  }
  if (list !== null && news.marks !== marksRevision && news.marks >= 0) {
    await fetchKept();
    redraw();
  }
  revision = news.revision;
  if (news.more) return 0;
  if (summed === 0) wanted = wantedHands();
  if (behind !== null && !behind.contains(document.activeElement)) summed = -1;
  if ((news.latest !== summed || wanted !== about) && performance.now() > pause && (await refresh())) summed = news.latest;
  return news.latest !== summed || news.progress ? BUSY : IDLE;
}
let due;
document.addEventListener("listed", () => {
  clearTimeout(due);
  due = setTimeout(() => {
    if (arriving) return;
    wanted = wantedHands();
    if (wanted !== about) refresh().catch(() => {});
  }, SOON);
});
async function follow() {
  let next = GONE;
  try {
    next = await look();
  } catch (error) {
    const words = error instanceof TypeError ? "handread has ended: start it again, and this page goes on" : error.message;
    the("progress").textContent = `${words}.`;
  }
  the("progress").classList.toggle("lost", lost);
  if (next !== undefined) setTimeout(follow, next);
}

/* Logs that are dropped, pasted or chosen */

async function sendLog(name, content) {
  const answer = await fetch(`logs?${new URLSearchParams({ name })}`, { method: "POST", body: content });
  if (!answer.ok) throw new Error((await answer.text()).trim() || "it was refused");
}
/* What came of them: the program answers once it has read them, and a page says each answer once. */
let seen = Number(sessionStorage.getItem("seen") ?? 0), answers = [];
/* The names of logs that are on their way, in order: a page that is left in between says which did not arrive. */
let outgoing = [], left = false;
for (const name of ["pagehide", "pageshow"]) window.addEventListener(name, () => { left = name === "pagehide"; });
window.addEventListener("beforeunload", (event) => { if (outgoing.length) event.preventDefault(); });
function answered(lines) {
  answers.push(...lines);
  if (!left) sessionStorage.setItem("unsent", JSON.stringify(outgoing));
  const more = outgoing.length > 1 ? `, ${outgoing.length - 1} more to send` : "";
  const sends = outgoing.length ? [`Sending ${outgoing[0]}${more} ...`] : [];
  the("added").replaceChildren(...[...answers, ...sends].map((line) => Object.assign(document.createElement("span"), { textContent: line })));
  the("added-close").hidden = answers.length === 0;
}
async function add(files) {
  if (!outgoing.length) answers = [];
  const named = files.map(([name, content]) => [name || "the text", name, content]);
  outgoing.push(...named.map(([called]) => called));
  answered([]);
  for (const [called, name, content] of named) {
    const faults = [];
    try {
      await sendLog(name, content);
    } catch (error) {
      faults.push(`${called}: ${error instanceof TypeError ? "it did not arrive" : error.message}.`);
    }
    outgoing.splice(outgoing.indexOf(called), 1);
    answered(faults);
  }
}
the("added-close")?.addEventListener("click", () => { answers = []; answered([]); });
if (the("added") !== null) {
  const names = takenOut("unsent"), said = takenOut("said");
  if (names.length) said.push(`${names.join(", ")} did not arrive: drop ${names.length > 1 ? "them" : "it"} again.`);
  if (said.length) answered(said);
}
async function below(entry) {
  if (entry.isFile) {
    const file = await new Promise((found, failed) => entry.file(found, failed));
    return [[file.name, file]];
  }
  const reader = entry.createReader(), found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) break;
    for (const one of some) found.push(...await below(one));
  }
  return found;
}
const carries = (event) => the("add-files") !== null && [...event.dataTransfer.types].some((type) => type === "Files" || type === "text/plain");
document.addEventListener("dragover", (event) => {
  if (!carries(event)) return;
  event.preventDefault();
  document.body.classList.add("over");
});
document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) document.body.classList.remove("over"); });
document.addEventListener("drop", async (event) => {
  document.body.classList.remove("over");
  if (!carries(event)) return;
  event.preventDefault();
  const entries = [...event.dataTransfer.items].map((item) => item.kind === "file" && item.webkitGetAsEntry()).filter(Boolean);
  const files = [...event.dataTransfer.files].map((file) => [file.name, file]);
  const text = event.dataTransfer.getData("text/plain");
  const found = (await Promise.all(entries.map(below))).flat();
  if (found.length || files.length) add(found.length ? found : files);
  else if (text.trim()) add([["", text]]);
});
document.addEventListener("paste", (event) => {
  if (the("add-files") === null || event.target.closest?.("input:not([type=file]), textarea")) return;
  const files = [...event.clipboardData.files].map((file) => [file.name, file]);
  const text = event.clipboardData.getData("text/plain");
  if (files.length) add(files);
  else if (text.trim()) add([["", text]]);
});
the("add-files")?.addEventListener("change", () => {
  const files = [...the("add-files").files].map((file) => [file.name, file]);
  if (files.length) add(files);
  the("add-files").value = "";
});
if (list === null) follow();
else started.then(moveMarks).then(follow);
