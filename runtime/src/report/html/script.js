"use strict";
// All of the page is there without this; it sorts, filters, and lights up what belongs together.
for (const field of document.querySelectorAll(".filter")) {
  const rows = [...document.getElementById(field.dataset.table).tBodies[0].rows];
  field.addEventListener("input", () => {
    const text = field.value.toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(text);
  });
}
for (const table of document.querySelectorAll("table.sort")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = row => {
      const cell = row.cells[column];
      const number = cell.dataset.v ?? cell.textContent;
      return number.trim() !== "" && isFinite(number) ? Number(number) : cell.textContent.trim();
    };
    const order = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    const rows = [...body.rows].map(row => [key(row), row]);
    rows.sort(([a], [b]) => up ? order(a, b) : order(b, a));
    body.append(...rows.map(([, row]) => row));
  }));
}
for (const graph of document.querySelectorAll(".graph")) {
  const edges = [...graph.querySelectorAll(".edge")];
  const light = task => {
    graph.classList.toggle("hover", task !== undefined);
    for (const edge of edges) edge.classList.toggle("on", edge.dataset.a === task || edge.dataset.b === task);
  };
  for (const node of graph.querySelectorAll(".node")) {
    node.addEventListener("mouseenter", () => light(node.dataset.t));
    node.addEventListener("mouseleave", () => light(undefined));
  }
}
// A name that its box has no room for is left to the hover.
const fit = () => {
  for (const plot of document.querySelectorAll(".plot")) {
    const width = plot.getBoundingClientRect().width;
    for (const label of plot.querySelectorAll(".label")) {
      const room = parseFloat(label.getAttribute("width")) / 100 * width;
      const fits = text => room >= 6.7 * text.length + 6;
      const text = label.firstElementChild;
      const full = text.dataset.full;
      if (full) text.textContent = fits(full) ? full : full.slice(full.lastIndexOf(".") + 1);
      for (const line of label.children) line.classList.toggle("off", !fits(line.textContent));
    }
    // Where the most is live is told as far as there is room beside the line.
    for (const text of plot.querySelectorAll("text.issued")) {
      const task = text.querySelector("tspan");
      if (!task) continue;
      task.classList.remove("off");
      const [own, all] = [text.getBoundingClientRect(), plot.getBoundingClientRect()];
      task.classList.toggle("off", all.left > own.left || own.right > all.right);
    }
  }
};
for (const zoom of document.querySelectorAll(".zoom")) zoom.addEventListener("change", fit);
addEventListener("resize", fit);
fit();
document.documentElement.dataset.ready = "yes";
