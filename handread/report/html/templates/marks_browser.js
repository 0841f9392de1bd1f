/* Marks of a page that is a file: the browser keeps them. */

const STORE = "handread.marks";

/* Another page may have changed what is kept: that comes first. */
function fetchKept() {
  try {
    merge(JSON.parse(localStorage.getItem(STORE) ?? "null"));
    return true;
  } catch {
    return false;
  }
}
function keep() {
  try {
    fetchKept();
    localStorage.setItem(STORE, carriedText());
    say("");
    return true;
  } catch {
    say("This browser keeps nothing for files: save the marks to a file before you leave.");
    return false;
  }
}
window.addEventListener("storage", (event) => { if (event.key === STORE) { fetchKept(); redraw(); } });
/* Pages of files have no training. */
async function takeTraining() {}
