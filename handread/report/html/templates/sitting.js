/* A sitting of practice: what it still asks for; the program keeps what you have learned. */

const SITTING = 10;
const LEVELS = ["easy", "middling", "hard"];
const PLACE = ["hand", "moment", "seat"];

function parsed(text) {
  try {
    const found = JSON.parse(text);
    return found !== null && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}
/* Send an answer; return when the question comes back, in words. */
async function learn(told) {
  try {
    const answer = await fetch("training", { method: "PUT", body: JSON.stringify(told), keepalive: true });
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const { days } = await answer.json();
    return days ? `It comes back in ${days} ${days === 1 ? "day" : "days"}.` : "It stays due.";
  } catch (error) {
    return `This answer is not kept (${error instanceof TypeError ? "the program has ended" : error.message}).`;
  }
}

/* A sitting lasts as long as its tab: what waits, how many answers there were, and the level if it adapts. */
const sitting = {
  NAME: "handread.sitting",
  read() {
    let found = {};
    try { found = parsed(sessionStorage.getItem(sitting.NAME)); } catch { /* no sitting */ }
    const { waits = [], answers = 0, right = 0, level = null } = found;
    return { waits: Array.isArray(waits) ? waits : [], answers, right, level };
  },
  write(one) {
    try { sessionStorage.setItem(sitting.NAME, JSON.stringify(one)); } catch { /* each is asked alone */ }
  },
};
const addressOf = (one) => `train?${new URLSearchParams(PLACE.map((name) => [name, one[name]]))}`;
/* Go to what is asked next, or to where practice ends. What the check leaves open is not asked. */
async function goOn() {
  const now = sitting.read();
  if (now.level !== null) {
    const away = (one) => Math.abs(one.level - now.level);
    const nearest = Math.min(...now.waits.map(away));
    const next = now.waits.findIndex((one) => away(one) === nearest);
    if (next > 0) now.waits.unshift(...now.waits.splice(next, 1));
  }
  const [next] = now.waits;
  if (!next || now.answers >= SITTING) {
    sitting.write({ ...now, waits: [] });
    return location.assign("train");
  }
  const there = await fetch(addressOf(next), { method: "HEAD" }).catch(() => null);
  const isOpen = there?.status === 204;
  if (isOpen) now.waits.shift();
  sitting.write(now);
  if (isOpen) return goOn();
  location.assign(addressOf(next));
}
