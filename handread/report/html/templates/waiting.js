/* On the page of a hand: wait for the values of its decisions, then show them. */

"use strict";
{
  const name = location.pathname.split("/").at(-1);
  const note = document.createElement("p");
  note.className = "waiting soft";
  note.setAttribute("role", "status");
  note.textContent = "The decisions of this hand are being valued ...";
  let touched = false;
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, () => { touched = true; }, { once: true });

  const offer = () => {
    const link = document.createElement("a");
    link.href = name;
    link.textContent = "Show them";
    link.addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
    note.replaceChildren("The decisions of this hand have their values now. ", link);
  };
  const look = async () => {
    const answer = await fetch(`valued?${new URLSearchParams({ page: name })}`);
    if (!answer.ok || !(await answer.json()).valued) return setTimeout(ask, 500);
    return touched ? offer() : location.reload();
  };
  const ask = () => look().catch(() => { note.textContent = "The program has ended: the values of the decisions do not come."; });

  /* The page opens its compressed body first, and puts it in the place of this one. */
  const shown = setInterval(() => {
    const head = document.querySelector("header.masthead > div");
    if (head === null) return;
    clearInterval(shown);
    head.append(note);
  }, 50);
  setTimeout(ask, 300);
}
