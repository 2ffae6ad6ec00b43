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

  /** A path around convex corners, counter-clockwise, with arcs of `radius`. */
  trace(corners, radius) {
    const c = this.context;
    c.beginPath();
    const reach = radius * this.scale;
    if (corners.length === 1) {
      c.arc(...this.pixel(corners[0]), Math.max(reach, 0.5), 0, 2 * Math.PI);
      return;
    }
    corners.forEach((corner, i) => {
      const before = corners[(i + corners.length - 1) % corners.length], after = corners[(i + 1) % corners.length];
      const angle = (p, q) => Math.atan2(q[0] - p[0], q[1] - p[1]);  // of the outward normal, seen with y down
      const [x, y] = this.pixel(corner);
      if (reach > 0) c.arc(x, y, reach, angle(before, corner), angle(corner, after), true);
      else c.lineTo(x, y);
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
