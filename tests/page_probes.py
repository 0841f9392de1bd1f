"""Scripts that tests run in a page to learn what it shows, and how."""

from __future__ import annotations

VISIBLE = """
const visible = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
  e.getClientRects().length > 0;
"""

SHOWN = f"""{VISIBLE}
const found = [];
for (const e of document.body.querySelectorAll("*")) {{
  if (["SCRIPT", "STYLE"].includes(e.tagName) || e.closest("footer, .toggles")) continue;
  const texts = [...e.childNodes].filter((n) => n.nodeType === 3);
  const own = texts.map((n) => n.data.trim()).join(" ").trim();
  const said = ["aria-label", "title", "points", "d", "cx", "cy", "x", "y", "height", "style"]
    .map((name) => e.getAttribute(name)).filter(Boolean);
  if (!(own || said.length || e.matches(".m, td")) || !visible(e)) continue;
  const line = e.matches(".m") ? getComputedStyle(e).textDecorationLine : "";
  const drawn = e.matches("td") ? getComputedStyle(e).outlineWidth : "";
  const all = [own, ...said, line, drawn].filter(Boolean);
  if (all.length) found.push(`${{e.tagName}} ${{all.join(" | ")}}`);
}}
return found;
"""
"""All that can be seen or heard of a page but its foot and the two buttons that ask for more."""

MOMENT = """
const text = (e) => e.innerText.replace(/\\s+/g, " ").trim();
const seen = (e) => e.checkVisibility();
const all = (css, root = document) => [...root.querySelectorAll(css)].filter(seen);
const one = (css, root = document) => { const e = all(css, root)[0]; return e ? text(e) : null; };
const last = (e) => e.lastChild.data.trim();
const own = (e) => (e.firstChild && e.firstChild.nodeType === 3 ? e.firstChild.data : "");
const has = (e, name) => e.classList.contains(name);
const cards = (root) => all(".card", root).map((e) => e.getAttribute("aria-label"));
return {
  hash: location.hash,
  moment: one("#moment"), sentence: one("#sentence"), on_truth: one("#on-truth"),
  where: one("#where"),
  heard: document.querySelector("#heard").textContent,
  pot: one(".pot b"), shared: cards(document.querySelector(".pot")),
  places: all("#seats button").map((b) => ({
    seat: Number(b.dataset.seat), label: own(b.querySelector(".seat-name")),
    stack: one(".stack", b) || "", put: one(".put", b), cards: cards(b),
    pressed: b.getAttribute("aria-pressed"),
    headline: all(".headline > span", b).map(text), sees: one(".headline > small", b),
    you: !!b.querySelector(".you"),
    acted: has(b, "acted"), turn: !!b.querySelector(".turn"), out: has(b, "out"),
  })),
  chances: all("#chances li:not(.won)").map((li) => [one(".seat-name", li), one(".value", li),
    li.querySelector("i").style.width, li.querySelector("u").style.left]),
  bits: all("#bits > div").map((d) => [one("dt", d), one("dd", d)]),
  title: one("#read-title"), note: one("#read-note"),
  lines: all("#families tr").map((tr) => [text(tr.cells[0]), text(tr.cells[2]), text(tr.cells[3]),
    tr.querySelector(".unseen").textContent, has(tr, "leads"),
    tr.querySelector("i").style.width, tr.querySelector("u").style.left]),
  kinds: all("#kinds li").map((li) => [text(li.firstChild), one("b", li), text(li.lastChild)]),
  openness: one("#openness"),
  holdings: all("#holdings li").map((li) => [cards(li), last(li)]),
  entropy: one("#entropy"), truth: one("#truth-line"), likeliest: !!one("#likeliest"),
  grid: all("#grid [data-cell]").map((td) => [
    td.getAttribute("aria-label"), has(td, "dead"), one("small", td) || "", own(td),
    getComputedStyle(td).backgroundImage !== "none", td.className.split(" ")[0]]),
  turns: all("#turns button").map((b) => [Number(b.dataset.moment), text(b.querySelector(".event")),
    text(b.querySelector(".gist")), b.getAttribute("aria-current")]),
  ends: all("#categories li").map(text), ends_title: one("#ends-title"),
  current: all("#timeline [aria-current]").map((b) => Number(b.dataset.moment)),
  focused: document.activeElement.id || document.activeElement.dataset.seat,
};
"""
"""What a page shows at the moment it is at."""

CONTRASTS = f"""{VISIBLE}
const rgb = (text) => {{
  const found = text.match(/[\\d.]+/g).map(Number);
  return {{ c: found.slice(0, 3), a: found.length > 3 ? found[3] : 1 }};
}};
const over = (top, below) => top.c.map((x, i) => x * top.a + below[i] * (1 - top.a));
const light = (c) => {{
  const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = c.map((x) => linear(x / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}};
const ratio = (a, b) =>
  (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const once = (ask) => {{
  const known = new Map();
  return (e) => known.get(e) ?? known.set(e, ask(e)).get(e);
}};
/* What lies behind an element; null where that is a picture or a hatch, whose colour is not one. */
const behind = once((e) => {{
  const style = getComputedStyle(e), colour = rgb(style.backgroundColor);
  if (style.backgroundImage !== "none") return null;
  if (colour.a === 1) return colour.c;
  const below = e.parentElement ? behind(e.parentElement) : [255, 255, 255];
  return below && over(colour, below);
}});
const opacity = once((e) =>
  Number(getComputedStyle(e).opacity) * (e.parentElement ? opacity(e.parentElement) : 1));
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {{
  const e = walker.currentNode.parentElement;
  const text = walker.currentNode.data.trim();
  if (!text || !visible(e) || e.closest("script, style, title, noscript, .unseen, .skip")) continue;
  const style = getComputedStyle(e);
  const inside = e instanceof SVGElement;
  const grounds = [behind(inside ? e.closest("svg").parentElement : e)];
  /* Behind the text of a chart there may be the band of a street. */
  if (inside && e.closest("svg").querySelector(".band0"))
    grounds.push(rgb(getComputedStyle(e.closest("svg").querySelector(".band0")).fill).c);
  for (const ground of grounds) {{
    if (!ground) {{ found.push([text, null]); continue; }}
    const ink = rgb(inside ? style.fill : style.color);
    const drawn = over({{ c: ink.c, a: ink.a * opacity(e) }}, ground);
    const where = `${{text.slice(0, 40)}} in ${{e.tagName}}.${{e.getAttribute("class")}}`;
    found.push([where, ratio(drawn, ground)]);
  }}
}}
return found;
"""
"""Every text that shows with its contrast to what lies behind it; None on a hatch."""

TARGETS = f"""{VISIBLE}
const targets = [...document.querySelectorAll("button, summary, nav a, #grid [data-cell]")];
return targets.filter(visible).map((e) => {{
  const box = e.getBoundingClientRect(), control = !!e.closest(".controls, #guessing");
  return [e.outerHTML.slice(0, 90), Math.min(box.width, box.height), control];
}});
"""
"""What is to be hit with a finger: how small it is, and whether it is a control."""

CLIPPED = f"""{VISIBLE}
const wide = document.documentElement.clientWidth;
return [...document.body.querySelectorAll("*")].filter(visible).filter((e) => {{
  const box = e.getBoundingClientRect();
  if (e.closest(".unseen, .skip") || e.parentElement.closest(".scroll")) return false;
  const inside = e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible";
  return inside || box.right > wide + 1 || box.left < -1;
}}).map((e) => e.outerHTML.slice(0, 90));
"""
"""What does not fit on the page, or into its box; what a box scrolls along is left out."""
