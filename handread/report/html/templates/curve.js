/* The curve of your results: a click opens a hand, a drag lists the hands from one to another. */

const DRAG = 6;
let pulled = null;
const plotOf = (event) => event.target.closest?.(".curve[data-hands] > svg") ?? null;
const numbersOf = (plot) => plot.parentElement.dataset.hands.split(" ");

/* The place of a hand on the curve, from 1, at a point of the screen. */
function placeAt(plot, x) {
  const { left, width } = plot.getBoundingClientRect();
  const n = numbersOf(plot).length;
  return Math.min(n, Math.max(1, Math.round((x - left) / width * n)));
}
const rowAt = (plot, place) => rows.find(({ tr }) => tr.dataset.number === numbersOf(plot)[place - 1]);
function part(plot, from, to) {
  const n = numbersOf(plot).length;
  const cursor = plot.querySelector(".cursor");
  cursor.setAttribute("x", `${100 * from / n}%`);
  cursor.setAttribute("width", to > from ? `${100 * (to - from) / n}%` : "1");
}
function point(plot, place) {
  const row = rowAt(plot, place);
  const result = row?.tr.querySelector('[data-head="your result"] b')?.textContent ?? "";
  part(plot, place, place);
  plot.setAttribute("aria-valuenow", place);
  plot.setAttribute("aria-valuetext", row ? `${row.title}, ${result}` : String(place));
  plot.parentElement.querySelector(".at").textContent = row ? `${row.title}: ${result}` : "";
}
const openAt = (plot, place) => rowAt(plot, place)?.tr.querySelector("th a").click();

document.addEventListener("pointerdown", (event) => {
  const plot = plotOf(event);
  if (plot !== null && event.button === 0) pulled = { plot, x: event.clientX };
});
document.addEventListener("pointermove", (event) => {
  const plot = pulled?.plot ?? plotOf(event);
  if (plot === null) return;
  const place = placeAt(plot, event.clientX);
  if (pulled === null || Math.abs(event.clientX - pulled.x) < DRAG) return point(plot, place);
  part(plot, ...[placeAt(plot, pulled.x), place].sort((a, b) => a - b));
});
document.addEventListener("pointerup", (event) => {
  if (pulled === null) return;
  const { plot, x } = pulled;
  pulled = null;
  const [from, to] = [x, event.clientX].map((at) => placeAt(plot, at)).sort((a, b) => a - b);
  if (Math.abs(event.clientX - x) < DRAG) return openAt(plot, to);
  set({ hands: [from, to].map((place) => numbersOf(plot)[place - 1]).join("..") }, true);
});
document.addEventListener("pointercancel", () => { pulled = null; });
document.addEventListener("keydown", (event) => {
  const plot = plotOf(event);
  if (plot === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const [now, last] = [Number(plot.getAttribute("aria-valuenow")), numbersOf(plot).length];
  const place = { ArrowLeft: now - 1, ArrowRight: now + 1, PageDown: now - 10, PageUp: now + 10, Home: 1, End: last }[event.key];
  if (event.key === "Enter") return openAt(plot, now);
  if (place === undefined) return;
  event.preventDefault();
  point(plot, Math.min(last, Math.max(1, place)));
});
