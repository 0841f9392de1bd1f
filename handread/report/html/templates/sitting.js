/* A training: what it still asks for, and when each decision comes back. */

const DAY = 86400000;
/* Days until a decision comes back, by how often in a row it was chosen right. */
const DAYS = [0, 1, 3, 7, 21];

function parsed(text) {
  try {
    const found = JSON.parse(text);
    return found !== null && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}
/* The only place where what you have learned is read and written: {id: {box, due}}. */
const memory = {
  NAME: "handread.training",
  read() {
    try { return parsed(localStorage.getItem(memory.NAME)); } catch { return {}; }
  },
  write(all) {
    try { localStorage.setItem(memory.NAME, JSON.stringify(all)); } catch { /* then it is forgotten */ }
  },
};
/* What is known of a decision; nothing of what is kept is taken on trust. */
function known(all, id) {
  const found = Object.hasOwn(all, id) ? all[id] : null;
  const box = DAYS[found?.box] === undefined ? 0 : found.box;
  return { box, due: box && Number.isFinite(found.due) ? found.due : 0 };
}
/* Remember an answer; return the days until the decision comes back. */
function learn(id, right) {
  const all = memory.read();
  const box = right ? Math.min(known(all, id).box + 1, DAYS.length - 1) : 0;
  all[id] = { box, due: Date.now() + DAYS[box] * DAY };
  memory.write(all);
  return DAYS[box];
}

/* A sitting lasts as long as its tab: what waits, and how many answers there were. */
const sitting = {
  NAME: "handread.sitting",
  read() {
    let found = {};
    try { found = parsed(sessionStorage.getItem(sitting.NAME)); } catch { /* no sitting */ }
    const { waits = [], answers = 0, right = 0 } = found;
    return { waits: Array.isArray(waits) ? waits : [], answers, right };
  },
  write(one) {
    try { sessionStorage.setItem(sitting.NAME, JSON.stringify(one)); } catch { /* each is asked alone */ }
  },
};
const addressOf = ({ page, moment }) => `./${encodeURIComponent(page)}?${new URLSearchParams({ train: moment })}`;
/* Go to what is asked next, or to where the training ends. */
function goOn() {
  const [next] = sitting.read().waits;
  location.assign(next ? addressOf(next) : "train");
}
