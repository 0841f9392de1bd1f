/* The page of the logs: folders are watched or left, logs removed. */

const the = (id) => document.getElementById(id);
async function send(what) {
  const answer = await fetch("mylogs", { method: "POST", body: JSON.stringify(what) });
  if (answer.ok && what.end) document.querySelector("main").textContent = "handread has ended. You can close this tab.";
  else if (answer.ok) location.reload();
  else the("said").textContent = (await answer.text()).trim();
}
document.addEventListener("click", (event) => {
  const { watch, leave, remove, end } = event.target.closest("button")?.dataset ?? {};
  if (watch) send({ watch });
  else if (leave) send({ leave });
  else if (end) send({ end });
  else if (remove && confirm("Delete this log, and show its hands no longer?")) send({ remove: Number(remove) });
});
the("folder").addEventListener("submit", (event) => {
  event.preventDefault();
  send({ watch: the("path").value });
});
