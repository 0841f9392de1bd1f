/* Put what a page of a session carries, compressed, in its place. */

const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/* Compressed text goes on from the text that all pages of a session have in common. */
async function unpacked(name, { compressed, length }) {
  const whole = new Blob([bytes(compressed), bytes(document.getElementById(name).textContent)]);
  const stream = whole.stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return (await new Response(stream).text()).slice(length);
}
async function opened(common) {
  const [body, data] = await Promise.all(["body", "data"].map((name) => unpacked(name, common[name])));
  const made = new DOMParser().parseFromString(body, "text/html").body;
  for (const without of made.querySelectorAll("noscript")) without.remove();
  const island = document.createElement("script");
  island.type = "application/json";
  island.id = "report";
  island.textContent = data;
  made.append(island);
  document.body.replaceWith(document.adoptNode(made));
}
