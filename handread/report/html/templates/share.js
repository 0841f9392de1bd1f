/* A hand to share: its text for a forum, whole or up to a moment, and a picture of the table. */

/* What a forum may take for mark-up is text. */
const plain = (text) => text.replace(/[\\`*[\]<>]/g, "\\$&");
/* Without names you are the hero, and the others are seats. */
function poster(seat) {
  if (!state.hides) return plain(data.spoken[seat].replace(/^\d+ /, ""));
  return Number(seat) === data.you ? "hero" : `seat ${seat}`;
}
const cardsText = (cards) => cards.map((text) => (text === null || text === "??" ? "x" : text[0] + SUITS[text[1]])).join(" ");
/* A line begins with a capital, unless with a name. */
const begun = (text) => text.replace(/^(seat|hero)(?= \d|\b)/, opening);
const deed = (one) => `${poster(one.actor)}${one.title.slice(data.spoken[one.actor].length)}`;
function seated({ seat }) {
  const name = poster(seat) === `seat ${seat}` ? "" : poster(seat);
  const hero = Number(seat) === data.you && name !== "hero" ? "(hero)" : "";
  const told = [[name, hero].filter(Boolean).join(" "), data.stacks[seat]].filter(Boolean).join(", ");
  return `- Seat ${seat}${told && `: ${told}`}`;
}
const boards = (one) => one.places.filter((p) => p.status !== "folded").map((p) =>
  `- ${begun(poster(p.seat))}: (${cardsText(held(p.seat, one))}) ${cardsText(p.up)}`);
function ended(line) {
  const seat = Object.keys(data.spoken).find((one) => line.startsWith(`${data.spoken[one]} `));
  if (!seat) return `- ${opening(line)}`;
  const rest = line.slice(data.spoken[seat].length).replace(/\b[2-9TJQKA][cdhs]\b/g, (text) => cardsText([text]));
  return `- ${begun(poster(seat))}${rest}`;
}
/* What the read says of those who are still in, beside the cards alone. */
function readsText(here) {
  const lines = here.chances.map(({ seat, bets }) => {
    const families = knows(seat) || !isOpen(seat) ? [] : read(seat).lines.slice(0, 4).map(({ name, share, cards }) => `${name} ${share} (${cards})`);
    return `- ${begun(poster(seat))}, ${bets} ${data.to_win}${families.length ? `: ${families.join(", ")}` : ""}`;
  });
  return ["", "**What they may hold now**, by the cards alone in parentheses", "", ...lines];
}
function forumText(last, reads) {
  const lines = [...(state.hides ? [] : [`**${plain(data.title)}**`, ""]), data.game, "", ...steps[0].places.map(seated)];
  for (const one of steps.slice(0, last + 1)) {
    const shared = one.shared ? `, ${cardsText([one.shared])} shared by all` : "";
    if (one.kind === "deal") lines.push("", `**${STREETS[one.street]} street**, pot ${one.pot}${shared}`, "", ...boards(one), "");
    else if (one.kind === "end") lines.push("", `**Result**, pot ${one.pot}`, "", ...data.ending.map(ended));
    else if (lines.at(-1)) lines.push(`${lines.pop()}, ${deed(one)}`);
    else lines.push(begun(deed(one)));
  }
  return [...lines, ...(reads && !isWon(steps[last]) ? readsText(steps[last]) : [])].join("\n").trim().replace(/\n{3,}/g, "\n\n") + "\n";
}

/* The table as it is drawn on the page, element by element. */
function paint(brush, one) {
  const [style, box] = [getComputedStyle(one), one.getBoundingClientRect()];
  if (!box.width || one.closest(".unseen")) return;
  const ring = (by) => {
    brush.beginPath();
    brush.roundRect(box.left - by, box.top - by, box.width + 2 * by, box.height + 2 * by, Number.parseFloat(style.borderTopLeftRadius));
  };
  const line = Number.parseFloat(style.borderTopWidth);
  brush.save();
  ring(-line / 2);
  brush.fillStyle = style.backgroundImage === "none" ? style.backgroundColor : style.getPropertyValue("--accent");
  brush.fill();
  brush.strokeStyle = style.borderTopColor;
  brush.lineWidth = line;
  if (style.borderTopStyle === "dashed") brush.setLineDash([4, 3]);
  if (line) brush.stroke();
  if (style.boxShadow !== "none") {
    brush.strokeStyle = style.getPropertyValue("--seat");
    brush.lineWidth = 3;
    ring(1.5);
    brush.stroke();
  }
  if (style.overflowX === "hidden") {
    ring(0);
    brush.clip();
  }
  brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  brush.fillStyle = style.color;
  const [range, after] = [document.createRange(), getComputedStyle(one, "::after")];
  let [end, base] = [0, 0];
  for (const node of [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE))
    for (const word of node.data.matchAll(/\S+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const { left, top, right } = range.getBoundingClientRect();
      [end, base] = [right, top + brush.measureText(word[0]).fontBoundingBoxAscent];
      brush.fillText(word[0], left, base);
    }
  if (end && after.content.startsWith('"')) { // a dot: whose turn it is
    brush.font = `${after.fontSize} ${style.fontFamily}`;
    brush.fillText(after.content.slice(1, -1), end + Number.parseFloat(after.marginLeft), base);
  }
  brush.restore();
}
function picture() {
  state.shares = true;
  table();
  const [box, margin, head, scale] = [$("seats").getBoundingClientRect(), 16, 50, 2];
  const [wide, high] = [box.width + 2 * margin, box.height + head + margin];
  const canvas = el("canvas", { width: wide * scale, height: high * scale });
  const [brush, style] = [canvas.getContext("2d"), getComputedStyle(document.body)];
  brush.scale(scale, scale);
  brush.fillStyle = style.getPropertyValue("--surface");
  brush.fillRect(0, 0, wide, high);
  brush.fillStyle = style.color;
  for (const [i, words] of (state.hides ? [data.game] : [data.title, data.game]).entries()) {
    brush.font = `${i ? 400 : 600} ${14 - i}px ${style.fontFamily}`;
    brush.fillText(words, margin, 20 + 18 * i, box.width);
  }
  brush.translate(margin - box.left, head - box.top);
  for (const one of $("seats").querySelectorAll("*")) paint(brush, one);
  state.shares = false;
  return canvas;
}

/* What is made while the menu says so has no names; the page keeps them. */
function unnamed(make) {
  state.hides = $("share-hides").checked;
  try { return make(); } finally { state.hides = false; }
}
async function copyText(last, reads) {
  const box = $("share-text");
  box.value = unnamed(() => forumText(last, reads));
  box.hidden = false;
  box.select();
  try {
    await navigator.clipboard.writeText(box.value);
    fill("share-done", "Copied.");
  } catch { fill("share-done", "Copy the text below."); }
}
function savePicture() {
  const canvas = unnamed(picture);
  table();
  canvas.toBlob((blob) => {
    const link = el("a", { href: URL.createObjectURL(blob), download: `hand-${state.at + 1}.png` });
    link.click();
    URL.revokeObjectURL(link.href);
    fill("share-done", `Saved as ${link.download}.`);
  });
}
if ($("share")) {
  $("share").hidden = false;
  const link = $("share-file");
  const named = link?.getAttribute("href");
  $("share-hides").addEventListener("change", () => { if (link) link.href = `${named}${$("share-hides").checked ? "&names=hidden" : ""}`; });
  $("share").addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      $("share").open = false;
      $("share").firstElementChild.focus();
    }
  });
  if (steps.length) {
    $("share-hand").addEventListener("click", () => copyText(steps.length - 1, false));
    $("share-moment").addEventListener("click", () => copyText(state.at, true));
    $("share-picture").addEventListener("click", savePicture);
  }
}
