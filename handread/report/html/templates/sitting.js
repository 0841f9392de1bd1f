/* A training: what it still asks for; the program keeps what you have learned. */

function parsed(text) {
  try {
    const found = JSON.parse(text);
    return found !== null && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}
/* Send an answer; return when the decision comes back, in words. */
async function learn(id, right) {
  try {
    const answer = await fetch("training", { method: "PUT", body: JSON.stringify({ id, right }), keepalive: true });
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const { days } = await answer.json();
    return days ? `It comes back in ${days} ${days === 1 ? "day" : "days"}.` : "It comes back in a moment.";
  } catch (error) {
    return `This answer is not kept (${error instanceof TypeError ? "the program has ended" : error.message}).`;
  }
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
