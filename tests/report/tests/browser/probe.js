"use strict";
// What a person would look for on the page, measured where it is laid out.
const all = (of, what) => [...of.querySelectorAll(what)];
const box = of => of.getBoundingClientRect();
const wrong = [];
// Some browsers measure text from the top of its font to the bottom, and a box with its border.
const SLACK = navigator.userAgent.includes("Firefox") ? 4 : 1;
const fault = (what, of) => { if (wrong.length < 12) wrong.push(`${what}: ${of}`); };
const inside = (of, within, by) => of.left >= within.left - by && of.right <= within.right + by &&
  of.top >= within.top - by && of.bottom <= within.bottom + by;
// A shape without its border, which some count as it would be if it grew with the shape.
const shape = of => {
  const [inner, by] = [of.getBBox(), of.getScreenCTM()];
  return new DOMRect(by.a * inner.x + by.e, by.d * inner.y + by.f, by.a * inner.width, by.d * inner.height);
};
const meet = (a, b, by) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
const apart = (boxes, what) => {
  const sorted = boxes.map(of => [box(of), of]).sort((a, b) => a[0].left - b[0].left);
  sorted.forEach(([a, of], i) => {
    for (let j = i + 1; j < sorted.length && sorted[j][0].left < a.right - SLACK; j++) {
      if (meet(a, sorted[j][0], SLACK)) fault(`${what} overlap`, `${of.textContent} and ${sorted[j][1].textContent}`);
    }
  });
};

// Colours: `rgb(…)` and `color(srgb …)`, with what shines through.
const rgba = text => {
  const n = text.match(/[\d.]+(e-?\d+)?/g)?.map(Number) ?? [0, 0, 0, 0];
  const scale = text.startsWith("color(") ? 255 : 1;
  return [n[0] * scale, n[1] * scale, n[2] * scale, n[3] ?? 1];
};
const over = (top, below, by = 1) => [0, 1, 2].map(i => top[i] * top[3] * by + below[i] * (1 - top[3] * by)).concat(1);
const light = colour => {
  const part = v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  return .2126 * part(colour[0]) + .7152 * part(colour[1]) + .0722 * part(colour[2]);
};
const contrast = (a, b) => {
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + .05) / (y + .05);
};
const behind = of => {
  const up = [];
  for (let at = of; at; at = at.parentElement) up.push(at);
  return up.reverse().reduce((colour, at) => over(rgba(getComputedStyle(at).backgroundColor), colour), [255, 255, 255, 1]);
};
const faint = of => {
  let by = 1;
  for (let at = of; at; at = at.parentElement) by *= Number(getComputedStyle(at).opacity);
  return by;
};
let least = [99, ""];
const legible = (text, colour, ground, by) => {
  const found = contrast(over(colour, ground, by), ground);
  if (found < least[0]) least = [found, text.trim().slice(0, 40)];
};

for (const more of all(document, "details")) more.open = true;
dispatchEvent(new Event("resize"));
const page = document.documentElement;
if (page.scrollWidth > page.clientWidth) fault("the page is wider than the window", page.scrollWidth);
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const seen = new Map();
while (walk.nextNode()) {
  const of = walk.currentNode.parentElement;
  if (!walk.currentNode.data.trim() || of.closest("svg, script, style, .off") || !of.getClientRects().length) continue;
  const key = `${of.tagName} ${of.className} ${of.parentElement.tagName} ${of.parentElement.className}`;
  if ((seen.get(key) ?? 0) > 8) continue;
  seen.set(key, (seen.get(key) ?? 0) + 1);
  legible(of.textContent, rgba(getComputedStyle(of).color), behind(of), faint(of));
}
for (const part of all(document, ".figure .value, .figure .below, h1, h2, .lead, td, .reasons li")) {
  if (part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1 && !part.closest(".n")) fault("cut off", part.textContent);
}

const plans = all(document, "section[id^=map]").map((map, i) => {
  const plot = map.querySelector(".plot");
  const cut = getComputedStyle(map.querySelector("i.peak") ?? map).borderTopColor;
  const slots = all(map, "rect.slot");
  const ground = behind(map.querySelector(".chart"));
  const names = slots.map(slot => {
    const [name, style] = [slot.querySelector("title").textContent.split(": ")[0], getComputedStyle(slot)];
    const at = shape(slot);
    if (!(at.width > 0 && at.height > 0)) fault("a box of no size", name);
    if (!inside(at, box(plot), SLACK)) fault("a box beyond the map", name);
    const marked = slot.classList.contains("peak");
    if (marked !== (style.stroke === cut)) fault("the mark of the peak", `${name} ${style.stroke} ${cut}`);
    if (marked && (faint(slot) < 1 || Number(style.strokeOpacity) < 1)) fault("a faint mark of the peak", name);
    const link = slot.closest("a").getAttribute("href");
    if (!document.getElementById(link.slice(1))) fault("a link to nothing", name);
    const on = rgba(getComputedStyle(document.documentElement).getPropertyValue("--on").trim().replace(/^#(..)(..)(..)$/,
      (_, r, g, b) => `rgb(${[r, g, b].map(v => parseInt(v, 16)).join(" ")})`));
    const fill = over(rgba(style.fill), ground, Number(style.fillOpacity) * faint(slot));
    legible(`in the box of ${name}`, on, fill, 1);
    if (contrast(fill, ground) < 1.12) fault("a box like the ground", name);
    return [name, marked];
  });
  // A name is in its box as far as it is shown.
  for (const text of all(map, ".label text:not(.off)")) {
    if (!inside(box(text), box(text.parentElement), SLACK + 1)) fault("a name beyond its box", text.textContent);
  }
  for (const text of all(map, ".gutter text, .plot > text")) {
    if (!inside(box(text), box(text.closest(".gutter, .plot")), SLACK)) fault("cut off", text.textContent);
    legible(text.textContent, rgba(getComputedStyle(text).fill), ground, faint(text));
  }
  apart(all(map, ".gutter text"), "offsets");
  apart(all(map, "text.tick"), "steps");
  apart(all(map, ".label text:not(.off)"), "names");

  const order = document.getElementById(`order${i}`);
  const nodes = all(order, ".node");
  for (const node of nodes) {
    const [shape, text] = [node.querySelector("rect"), node.querySelector("text")];
    if (getComputedStyle(text).visibility !== "hidden" && !inside(box(text), box(shape), SLACK)) fault("a name beyond its task", text.textContent);
    legible(text.textContent, rgba(getComputedStyle(text).fill), rgba(getComputedStyle(shape).fill), 1);
  }
  apart(nodes.map(node => node.querySelector("rect")), "tasks");
  const edges = all(order, ".edge");
  for (const edge of edges) if (!(edge.getTotalLength() > 10)) fault("an edge of no length", edge.dataset.a);
  // Edges of a task light up with it, and no others.
  const of = nodes.map(node => node.dataset.t).find(t => edges.some(edge => edge.dataset.a === t));
  let lit = true;
  if (of !== undefined) {
    nodes[of].dispatchEvent(new MouseEvent("mouseenter"));
    lit = edges.every(edge => edge.classList.contains("on") === [edge.dataset.a, edge.dataset.b].includes(of));
    nodes[of].dispatchEvent(new MouseEvent("mouseleave"));
  }
  const width = box(plot).width;
  map.querySelector("input.z2").click();
  const wide = box(plot).width / width;
  map.querySelector("input.z1").click();

  const candidates = document.getElementById(`candidates${i}`);
  const rows = all(candidates, ".candidates tbody tr");
  const shown = row => box(row).height > 10 && [...row.cells].every((cell, at) => at === 0 || cell.textContent.trim());
  return {
    slots: names,
    tasks: all(map, "rect.task").map(task => task.querySelector("title").textContent.split(", step ")[0]),
    nodes: nodes.map(node => node.querySelector("title").textContent.split(", step ")[0]),
    edges: edges.map(edge => [Number(edge.dataset.a), Number(edge.dataset.b)]),
    candidates: rows.filter(shown).length,
    taken: all(candidates, ".candidates tbody tr.taken").length,
    kinds: all(candidates, "table:not(.candidates) tbody tr").length,
    why: all(document, `#apart${i} .reasons li`).filter(one => box(one).height > 10).map(one => one.textContent),
    rows: all(document, `tr[id^=r${i}-]`).length,
    lit,
    wide,
  };
});
for (const field of all(document, ".filter").slice(0, 1)) {
  const rows = all(document.getElementById(field.dataset.table).tBodies[0], "tr");
  field.value = rows[0].cells[0].textContent.trim();
  field.dispatchEvent(new Event("input"));
  const left = rows.filter(row => box(row).height > 0);
  if (!left.includes(rows[0]) || left.length === rows.length) fault("the filter leaves", left.length);
  field.value = "";
  field.dispatchEvent(new Event("input"));
}
const found = encodeURIComponent(JSON.stringify({
  ready: page.dataset.ready === "yes",
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  ground: light(behind(document.body)),
  least,
  loaded: performance.getEntriesByType("resource").map(of => of.name),
  wrong,
  plans,
}));
page.dataset.probe = found;
if (PORT) location.href = `http://127.0.0.1:${PORT}/?${found}`;
