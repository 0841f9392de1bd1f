/* Moving from moment to moment, and what the reader asks for. */

function show() {
  const kept = focusKept();
  document.body.classList.toggle("revealed", state.revealed);
  document.body.classList.toggle("guessing", state.guessing);
  document.body.classList.toggle("asked", !isOpen(state.seat));
  for (const [id, name] of [["reveal", "revealed"], ["guess", "guessing"]])
    if ($(id)) $(id).setAttribute("aria-pressed", String(state[name]));
  $("by-lift").setAttribute("aria-pressed", String(state.lift));
  $("by-chance").setAttribute("aria-pressed", String(!state.lift));
  table();
  mark();
  told();
  chances();
  readPanel();
  guessPanel();
  kept();
}
/* What is drawn anew loses the focus; this gives it back to what stands in the same place. */
function focusKept() {
  const focused = document.activeElement;
  const seat = focused.closest("#seats [data-seat]");
  const cell = focused.closest("#grid [data-cell]");
  const guessing = focused.closest("#guessing");
  return () => {
    const next = seat ? $("seats").querySelector(`[data-seat="${seat.dataset.seat}"]`)
      : cell ? $("grid").querySelector(`[data-cell="${cell.dataset.cell}"]`)
      : guessing && !focused.isConnected ? guessing : null;
    if (next) next.focus({ preventScroll: true });
  };
}
function go(moment) {
  pause();
  state.at = Math.min(steps.length - 1, Math.max(0, moment));
  if (!(state.seat in step().reads)) state.seat = Number(Object.keys(step().reads)[0]);
  const here = step();
  const isIn = (seat) => here.chances.some((chance) => chance.seat === seat);
  if (here.actor !== null && (!state.guessing || mayGuess(here.actor))) state.seat = here.actor;
  else if (here.actor === null && !isIn(state.seat)) state.seat = here.to_act ?? here.chances[0]?.seat ?? state.seat;
  guessSomebody();
  try { history.replaceState(null, "", `#${state.at + 1}`); } catch { /* some browsers forbid it for files */ }
  show();
}
function choose(seat) {
  state.seat = seat;
  show();
}
/* While guessing, choose a player whose downcards the log tells, if there is one. */
function guessSomebody() {
  if (state.guessing && !mayGuess(state.seat)) state.seat = guessable()[0] ?? state.seat;
}
/* Both at once would tell what is to be guessed: one puts out the other. */
function toggle(name) {
  const other = name === "guessing" ? "revealed" : "guessing";
  if (!$(name === "guessing" ? "guess" : "reveal")) return;
  pause();
  state[name] = !state[name];
  if (state[name]) state[other] = false;
  guessSomebody();
  show();
  if (name === "guessing" && state.guessing) $("guessing").focus();
}
/* The moment that the address asks for; null where it asks for none. */
function asked() {
  const found = /^#(\d+)$/.exec(location.hash);
  return found && Number(found[1]) - 1;
}
/* What does not scroll is no stop for the Tab key. */
function stops() {
  for (const box of document.querySelectorAll(".scroll")) {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
}

/* Playing: a moment every few seconds, until the last one or until the reader does something. */
const BEAT = 2000;
let playing = 0;
function play() {
  if (playing) return pause();
  if (state.at === steps.length - 1) go(0);
  playing = setTimeout(() => {
    go(state.at + 1);
    if (state.at < steps.length - 1) play();
  }, BEAT);
  playButton();
}
function pause() {
  clearTimeout(playing);
  playing = 0;
  playButton();
}
function playButton() {
  $("play").setAttribute("aria-pressed", String(Boolean(playing)));
  fill("play", playing ? "Pause" : "Play");
}
function listKeys() {
  pause();
  $("keys").showModal();
}

/* The next moment, or the one before, that tells something; null where there is none. */
function turningPoint(way) {
  if (state.guessing) return null;
  let to = state.at + way;
  while (steps[to] && !steps[to].notable) to += way;
  return steps[to] ? to : null;
}
function turn(way) {
  const to = turningPoint(way);
  if (to !== null) go(to);
}
function colour(lift) {
  state.lift = lift;
  show();
}

const KEYS = {
  ArrowLeft: () => go(state.at - 1), ArrowRight: () => go(state.at + 1),
  Home: () => go(0), End: () => go(steps.length - 1),
  n: () => turn(1), p: () => turn(-1), l: () => colour(!state.lift),
  o: () => toggle("revealed"), g: () => toggle("guessing"), " ": play, "?": listKeys,
};
function pressed(event) {
  if ($("keys").open || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea, .scroll")) return;
  // Space presses the button that has the focus.
  if (event.key === " " && event.target.closest("button, summary")) return;
  const cell = event.target.closest("[data-cell]");
  if (cell && moveIn(cell, event.key)) return event.preventDefault();
  if (Object.hasOwn(KEYS, event.key)) {
    event.preventDefault();
    KEYS[event.key]();
  } else if (/^[1-9]$/.test(event.key) && event.key in step().reads) choose(Number(event.key));
}
function start() {
  state.cell = 0;
  for (const [id, to] of [["first", "Home"], ["back", "ArrowLeft"], ["forward", "ArrowRight"], ["last", "End"], ["reveal", "o"], ["guess", "g"], ["turn-back", "p"], ["turn-on", "n"], ["play", " "], ["list-keys", "?"]])
    if ($(id)) $(id).addEventListener("click", KEYS[to]);
  $("keys-close").addEventListener("click", () => $("keys").close());
  $("by-lift").addEventListener("click", () => colour(true));
  $("by-chance").addEventListener("click", () => colour(false));
  $("glance-in-bits")?.addEventListener("toggle", () => { mark(); stops(); });
  for (const kind of ["pointerover", "focusin"])
    $("grid").addEventListener(kind, (event) => {
      const cell = event.target.closest("[data-cell]");
      if (cell) pointAt(cell);
    });
  for (const chart of document.querySelectorAll(".chart svg"))
    chart.addEventListener("click", (event) => {
      const figure = chart.closest(".chart");
      const box = chart.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
      go(Math.round((x - Number(figure.dataset.first)) / Number(figure.dataset.step)));
    });
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => { if (asked() !== null) go(asked()); });
  window.addEventListener("resize", stops);
  $("stepper").hidden = false;
  score.guesses = stored();
  timeline();
  turningPoints();
  go(asked() ?? Math.max(0, steps.findIndex((one) => one.notable)));
  stops();
}
if (steps.length) start();
