// Shadows of the shapes on the axes of SAT, an axis a row.

import { color } from "./plane.js";

export function leastAxis(axes) {
  return axes.reduce((best, axis, i) => (axis.overlap < axes[best].overlap ? i : best), 0);
}
export function axisName(axis, dimension) {
  if (axis.of === "vertices") return "vertices";
  if (axis.of === "vertex and edge") return "vertex, edge";
  if (axis.of === "kernel") return "the kernel\u2019s";
  if (axis.of === "edges") return `A${axis.edge} \u00d7 B${axis.other}`;
  return `${axis.of.toUpperCase()} ${dimension === 2 ? "edge" : "face"} ${axis.edge}`;
}

/** The axes about the chosen one, as many as there is room for. */
export function drawBars(plane, axes, step, dimension) {
  plane.begin();
  const least = leastAxis(axes);
  const rows = Math.min(axes.length, Math.max(3, Math.floor((plane.height - 34) / 26)));
  const first = Math.min(Math.max(0, step - Math.floor(rows / 2)), axes.length - rows);
  const shown = axes.slice(first, first + rows);
  const low = Math.min(...shown.flatMap((axis) => [axis.a[0], axis.b[0]]));
  const high = Math.max(...shown.flatMap((axis) => [axis.a[1], axis.b[1]]));
  const [left, right] = [92, plane.width - 78];
  const x = (at) => left + ((at - low) / Math.max(high - low, 1e-12)) * (right - left);
  const height = Math.min(34, (plane.height - 34) / rows), c = plane.context;
  shown.forEach((axis, i) => {
    const y = 28 + height * (i + 0.5), number = first + i;
    if (number === step) {
      c.beginPath();
      c.rect(4, y - height / 2 + 1, plane.width - 8, height - 2);
      plane.fill(color("diff"), 0.2);
    }
    const bar = (range, lift, style, width) => {
      c.beginPath();
      c.moveTo(x(range[0]), y + lift);
      c.lineTo(x(range[1]), y + lift);
      plane.stroke(style, width);
    };
    bar(axis.a, -5, color("a"), 5);
    bar(axis.b, 5, color("b"), 5);
    bar([axis.b[0], axis.a[1]], 0, axis.overlap >= 0 ? color("hit") : color("win"), 3);
    const style = number === least ? color("win") : color("ink");
    plane.words(10, y, axisName(axis, dimension), style);
    plane.words(plane.width - 10, y, Number(axis.overlap.toPrecision(4)), style, "right");
  });
}
