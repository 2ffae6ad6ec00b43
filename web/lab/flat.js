// The lab in 2D: what each tab shows in the view of the shapes and in the view of the search.

import { drawBars, leastAxis } from "./bars.js";
import { drawMotion, drawRay, drawRoom, kMotionTabs } from "./motion.js";
import { Plane, color } from "./plane.js";

const plus = (p, q, factor = 1) => [p[0] + factor * q[0], p[1] + factor * q[1]];
const dot = (p, q) => p[0] * q[0] + p[1] * q[1];
const unit = (p) => { const length = Math.hypot(...p); return length > 0 ? [p[0] / length, p[1] / length] : [0, 0]; };
const cornersOf = (side) => side.corners.map((p) => plus(side.center, p));
const pairName = (vertex) => `A${vertex.a}\u2212B${vertex.b}`;

export class FlatLab {
  /** `onMove()` is called after the hand has changed a shape of `state`. */
  constructor(scene, inner, state, onMove) {
    this.scene = new Plane(scene);
    this.inner = new Plane(inner);
    this.state = state;
    this.onMove = onMove;
    this.held = null;
    this.chosen = "b";
    const listen = (event, act) => scene.addEventListener(event, act, { passive: false });
    listen("pointerdown", (event) => this.press(event));
    listen("pointermove", (event) => this.drag(event));
    listen("pointerup", (event) => this.release(event));
    listen("pointercancel", (event) => this.release(event));
    listen("wheel", (event) => this.wheel(event));
    listen("keydown", (event) => this.key(event));
  }
  show(state, answer, tab, step) {
    Object.assign(this, { state, answer, tab, step });
    this.draw();
  }
  /** All that a shape's picture goes through: of a chain the whole line. */
  outline(name) {
    return this.answer.chains[name]?.vertices ?? cornersOf(this.answer[name]);
  }
  fit() {
    const points = ["a", "b"].flatMap((name) => {
      const side = this.answer[name];
      return this.outline(name).flatMap((p) => [plus(p, [side.radius, side.radius]), plus(p, [side.radius, side.radius], -1)]);
    });
    if (kMotionTabs.includes(this.state.tab)) points.push(...this.answer.motion.end);
    this.scene.fit(points, 70);
    this.scene.scale = Math.min(this.scene.scale, 1e6);
  }

  // --- by hand ---

  at(event) {
    const area = this.scene.canvas.getBoundingClientRect();
    return [event.clientX - area.left, event.clientY - area.top];
  }
  /** Where a shape is turned by, in pixels. */
  handle(name) {
    const shape = this.state[name];
    const center = this.scene.pixel(shape.position);
    if (!shape.turn) return null;
    const { radius } = this.answer[name];
    const away = (Math.max(...this.outline(name).map((p) => Math.hypot(...plus(p, shape.position, -1)))) + radius) * this.scene.scale + 16;
    const reach = Math.min(away, 0.42 * Math.min(this.scene.width, this.scene.height));
    return [center[0] + reach * Math.cos(shape.turn[0]), center[1] - reach * Math.sin(shape.turn[0])];
  }
  /** The corners of the convex shapes that make up one: of a chain its segments. */
  pieces(name) {
    const line = this.answer.chains[name]?.vertices;
    return line ? line.slice(1).map((p, i) => [line[i], p]) : [cornersOf(this.answer[name])];
  }
  holds(name, p) {
    const side = this.answer[name], context = this.scene.context;
    const ratio = Math.min(devicePixelRatio, 3);
    return this.pieces(name).some((corners) => {
      this.scene.trace(corners, Math.max(side.radius, 6 / this.scene.scale));
      return context.isPointInPath(p[0] * ratio, p[1] * ratio);
    });
  }
  /** The chosen shape first: it is what a pointer takes where both are. */
  order() {
    return this.chosen === "a" ? ["a", "b"] : ["b", "a"];
  }
  press(event) {
    // Another finger than the one that holds something moves nothing.
    if (this.held || !this.answer || this.answer.error) return;
    const p = this.at(event);
    const near = (q) => q && Math.hypot(q[0] - p[0], q[1] - p[1]) < (event.pointerType === "touch" ? 24 : 14);
    const order = this.order();
    const turned = order.find((name) => near(this.handle(name)));
    const moved = turned ?? order.find((name) => this.holds(name, p));
    if (moved) this.chosen = moved;
    const name = turned ?? moved;
    this.held = { id: event.pointerId, name, isTurn: turned !== undefined, from: p, place: this.scene.place(...p), at: name && [...this.state[name].position], middle: [...this.scene.middle] };
    this.scene.canvas.setPointerCapture(event.pointerId);
    this.draw();
  }
  drag(event) {
    if (event.pointerId !== this.held?.id) return;
    const p = this.at(event), { name, isTurn, from, place } = this.held;
    const settle = (value) => Number(value.toFixed(4));
    if (!name) {
      this.scene.middle = [this.held.middle[0] - (p[0] - from[0]) / this.scene.scale, this.held.middle[1] + (p[1] - from[1]) / this.scene.scale];
      this.draw();
      return;
    }
    const shape = this.state[name];
    if (isTurn) {
      const center = this.scene.pixel(shape.position);
      shape.turn = [settle(Math.atan2(center[1] - p[1], p[0] - center[0]))];
    } else {
      const now = this.scene.place(...p);
      shape.position = this.held.at.map((x, k) => settle(x + now[k] - place[k]));
    }
    this.onMove();
  }
  release(event) {
    if (event.pointerId === this.held?.id) this.held = null;
  }
  turn(name, by) {
    const shape = this.state[name];
    if (!shape.turn) return;
    shape.turn = [Number((shape.turn[0] + by).toFixed(4))];
    this.onMove();
  }
  wheel(event) {
    if (!this.answer || this.answer.error) return;
    event.preventDefault();
    const p = this.at(event);
    const over = this.order().find((name) => this.holds(name, p));
    if (over) return this.turn(over, event.deltaY * 0.001);
    const before = this.scene.place(...p);
    this.scene.scale *= Math.exp(-0.001 * event.deltaY);
    const after = this.scene.place(...p);
    this.scene.middle = plus(this.scene.middle, plus(before, after, -1));
    this.draw();
  }
  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const share = event.shiftKey ? 0.1 : 1, letter = event.key.toLowerCase();  // with shift it is Q
    if (ways[event.key]) {
      const shape = this.state[this.chosen];
      shape.position = plus(shape.position, ways[event.key], 0.02 * share).map((x) => Number(x.toFixed(4)));
      this.onMove();
    } else if (letter === "q" || letter === "e") {
      this.turn(this.chosen, (letter === "q" ? 0.02 : -0.02) * share);
    } else if (event.key === " ") {
      this.chosen = this.chosen === "a" ? "b" : "a";
      this.draw();
    } else {
      return;
    }
    event.preventDefault();
  }

  // --- pictures ---

  draw() {
    if (!this.answer || this.answer.error) return;
    this.drawScene();
    this.drawInner();
  }
  drawShape(name, offset = null) {
    const side = this.answer[name], corners = cornersOf(side).map((p) => (offset ? plus(p, offset) : p));
    if (this.answer.chains[name]) return this.drawChain(name);
    this.scene.trace(corners, side.radius);
    if (offset) {
      this.scene.stroke(color(name), 1.5, [5, 4]);
      return;
    }
    this.scene.fill(color(name), 0.22);
    this.scene.stroke(color(name), this.chosen === name ? 2.5 : 1.5);
    if (side.radius > 0) {
      this.scene.trace(corners, 0);
      this.scene.stroke(color(name), 1, [2, 3]);
    }
  }
  /** The line, as thick as it is, and the searched segment bold. Short strokes show a one-sided front. */
  drawChain(name) {
    const { scene } = this, { segment } = this.answer.chains[name], { radius } = this.answer[name];
    this.pieces(name).forEach(([p, q], i) => {
      scene.line(p, q, color(name), i === segment ? 5 : this.chosen === name ? 2.5 : 1.5);
      if (radius > 0) {
        scene.trace([p, q], radius);
        scene.fill(color(name), 0.22);
      }
      if (this.state[name].twoSided) return;
      const along = unit(plus(q, p, -1)), middle = plus(p, plus(q, p, -1), 0.5), size = 7 / scene.scale;
      scene.line(middle, plus(middle, [along[1], -along[0]], size), color(name), 1.5);
    });
  }
  drawHandle(name) {
    const handle = this.handle(name);
    if (!handle) return;
    const c = this.scene.context, center = this.scene.pixel(this.state[name].position);
    c.beginPath();
    c.moveTo(...center);
    c.lineTo(...handle);
    c.globalAlpha = 0.5;
    this.scene.stroke(color(name), 1, [2, 4]);
    c.globalAlpha = 1;
    c.beginPath();
    c.arc(...handle, 6, 0, 2 * Math.PI);
    this.scene.fill(color("paper"));
    this.scene.stroke(color(name), 2);
  }
  drawScene() {
    const { scene, answer, tab } = this;
    scene.begin();
    this.drawShape("a");
    this.drawShape("b");
    if (tab === "answer") this.drawAnswer();
    if (tab === "sat") this.drawAxis();
    if (tab === "gjk" || tab === "epa") this.drawSupports();
    if (kMotionTabs.includes(tab)) drawMotion(this);
    this.drawHandle("a");
    this.drawHandle("b");
    for (const name of ["a", "b"]) {
      const [x, y] = scene.pixel(this.state[name].position);
      scene.words(x, y, name.toUpperCase(), color(name), "center");
    }
  }
  drawAnswer() {
    const { contact, distance, normal, point_a: onA, point_b: onB } = this.answer.answers.sat;
    if (!contact) {
      this.scene.line(onA, onB, color("win"), 2, [4, 3]);
      this.scene.dot(onA, color("a"));
      this.scene.dot(onB, color("b"));
      this.scene.text(plus(onA, plus(onB, onA, -1), 0.5), Number(distance.toPrecision(4)), color("win"));
      return;
    }
    if (this.answer.chains.a || this.answer.chains.b) {
      for (let patch = contact; patch; patch = patch.next) this.drawPatch(patch.normal, patch);
      return;
    }
    this.drawShape("b", normal.map((x) => x * contact.depth));
    this.drawPatch(normal, contact);
  }
  drawPatch(normal, contact) {
    const way = normal.map((x) => x * contact.depth);
    for (const point of contact.points) {
      const partner = plus(point.at, normal, -point.depth);
      this.scene.line(point.at, partner, color("hit"), 1.5);
      this.scene.dot(partner, color("hit"), 3.5, true);
      this.scene.dot(point.at, color("hit"));
    }
    const from = contact.points.reduce((deepest, point) => (point.depth > deepest.depth ? point : deepest)).at;
    this.scene.arrow(from, plus(from, way), color("win"), 2.5);
    const size = 30 / this.scene.scale;
    if (contact.depth * this.scene.scale < 6) this.scene.arrow(from, plus(from, normal, size), color("win"), 1.5);
  }
  drawAxis() {
    const axis = this.answer.axes[this.step];
    if (!axis) return;
    const { scene, answer } = this, d = axis.direction, across = [-d[1], d[0]];
    const style = this.step === leastAxis(answer.axes) ? color("win") : color("ink");
    if (axis.of === "a" || axis.of === "b") {
      const corners = cornersOf(answer[axis.of]);
      scene.line(corners[axis.edge], corners[(axis.edge + 1) % corners.length], style, 5);
    }
    // Beside the shapes, so that shadows do not lie over them.
    const beside = Math.min(...["a", "b"].flatMap((name) => cornersOf(answer[name]).map((p) => dot(plus(p, answer.a.center, -1), across) - answer[name].radius)));
    const middle = dot(plus(scene.middle, answer.a.center, -1), d);
    const lowest = -0.44 * Math.min(scene.width, scene.height) / scene.scale + dot(plus(scene.middle, answer.a.center, -1), across);
    const offset = Math.max(beside - 26 / scene.scale, lowest);
    const on = (at, lift = 0) => plus(plus(answer.a.center, d, at), across, offset + lift / scene.scale);
    const reach = (scene.width + scene.height) / scene.scale;
    scene.line(on(middle - reach), on(middle + reach), style, 1);
    scene.line(on(axis.a[0], 5), on(axis.a[1], 5), color("a"), 6);
    scene.line(on(axis.b[0], -5), on(axis.b[1], -5), color("b"), 6);
    for (const [at, name] of [[axis.a[1], "a"], [axis.b[0], "b"]]) {
      const side = answer[name];
      const sign = name === "a" ? 1 : -1;
      const corner = cornersOf(side).reduce((best, p) => (sign * dot(p, d) > sign * dot(best, d) + 1e-12 ? p : best));
      scene.line(plus(corner, d, sign * side.radius), on(at), color(name), 1, [3, 3]);
    }
    const ends = [axis.b[0], axis.a[1]];
    scene.line(on(ends[0]), on(ends[1]), axis.overlap >= 0 ? color("hit") : color("win"), 4);
    scene.arrow(on(Math.max(...axis.a, ...axis.b) + 8 / scene.scale), on(Math.max(...axis.a, ...axis.b) + 34 / scene.scale), style, 2);
  }
  /** The vertices of which the search's are made, and the direction asked. */
  drawSupports() {
    const now = this.search();
    if (!now) return;
    const { scene, answer } = this;
    const place = (name, number) => cornersOf(answer[name])[number];
    for (const vertex of now.simplex) {
      scene.line(place("a", vertex.a), place("b", vertex.b), color("mark"), 1, [2, 3]);
      scene.dot(place("a", vertex.a), color("mark"), 4);
      scene.dot(place("b", vertex.b), color("mark"), 4);
    }
    if (!now.support) return;
    const [a, b] = [place("a", now.support.a), place("b", now.support.b)];
    const size = 40 / scene.scale;
    scene.arrow(a, plus(a, now.direction, size), color("win"));
    scene.arrow(b, plus(b, now.direction, -size), color("win"));
    scene.dot(a, color("win"), 6, true);
    scene.dot(b, color("win"), 6, true);
    if (answer.a.corners.length > 1) scene.text(a, `A${now.support.a}`, color("win"), 8, 10);
    if (answer.b.corners.length > 1) scene.text(b, `B${now.support.b}`, color("win"), 8, 10);
  }
  /** What the step shows: vertices, the one that is asked for, and along which direction. */
  search() {
    const { answer, tab, step } = this;
    if (tab === "gjk") {
      const now = answer.gjk.steps[step];
      if (!now) return { simplex: answer.gjk.simplex, nearest: answer.gjk.nearest };
      return { ...now, direction: unit(now.nearest.map((x) => -x)) };
    }
    const now = answer.epa?.[step];
    if (!now) return null;
    const along = plus(now.nearest[1], now.nearest[0], -1);
    return { ...now, simplex: [], direction: unit([along[1], -along[0]]) };
  }

  drawInner() {
    if (this.tab === "sat") drawBars(this.inner, this.answer.axes, this.step, 2);
    else if (this.tab === "cast") drawRay(this);
    else if (this.tab === "advance") drawRoom(this);
    else this.drawDifference();
  }
  drawDifference() {
    const { inner, answer, tab } = this;
    inner.begin();
    const radius = answer.a.radius + answer.b.radius;
    const corners = answer.difference;
    inner.fit([[0, 0], ...corners.flatMap((p) => [plus(p, [radius, radius]), plus(p, [radius, radius], -1)])]);
    if (radius > 0) {
      inner.trace(corners, radius);
      inner.fill(color("diff"), 0.12);
      inner.stroke(color("diff"), 1, [4, 3]);
    }
    inner.trace(corners, 0);
    inner.fill(color("diff"), 0.22);
    inner.stroke(color("diff"), 1.5);
    if (tab === "answer") {
      const { distance, normal } = answer.answers.sat;
      const end = normal.map((x) => -distance * x);
      inner.arrow([0, 0], end, distance < 0 ? color("win") : color("hit"), 2.5);
    } else if (tab === "gjk") {
      this.drawSimplex();
    } else if (answer.epa) {
      this.drawPolytope();
    }
    inner.origin(color("ink"));
  }
  drawSimplex() {
    const { inner, answer } = this, now = this.search();
    inner.trace(now.simplex.map((v) => v.at), 0);
    if (now.simplex.length > 2) inner.fill(color("mark"), 0.25);
    inner.stroke(color("mark"), 3);
    for (const vertex of now.simplex) {
      inner.dot(vertex.at, color("mark"));
      inner.text(vertex.at, pairName(vertex), color("mark"));
    }
    if (!(answer.gjk.overlaps && !now.support)) {
      inner.line([0, 0], now.nearest, color("hit"), 1.5, [4, 3]);
      inner.dot(now.nearest, color("hit"), 4, true);
    }
    this.drawSupport(now, now.nearest);
  }
  drawSupport(now, from) {
    if (!now.support) return;
    const { inner } = this, size = 34 / inner.scale;
    inner.arrow(from, plus(from, now.direction, size), color("win"));
    const across = [-now.direction[1], now.direction[0]], reach = 60 / inner.scale;
    inner.line(plus(now.support.at, across, reach), plus(now.support.at, across, -reach), color("win"), 1, [3, 4]);
    inner.dot(now.support.at, color("win"), 7, true);
    inner.text(now.support.at, pairName(now.support), color("win"), 10, 11);
  }
  drawPolytope() {
    const { inner, answer } = this, now = this.search();
    if (!now) return;
    const known = answer.epa.slice(0, this.step).filter((step) => step.is_final).map((step) => step.nearest);
    for (const [p, q] of now.edges) inner.line(p, q, color("mark"), 2);
    for (const [p, q] of known) inner.line(p, q, color("mark"), 4);
    for (const [p] of now.edges) inner.dot(p, color("mark"), 3.5);
    inner.line(...now.nearest, color("hit"), 4);
    inner.arrow([0, 0], now.direction.map((x) => x * now.distance), color("hit"), 2);
    const middle = now.nearest[0].map((x, k) => (x + now.nearest[1][k]) / 2);
    this.drawSupport(now, middle);
  }
}
