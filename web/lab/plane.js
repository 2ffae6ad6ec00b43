// Drawing in the plane: a canvas with a place of its own for the middle and a scale.

export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export class Plane {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.middle = [0, 0];
    this.scale = 80;  // pixels a unit
  }
  begin() {
    const { width, height } = this.canvas.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio, 3);
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== h) Object.assign(this.canvas, { width: w, height: h });
    this.width = width;
    this.height = height;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.context.lineJoin = this.context.lineCap = "round";
  }
  /** Shows all points, `margin` pixels from the sides. */
  fit(points, margin = 42) {
    const { width, height } = this.canvas.getBoundingClientRect();
    const range = (k) => [Math.min(...points.map((p) => p[k])), Math.max(...points.map((p) => p[k]))];
    const [x, y] = [range(0), range(1)];
    this.middle = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2];
    const room = (side, least) => Math.max(side - 2 * margin, 20) / Math.max(least, 1e-9);
    this.scale = Math.min(room(width, x[1] - x[0]), room(height, y[1] - y[0]));
  }
  pixel(p) {
    return [this.width / 2 + (p[0] - this.middle[0]) * this.scale, this.height / 2 - (p[1] - this.middle[1]) * this.scale];
  }
  place(x, y) {
    return [this.middle[0] + (x - this.width / 2) / this.scale, this.middle[1] - (y - this.height / 2) / this.scale];
  }

  /**
   * A path around convex corners, counter-clockwise, with arcs of `radius`. Corners that coincide, as those of a
   * box of no height, have no edge between them whose normal an arc could begin at, and count as one.
   */
  trace(corners, radius) {
    const c = this.context, reach = radius * this.scale;
    const isApart = (p, q) => Math.hypot(p[0] - q[0], p[1] - q[1]) > 1e-3;
    const pixels = [];
    for (const p of corners.map((corner) => this.pixel(corner))) {
      if (pixels.length === 0 || isApart(p, pixels.at(-1))) pixels.push(p);
    }
    if (pixels.length > 1 && !isApart(pixels[0], pixels.at(-1))) pixels.pop();
    c.beginPath();
    if (pixels.length === 1) {
      c.arc(...pixels[0], Math.max(reach, 0.5), 0, 2 * Math.PI);
      return;
    }
    pixels.forEach(([x, y], i) => {
      if (!(reach > 0)) return c.lineTo(x, y);
      const angle = (p, q) => Math.atan2(q[0] - p[0], p[1] - q[1]);  // of the outward normal, seen with y down
      const from = angle(pixels.at(i - 1), pixels[i]), to = angle(pixels[i], pixels[(i + 1) % pixels.length]);
      // No corner turns by more than half a circle: what seems to has turned back by rounding.
      const turn = (from - to + 4 * Math.PI) % (2 * Math.PI);
      c.arc(x, y, reach, from, turn < 1.5 * Math.PI ? to : from, true);
    });
    c.closePath();
  }
  fill(style, alpha = 1) {
    this.context.globalAlpha = alpha;
    this.context.fillStyle = style;
    this.context.fill();
    this.context.globalAlpha = 1;
  }
  stroke(style, width = 1.5, dash = []) {
    Object.assign(this.context, { strokeStyle: style, lineWidth: width });
    this.context.setLineDash(dash);
    this.context.stroke();
    this.context.setLineDash([]);
  }
  line(from, to, style, width = 1.5, dash = []) {
    this.context.beginPath();
    this.context.moveTo(...this.pixel(from));
    this.context.lineTo(...this.pixel(to));
    this.stroke(style, width, dash);
  }
  arrow(from, to, style, width = 2) {
    const [p, q] = [this.pixel(from), this.pixel(to)];
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
    if (length < 1) return;
    const head = Math.min(10, 0.6 * length), u = [(q[0] - p[0]) / length, (q[1] - p[1]) / length];
    const c = this.context;
    c.beginPath();
    c.moveTo(...p);
    c.lineTo(q[0] - 0.7 * head * u[0], q[1] - 0.7 * head * u[1]);
    this.stroke(style, width);
    c.beginPath();
    c.moveTo(...q);
    c.lineTo(q[0] - head * u[0] - 0.5 * head * u[1], q[1] - head * u[1] + 0.5 * head * u[0]);
    c.lineTo(q[0] - head * u[0] + 0.5 * head * u[1], q[1] - head * u[1] - 0.5 * head * u[0]);
    c.closePath();
    this.fill(style);
  }
  dot(p, style, radius = 4.5, isHollow = false) {
    this.context.beginPath();
    this.context.arc(...this.pixel(p), radius, 0, 2 * Math.PI);
    if (isHollow) this.stroke(style, 2);
    else this.fill(style);
  }
  text(p, words, style, dx = 7, dy = -7) {
    const [x, y] = this.pixel(p);
    this.words(x + dx, y + dy, words, style);
  }
  /** Words at a pixel, with a rim of the page's colour to be read over lines. */
  words(x, y, words, style, align = "left") {
    const c = this.context;
    Object.assign(c, { font: "12px system-ui, sans-serif", textAlign: align, textBaseline: "middle", lineWidth: 3, strokeStyle: color("paper"), fillStyle: style });
    c.strokeText(words, x, y);
    c.fillText(words, x, y);
  }
  /** The origin, as a cross. */
  origin(style) {
    const [x, y] = this.pixel([0, 0]);
    const c = this.context;
    c.beginPath();
    c.moveTo(x - 8, y);
    c.lineTo(x + 8, y);
    c.moveTo(x, y - 8);
    c.lineTo(x, y + 8);
    this.stroke(style, 2);
    this.words(x + 9, y + 11, "0", style);
  }
}
