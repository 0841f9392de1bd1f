/* Open what a page carries compressed: its data, and in a session its body. */

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

/* In a session, compressed text goes on from the text that all pages have in common. */
async function opened(name, { compressed, length } = { compressed: "", length: 0 }) {
  const whole = new Blob([bytes(compressed), bytes(document.getElementById(name).textContent)]);
  const stream = whole.stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return (await new Response(stream).text()).slice(length);
}
async function openedPage(common) {
  const [body, data] = await Promise.all(["body", "data"].map((name) => opened(name, common[name])));
  const made = new DOMParser().parseFromString(body, "text/html").body;
  for (const without of made.querySelectorAll("noscript")) without.remove();
  document.body.replaceWith(document.adoptNode(made));
  return data;
}
