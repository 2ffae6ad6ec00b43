// The lab in 3D: what each tab shows in the view of the shapes and in the view of the search.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";

import { drawBars, leastAxis } from "./bars.js";
import { color } from "./plane.js";

const vector = (p) => new THREE.Vector3(...p);
const kUnits = {
  ball: new THREE.SphereGeometry(1, 24, 16),
  rod: new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0),
  cone: new THREE.ConeGeometry(1, 1, 16).translate(0, -0.5, 0),
};
const kUp = new THREE.Vector3(0, 1, 0);

/**
 * A canvas with a camera to look around by, drawn when something has changed. Things are shown as if what is
 * looked at had a size of 1: squares of lengths that graphics cards make must not overflow.
 */
class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.scene = new THREE.Scene();
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x9098a8, 2.4));
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    sun.position.set(-0.5, -0.8, 1.6);
    this.scene.add(sun);
    this.things = new THREE.Group();
    this.scene.add(this.things);
    this.left = [];
    this.camera = new THREE.PerspectiveCamera(36, 1, 0.01, 50);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(-0.45, -1, 0.5);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.size = 1;
  }
  clear() {
    this.left.push(...this.things.children);
    this.things.clear();
  }
  /** Only when others are drawn, which take over their programs: to compile those takes longest. */
  disposeLeft() {
    for (const thing of this.left) {
      if (!Object.values(kUnits).includes(thing.geometry)) thing.geometry.dispose();
      thing.material.map?.dispose();
      thing.material.dispose();
    }
    this.left = [];
  }
  /** Looks at the middle of some points; from where it did, unless `isNew`. */
  lookAt(points, isNew) {
    const box = new THREE.Box3().setFromPoints(points);
    const from = this.camera.position.clone().sub(this.controls.target);
    if (isNew) {
      const { x, y, z } = box.getSize(new THREE.Vector3());
      this.size = Math.hypot(x, y, z) || 1;
      this.things.scale.setScalar(1 / this.size);
      from.setLength(1.5);
    }
    const middle = box.getCenter(new THREE.Vector3()).divideScalar(this.size);
    this.controls.target.copy(middle);
    this.camera.position.copy(middle).add(from);
    this.controls.update();
  }
  draw() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      const { clientWidth: width, clientHeight: height } = this.canvas;
      if (width > 0) {
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.renderer.render(this.scene, this.camera);
      }
      this.disposeLeft();
    });
  }

  add(geometry, material, order = 0) {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.renderOrder = order;
    this.things.add(mesh);
    return mesh;
  }
  ball(p, name, share = 0.014) {
    this.add(kUnits.ball, new THREE.MeshBasicMaterial({ color: color(name), depthTest: false, transparent: true }), 5)
      .position.copy(p);
    this.things.children.at(-1).scale.setScalar(share * this.size);
  }
  rod(from, to, name, share = 0.005) {
    const way = to.clone().sub(from), length = way.length();
    if (length < 1e-9 * this.size) return;
    const mesh = this.add(kUnits.rod, new THREE.MeshBasicMaterial({ color: color(name), depthTest: false, transparent: true }), 4);
    mesh.position.copy(from);
    mesh.quaternion.setFromUnitVectors(kUp, way.divideScalar(length));
    mesh.scale.set(share * this.size, length, share * this.size);
  }
  arrow(from, to, name, share = 0.006) {
    const way = to.clone().sub(from), length = way.length();
    if (length < 1e-6 * this.size) return;
    way.divideScalar(length);
    const head = Math.min(0.05 * this.size, 0.6 * length);
    this.rod(from, to.clone().addScaledVector(way, -0.8 * head), name, share);
    const mesh = this.add(kUnits.cone, new THREE.MeshBasicMaterial({ color: color(name), depthTest: false, transparent: true }), 5);
    mesh.position.copy(to);
    mesh.quaternion.setFromUnitVectors(kUp, way);
    mesh.scale.set(0.4 * head, head, 0.4 * head);
  }
  /** Triangles of indices into points, seen through, with the edges that are any. */
  surface(points, triangles, name, opacity, { rims = true, order = 1 } = {}) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(triangles.flat().flatMap((v) => points[v].toArray()), 3));
    geometry.computeVertexNormals();
    this.add(geometry, new THREE.MeshLambertMaterial({
      color: color(name), transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false, flatShading: true }), order);
    if (rims) this.rims(geometry, name, 1.5);
  }
  rims(geometry, name, degrees) {
    const lines = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, degrees), new THREE.LineBasicMaterial({ color: color(name) }));
    lines.renderOrder = 2;
    this.things.add(lines);
    return lines;
  }
  label(p, words, name) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [256, 64];
    const c = canvas.getContext("2d");
    Object.assign(c, { font: "600 34px system-ui, sans-serif", textBaseline: "middle", lineWidth: 8, strokeStyle: color("paper"), fillStyle: color(name), lineJoin: "round" });
    c.strokeText(words, 24, 32);
    c.fillText(words, 24, 32);
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false, sizeAttenuation: false }));
    sprite.material.map.colorSpace = THREE.SRGBColorSpace;
    sprite.center.set(0, 0.5);
    sprite.position.copy(p);
    sprite.scale.set(0.2, 0.05, 1).multiplyScalar(this.size);
    sprite.renderOrder = 6;
    this.things.add(sprite);
  }
}

const trianglesOf = (face) => Array.from({ length: face.length - 2 }, (_, i) => [face[0], face[i + 1], face[i + 2]]);
const kBallPoints = [2, 1].map((detail) => {
  const { position } = new THREE.IcosahedronGeometry(1, detail + 2).attributes;
  const unique = new Map();
  for (let i = 0; i < position.count; ++i) {
    const p = new THREE.Vector3().fromBufferAttribute(position, i);
    unique.set(p.toArray().map((x) => x.toFixed(5)).join(), p);
  }
  return [...unique.values()];
});
/** Points in their order around a direction. */
function ringOf(points, direction) {
  const middle = points.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(points.length);
  const across = points[0].clone().sub(middle).projectOnPlane(direction).normalize();
  const up = direction.clone().cross(across);
  const angle = (p) => { const way = p.clone().sub(middle); return Math.atan2(way.dot(up), way.dot(across)); };
  return [...points].sort((p, q) => angle(p) - angle(q));
}
/** The corners around points in a plane, the two ends of those on a line, or one point. */
function outlineOf(points) {
  const farthest = (from) => points.reduce((best, p) => (from(p) > from(best) ? p : best));
  const start = farthest((p) => p.distanceTo(points[0])), end = farthest((p) => p.distanceTo(start));
  const length = end.distanceTo(start);
  if (!(length > 0)) return [start];
  const x = end.clone().sub(start).divideScalar(length);
  const rise = (p) => p.clone().sub(start).projectOnPlane(x);
  const up = rise(farthest((p) => rise(p).length()));
  if (!(up.length() > 1e-9 * length)) return [start, end];
  const y = up.normalize(), at = (p) => { const way = p.clone().sub(start); return [way.dot(x), way.dot(y), p]; };
  const ordered = points.map(at).sort((p, q) => p[0] - q[0] || p[1] - q[1]), outline = [];
  for (const list of [ordered, [...ordered].reverse()]) {
    const chain = [];
    for (const p of list) {
      const isLeft = ([u, v]) => (v[0] - u[0]) * (p[1] - u[1]) - (v[1] - u[1]) * (p[0] - u[0]) > 0;
      while (chain.length > 1 && !isLeft(chain.slice(-2))) chain.pop();
      chain.push(p);
    }
    outline.push(...chain.slice(0, -1));
  }
  return outline.map(([, , p]) => p);
}
const pairName = (vertex) => `A${vertex.a}\u2212B${vertex.b}`;

export class SpaceLab {
  /** `bars` is a plane for the shadows, `turns` whether dragging turns. Throws without WebGL. */
  constructor(scene, inner, bars, turns, state, onMove) {
    this.scene = new View(scene);
    this.inner = new View(inner);
    Object.assign(this, { bars, turns, state, onMove, held: null, chosen: "b", origin: [0, 0, 0], bodies: {}, isNew: true });
    // Before the camera's own listeners, which are told nothing of what is held.
    const listen = (event, act) => scene.addEventListener(event, act, { capture: true, passive: false });
    listen("pointerdown", (event) => this.press(event));
    listen("pointermove", (event) => this.drag(event));
    listen("pointerup", (event) => this.release(event));
    listen("pointercancel", (event) => this.release(event));
    listen("keydown", (event) => this.key(event));
  }
  fit() {
    this.isNew = true;
    this.origin = [...this.state?.a.position ?? [0, 0, 0]];
  }
  show(state, answer, tab, step) {
    if (this.tab !== tab) this.isNewInner = true;
    Object.assign(this, { state, answer, tab, step });
    if (this.isNew) this.origin = [...state.a.position];
    this.drawScene();
    if (tab === "sat") drawBars(this.bars, answer.axes, step, 3);
    else this.drawInner();
    this.isNew = false;
  }
  /** From a place of the scene to the view's. */
  place(p) {
    return new THREE.Vector3(p[0] - this.origin[0], p[1] - this.origin[1], p[2] - this.origin[2]);
  }

  /** Where a place of the scene is on the canvas. */
  pixel(p) {
    const { canvas, camera } = this.scene;
    camera.updateMatrixWorld();
    const at = this.place(p).divideScalar(this.scene.size).project(camera);
    return [((at.x + 1) / 2) * canvas.clientWidth, ((1 - at.y) / 2) * canvas.clientHeight];
  }

  // --- by hand ---

  ray(event) {
    const area = this.scene.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((event.clientX - area.left) / area.width) * 2 - 1, 1 - ((event.clientY - area.top) / area.height) * 2), this.scene.camera);
    return ray;
  }
  press(event) {
    if (this.held) return;
    const ray = this.ray(event);
    const hit = ray.intersectObjects(Object.values(this.bodies), false)[0];
    if (!hit) return;
    event.stopImmediatePropagation();
    this.scene.canvas.focus();
    this.chosen = hit.object === this.bodies.a ? "a" : "b";
    const shape = this.state[this.chosen];
    const facing = this.scene.camera.getWorldDirection(new THREE.Vector3());
    this.held = {
      id: event.pointerId, isTurn: event.shiftKey || this.turns.checked, from: [event.clientX, event.clientY], at: [...shape.position],
      turn: shape.turn && new THREE.Quaternion(...shape.turn), point: hit.point,
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
    };
    this.scene.canvas.setPointerCapture(event.pointerId);
  }
  drag(event) {
    if (!this.held || event.pointerId !== this.held.id) return;
    event.stopImmediatePropagation();
    const shape = this.state[this.chosen];
    if (this.held.isTurn) {
      if (!shape.turn) return;
      this.turn(this.held.turn, (event.clientX - this.held.from[0]) * 0.01, (event.clientY - this.held.from[1]) * 0.01, 0);
    } else {
      const now = this.ray(event).ray.intersectPlane(this.held.plane, new THREE.Vector3());
      if (!now) return;
      const way = now.sub(this.held.point).multiplyScalar(this.scene.size).toArray();
      shape.position = this.held.at.map((x, k) => Number((x + way[k]).toFixed(4)));
    }
    this.onMove();
  }
  release(event) {
    if (!this.held || event.pointerId !== this.held.id) return;
    event.stopImmediatePropagation();
    this.held = null;
  }
  /** Turns the chosen shape from a turn on: about the view's upright, its level axis, and the way it looks. */
  turn(from, right, down, about) {
    const { x, y, z } = { x: new THREE.Vector3(), y: new THREE.Vector3(), z: new THREE.Vector3() };
    this.scene.camera.matrixWorld.extractBasis(x, y, z);
    const turned = from.clone();
    for (const [axis, angle] of [[y, right], [x, down], [z, about]]) turned.premultiply(new THREE.Quaternion().setFromAxisAngle(axis, angle));
    this.state[this.chosen].turn = turned.normalize().toArray().map((part) => Number(part.toFixed(9)));
  }
  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const shape = this.state[this.chosen], share = event.shiftKey ? 0.1 : 1;
    const letter = event.key.toLowerCase();  // with shift it is Q
    if (ways[event.key]) {
      const [right, up] = [new THREE.Vector3(), new THREE.Vector3()];
      this.scene.camera.matrixWorld.extractBasis(right, up, new THREE.Vector3());
      const way = right.multiplyScalar(ways[event.key][0]).addScaledVector(up, ways[event.key][1]).multiplyScalar(0.02 * share).toArray();
      shape.position = shape.position.map((x, k) => Number((x + way[k]).toFixed(4)));
    } else if ((letter === "q" || letter === "e") && shape.turn) {
      this.turn(new THREE.Quaternion(...shape.turn), 0, 0, (letter === "q" ? 0.02 : -0.02) * share);
    } else if (event.key === " ") {
      this.chosen = this.chosen === "a" ? "b" : "a";
    } else {
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    this.onMove();
  }

  // --- the shapes ---

  drawScene() {
    const { scene, answer, tab } = this;
    scene.clear();
    if (this.isNew) {
      scene.lookAt(["a", "b"].flatMap((name) => {
        const side = answer[name], center = this.place(side.center);
        return side.corners.flatMap((p) => [1, -1].map((sign) => vector(p).add(center).addScalar(sign * side.radius)));
      }), true);
    }
    this.drawShape("a");
    this.drawShape("b");
    if (tab === "answer") this.drawAnswer();
    if (tab === "sat") this.drawAxis();
    if (tab === "gjk" || tab === "epa") this.drawSupports();
    for (const name of ["a", "b"]) scene.label(this.place(answer[name].center), name.toUpperCase(), name);
    scene.draw();
  }
  geometryOf(side) {
    const corners = side.corners.map(vector), { size } = this.scene;
    const triangles = side.faces.flatMap(trianglesOf);
    const areaOf = ([p, q, r]) => corners[q].clone().sub(corners[p]).cross(corners[r].clone().sub(corners[p])).divideScalar(size).divideScalar(size).length();
    // A point or a segment is drawn as thick as can be seen and held.
    const isThin = side.radius === 0 && !triangles.some((triangle) => areaOf(triangle) > 1e-9);
    const radius = isThin ? 0.008 * size : side.radius;
    if (radius > 0) {
      if (corners.length === 1) return new THREE.SphereGeometry(radius, 48, 32).translate(...side.corners[0]);
      const ball = kBallPoints[corners.length > 2 ? 1 : 0];
      return new ConvexGeometry(corners.flatMap((p) => ball.map((q) => p.clone().addScaledVector(q, radius))));
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(triangles.flat().flatMap((v) => side.corners[v]), 3));
    geometry.computeVertexNormals();
    return geometry;
  }
  drawShape(name) {
    const { scene, answer } = this, side = answer[name], center = this.place(side.center);
    const geometry = this.geometryOf(side);
    const show = (at, opacity, lineOpacity) => {
      const lines = scene.rims(geometry, name, side.radius > 0 ? 25 : 1);
      lines.position.copy(at);
      if (lineOpacity < 1) Object.assign(lines.material, { transparent: true, opacity: lineOpacity });
      if (opacity === 0) return null;
      const body = scene.add(geometry, new THREE.MeshLambertMaterial({
        color: color(name), transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false, flatShading: side.radius === 0 }), 1);
      body.position.copy(at);
      return body;
    };
    this.bodies[name] = show(center, 0.45, 1);
    // What is round has few edges that a line could be drawn along, or none.
    const { contact } = answer.answers.sat, isRound = side.radius > 0;
    if (this.tab === "answer" && name === "b" && contact) show(vector(contact.normal).multiplyScalar(contact.depth).add(center), isRound ? 0.15 : 0, 0.6);
  }
  drawAnswer() {
    const { scene } = this, { contact, point_a: onA, point_b: onB } = this.answer.answers.sat;
    if (!contact) {
      scene.rod(this.place(onA), this.place(onB), "win");
      scene.ball(this.place(onA), "a");
      scene.ball(this.place(onB), "b");
      return;
    }
    const normal = vector(contact.normal);
    for (const point of contact.points) {
      const at = this.place(point.at), partner = at.clone().addScaledVector(normal, -point.depth);
      scene.rod(at, partner, "hit", 0.003);
      scene.ball(partner, "hit", 0.008);
      scene.ball(at, "hit");
    }
    const ring = ringOf(contact.points.map((point) => this.place(point.at)), normal);
    ring.forEach((p, i) => scene.rod(p, ring[(i + 1) % ring.length], "hit", 0.002));
    const from = ring.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(ring.length);
    const reach = contact.depth > 0.02 * scene.size ? contact.depth : 0.1 * scene.size;
    scene.arrow(from, from.clone().addScaledVector(normal, reach), "win");
  }
  drawAxis() {
    const { scene, answer } = this, axis = answer.axes[this.step];
    if (!axis) return;
    const d = vector(axis.direction), name = this.step === leastAxis(answer.axes) ? "win" : "ink";
    // Below the shapes, as the camera sees them.
    const down = this.scene.camera.getWorldDirection(new THREE.Vector3()).cross(d).normalize();
    if (down.lengthSq() < 0.5) down.set(0, 0, -1);
    if (down.z > 0) down.negate();
    const start = this.place(answer.a.center);
    const lowest = Math.max(...["a", "b"].flatMap((of) => answer[of].corners.map((p) =>
      vector(p).add(this.place(answer[of].center)).sub(start).dot(down) + answer[of].radius)));
    const on = (at, lift = 0) => start.clone().addScaledVector(d, at).addScaledVector(down, lowest + (0.06 + lift) * scene.size);
    const [low, high] = [Math.min(axis.a[0], axis.b[0]), Math.max(axis.a[1], axis.b[1])];
    scene.arrow(on(low - 0.1 * scene.size), on(high + 0.14 * scene.size), name, 0.003);
    scene.rod(on(axis.a[0], -0.016), on(axis.a[1], -0.016), "a", 0.009);
    scene.rod(on(axis.b[0], 0.016), on(axis.b[1], 0.016), "b", 0.009);
    scene.rod(on(axis.b[0]), on(axis.a[1]), axis.overlap >= 0 ? "hit" : "win", 0.006);
    for (const [at, of, sign] of [[axis.a[1], "a", 1], [axis.b[0], "b", -1]]) {
      const side = answer[of], center = this.place(side.center);
      const corner = side.corners.map(vector).reduce((best, p) => (sign * p.dot(d) > sign * best.dot(d) + 1e-12 ? p : best));
      scene.rod(corner.clone().add(center).addScaledVector(d, sign * side.radius), on(at), of, 0.0015);
    }
    const ends = (of, corners) => corners.map((v) => vector(answer[of].corners[v]).add(this.place(answer[of].center)));
    if (axis.of === "edges") {
      scene.rod(...ends("a", answer.a.edges[axis.edge]), name, 0.008);
      scene.rod(...ends("b", answer.b.edges[axis.other]), name, 0.008);
    } else if (axis.of === "a" || axis.of === "b") {
      const ring = ends(axis.of, answer[axis.of].faces[axis.edge]);
      ring.forEach((p, i) => scene.rod(p, ring[(i + 1) % ring.length], name, 0.006));
    }
  }
  search() {
    const { answer, tab, step } = this;
    if (tab === "gjk") {
      const now = answer.gjk.steps[step];
      if (!now) return { simplex: answer.gjk.simplex, nearest: vector(answer.gjk.nearest) };
      const nearest = vector(now.nearest);
      return { ...now, nearest, direction: nearest.clone().negate().normalize() };
    }
    if (!answer.epa) return null;
    const { steps, normal, depth } = answer.epa, now = steps[step];
    if (!now) return { ...steps.at(-1), isEnd: true, simplex: [], support: null, direction: vector(normal), distance: depth };
    return { ...now, simplex: [], direction: vector(now.direction), corners: now.nearest.map((v) => vector(now.vertices[v])) };
  }
  drawSupports() {
    const now = this.search();
    if (!now) return;
    const { scene, answer } = this;
    const at = (name, number) => vector(answer[name].corners[number]).add(this.place(answer[name].center));
    for (const vertex of now.simplex) {
      scene.rod(at("a", vertex.a), at("b", vertex.b), "mark", 0.002);
      scene.ball(at("a", vertex.a), "mark");
      scene.ball(at("b", vertex.b), "mark");
    }
    if (now.isEnd) {
      const from = this.place(answer.b.center);
      scene.arrow(from, from.clone().addScaledVector(now.direction, now.distance), "win");
    }
    if (!now.support) return;
    for (const [name, sign] of [["a", 1], ["b", -1]]) {
      const p = at(name, now.support[name]);
      scene.arrow(p, p.clone().addScaledVector(now.direction, 0.14 * sign * scene.size), "win");
      scene.ball(p, "win", 0.016);
      if (answer[name].corners.length > 1) scene.label(p, `${name.toUpperCase()}${now.support[name]}`, "win");
    }
  }

  // --- the search ---

  drawInner() {
    const { inner, answer, tab } = this, { difference } = answer;
    const points = difference.points.map(vector), radius = answer.a.radius + answer.b.radius;
    inner.clear();
    const zero = new THREE.Vector3();
    inner.lookAt([...points, zero.clone().addScalar(radius), zero.clone().addScalar(-radius)], this.isNew || this.isNewInner);
    this.isNewInner = false;
    if (difference.faces.length > 0) inner.surface(points, difference.faces, "diff", 0.25);
    else this.drawFlat(points);
    if (radius > 0) {
      const ball = inner.add(new THREE.SphereGeometry(radius, 32, 24), new THREE.MeshLambertMaterial({ color: color("ink"), transparent: true, opacity: 0.12, depthWrite: false }), 1);
      ball.position.copy(zero);
    }
    if (tab === "answer") {
      const { distance, normal } = answer.answers.sat;
      inner.arrow(zero, vector(normal).multiplyScalar(-distance), distance < 0 ? "win" : "hit");
    } else if (tab === "gjk") {
      this.drawSimplex();
    } else if (answer.epa) {
      this.drawPolytope();
    }
    inner.ball(zero, "ink", 0.012);
    inner.label(zero, "0", "ink");
    inner.draw();
  }
  /** A difference without a volume: a point, a segment, or what lies in a plane. */
  drawFlat(points) {
    const { inner } = this;
    const outline = points.length > 0 ? outlineOf(points) : [];
    if (outline.length === 1) inner.ball(outline[0], "diff");
    if (outline.length > 2) inner.surface(outline, trianglesOf(outline.map((_, i) => i)), "diff", 0.25, { rims: false });
    if (outline.length > 1) outline.forEach((p, i) => inner.rod(p, outline[(i + 1) % outline.length], "diff"));
  }
  drawSimplex() {
    const { inner, answer } = this, now = this.search();
    const corners = now.simplex.map((vertex) => vector(vertex.at));
    const faces = { 3: [[0, 1, 2]], 4: [[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]] }[corners.length];
    if (faces) inner.surface(corners, faces, "mark", 0.3, { rims: false });
    corners.forEach((p, i) => corners.slice(i + 1).forEach((q) => inner.rod(p, q, "mark")));
    now.simplex.forEach((vertex, i) => {
      inner.ball(corners[i], "mark");
      inner.label(corners[i], pairName(vertex), "mark");
    });
    if (!(answer.gjk.overlaps && !now.support)) {
      inner.rod(new THREE.Vector3(), now.nearest, "hit", 0.003);
      inner.ball(now.nearest, "hit", 0.012);
    }
    this.drawSupport(now, now.nearest);
  }
  drawSupport(now, from) {
    if (!now.support) return;
    const { inner } = this;
    inner.arrow(from, from.clone().addScaledVector(now.direction, 0.14 * inner.size), "win");
    inner.ball(vector(now.support.at), "win", 0.018);
    inner.label(vector(now.support.at), pairName(now.support), "win");
  }
  drawPolytope() {
    const { inner } = this, now = this.search();
    if (!now) return;
    if (now.isEnd) inner.arrow(new THREE.Vector3(), now.direction.clone().multiplyScalar(now.distance), "win");
    if (!now.vertices) return;
    const vertices = now.vertices.map(vector);
    inner.surface(vertices, now.faces, "mark", 0.22, { rims: false });
    const edges = new Set(now.faces.flatMap(([i, j, k]) => [[i, j], [j, k], [k, i]].map(([p, q]) => (p < q ? `${p} ${q}` : `${q} ${p}`))));
    for (const edge of edges) {
      const [p, q] = edge.split(" ").map((v) => vertices[v]);
      inner.rod(p, q, "mark", 0.0035);
    }
    if (now.isEnd) return;
    inner.surface(vertices, [now.nearest], "hit", 0.6, { rims: false, order: 3 });
    const [p, q, r] = now.corners;
    for (const [from, to] of [[p, q], [q, r], [r, p]]) inner.rod(from, to, "hit");
    inner.arrow(new THREE.Vector3(), now.direction.clone().multiplyScalar(now.distance), "hit");
    this.drawSupport(now, p.clone().add(q).add(r).divideScalar(3));
  }
}
