// The lab in 2D while B moves: the tabs "ray cast" and "advancement".

import { color } from "./plane.js";

export const kMotionTabs = ["cast", "advance"];

const plus = (p, q, factor = 1) => [p[0] + factor * q[0], p[1] + factor * q[1]];
const cornersOf = (side) => side.corners.map((p) => plus(side.center, p));
const middleOf = (corners) => corners.reduce((sum, p) => plus(sum, p, 1 / corners.length), [0, 0]);

/** How the tab calls an axis of advancement. */
export const axisWords = (axis) => (axis.of === "nearest" ? "between the nearest points" : `normal of ${axis.of.toUpperCase()}'s edge ${axis.edge}`);
/** The search of the tab, and its step; none at the end. */
export const searchOf = (answer, tab) => answer[tab];

/** Where B's corners are at a step, and at the end. */
export function placedAt({ answer, tab, step }) {
  const now = answer[tab].steps[step] ?? answer[tab];
  return tab === "advance" ? now.b : cornersOf(answer.b).map((p) => plus(p, now.at));
}

/** The way of B, where it is now, and what the step looks at. */
export function drawMotion(lab) {
  const { scene, answer, tab, step } = lab, { motion } = answer;
  const outline = (corners, width, dash) => { scene.trace(corners, answer.b.radius); scene.stroke(color("b"), width, dash); };
  const end = tab === "advance" ? motion.end : cornersOf(answer.b).map((p) => plus(p, motion.way));
  outline(end, 1, [2, 5]);
  const placed = placedAt(lab), from = middleOf(cornersOf(answer.b));
  if (tab === "cast") scene.arrow(from, plus(from, motion.way), color("b"), 1);
  scene.trace(placed, answer.b.radius);
  scene.fill(color("win"), 0.18);
  scene.stroke(color("win"), 2);
  const now = answer[tab].steps[step];
  if (!now) {
    if (answer[tab].found === "hit" && tab === "cast" && Math.hypot(...answer.cast.normal) > 0) {
      const middle = middleOf(placed);
      scene.arrow(middle, plus(middle, answer.cast.normal, -46 / scene.scale), color("hit"), 2);
    }
    return;
  }
  if (tab === "cast") {
    const corners = cornersOf(answer.a);
    for (const [place, number] of [[corners, now.support.a], [placed, now.support.b]]) scene.dot(place[number], color("win"), 6, true);
    for (const vertex of now.simplex) {
      scene.line(corners[vertex.a], placed[vertex.b], color("mark"), 1, [2, 3]);
      scene.dot(corners[vertex.a], color("mark"), 4);
      scene.dot(placed[vertex.b], color("mark"), 4);
    }
    return;
  }
  // The axis of the largest step, and the edge that it comes from.
  const axis = now.axes[now.best];
  if (axis.of !== "nearest") {
    const corners = axis.of === "a" ? cornersOf(answer.a) : placed;
    scene.line(corners[axis.edge], corners[(axis.edge + 1) % corners.length], color("hit"), 4);
  }
  const middle = middleOf(cornersOf(answer.a));
  scene.arrow(middle, plus(middle, axis.direction, 46 / scene.scale), color("hit"), 2);
}

/** The way as a ray from 0 against A - B. */
export function drawRay(lab) {
  const { inner, answer, step } = lab, { cast, motion } = answer, radius = answer.a.radius + answer.b.radius;
  const now = cast.steps[step] ?? cast;
  inner.begin();
  inner.fit([[0, 0], motion.way, ...answer.difference.flatMap((p) => [plus(p, [radius, radius]), plus(p, [radius, radius], -1)])]);
  for (const grown of radius > 0 ? [radius, 0] : [0]) {
    inner.trace(answer.difference, grown);
    inner.fill(color("diff"), 0.15);
    inner.stroke(color("diff"), 1, grown > 0 ? [4, 3] : []);
  }
  inner.arrow([0, 0], motion.way, color("b"), 1.5);
  inner.line([0, 0], now.at, color("b"), 3.5);
  inner.trace(now.simplex.map((vertex) => vertex.at), 0);
  inner.stroke(color("mark"), 3);
  for (const vertex of now.simplex) {
    inner.dot(vertex.at, color("mark"));
    inner.text(vertex.at, `A${vertex.a}\u2212B${vertex.b}`, color("mark"));
  }
  if (now.support) {
    inner.line(now.at, now.nearest, color("hit"), 1.5, [4, 3]);
    inner.dot(now.nearest, color("hit"), 4, true);
    // The line that holds all of A - B on its far side: nothing before it can be hit.
    const across = [-now.direction[1], now.direction[0]], reach = (inner.width + inner.height) / inner.scale;
    const foot = plus(now.support.at, now.direction, radius);
    inner.line(plus(foot, across, reach), plus(foot, across, -reach), color("win"), 1.5, [3, 4]);
    inner.dot(now.support.at, color("win"), 7, true);
    if (now.next !== null && now.next <= 1) inner.dot(motion.way.map((x) => x * now.next), color("win"), 5);
  }
  inner.dot(now.at, color("hit"), 5);
  inner.origin(color("ink"));
}

/** Room between the shapes against time: each step leads down to where the next one begins. */
export function drawRoom(lab) {
  const { inner, answer, step } = lab, { steps, gap } = answer.advance;
  inner.begin();
  const most = Math.max(...steps.map((now) => now.axes[now.best].room), 10 * gap);
  const [left, right, top, bottom] = [54, inner.width - 24, 34, inner.height - 34];
  const place = (t, room) => [left + t * (right - left), bottom - (room / most) * (bottom - top)];
  const c = inner.context;
  const line = (points, style, width, dash = []) => {
    c.beginPath();
    points.forEach(([x, y]) => c.lineTo(x, y));
    inner.stroke(style, width, dash);
  };
  line([place(0, 0), place(1, 0)], color("ink"), 1);
  line([place(0, 0), place(0, most)], color("ink"), 1);
  inner.words(left - 8, top, Number(most.toPrecision(3)), color("soft"), "right");
  inner.words(left - 8, bottom, "0", color("soft"), "right");
  inner.words(left, bottom + 14, "t = 0", color("soft"));
  inner.words(right, bottom + 14, "1", color("soft"), "right");
  steps.slice(0, step + 1).forEach((now, i) => {
    const isNow = i === step, axis = now.axes[now.best];
    if (isNow) {
      // What the other axes would allow.
      for (const other of now.axes) {
        if (!(other.room > gap)) continue;
        const until = other.closing > 0 ? now.t + other.room / other.closing : 1;
        const last = Math.min(until, 1);
        line([place(now.t, other.room), place(last, other.room - other.closing * (last - now.t))], color("diff"), 1, [3, 3]);
      }
    }
    const until = now.next === null ? 1 : Math.min(now.next, 1);
    line([place(now.t, axis.room), place(until, Math.max(axis.room - axis.closing * (until - now.t), 0))], color(isNow ? "hit" : "mark"), isNow ? 3 : 2);
    c.beginPath();
    c.arc(...place(now.t, axis.room), 4, 0, 2 * Math.PI);
    inner.fill(color(isNow ? "hit" : "mark"));
  });
  if (step >= steps.length) {
    c.beginPath();
    c.arc(...place(answer.advance.t, 0), 6, 0, 2 * Math.PI);
    inner.fill(color(answer.advance.found === "hit" ? "win" : "diff"));
  }
}
