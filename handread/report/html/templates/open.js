/* Put what a page of a session carries, compressed, in its place. */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

/* Bytes in base 85: five digits for four bytes, and fewer for what is left. */
function bytes(text) {
  const whole = text.padEnd(Math.ceil(text.length / 5) * 5, DIGITS.at(-1));
  const view = new DataView(new ArrayBuffer((whole.length / 5) * 4));
  for (let i = 0; i < whole.length; i += 5) {
    let value = 0;
    for (const digit of whole.slice(i, i + 5)) value = value * 85 + DIGITS.indexOf(digit);
    view.setUint32((i / 5) * 4, value);
  }
  return new Uint8Array(view.buffer, 0, view.byteLength - (whole.length - text.length));
}

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
