// The page that `widephase view` writes: shapes and contacts of one world at a time. That of `widephase cast --page` has
// rays and what they hit in place of contacts.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import {
  about, column, contactOfRow, depth, feature, isContactShown, isFlat, isShown, mostDepth, normal, offset, pair, part,
  point, pointDepth, rowOf, shapeCount, world,
} from "./data.js";
import {
  contactAt, contacts, contactsShown, deepestOf, depthColor, drawWorld, halfspaceAt, high, isDark, low, mark, middle,
  normals, paper, selection, shapes, size,
} from "./drawing.js";
import { roundLength } from "./images.js";
import { kGround, kSky, kSkyLight, kSun, kSunLight, markHeight } from "./meshes.js";
import {
  hasRays, hitsOf, normalOfRay, pointOfRay, rayAt, rayFeature, rayOfRow, rayPart, rays, rayShape, raysShown, rayT, rowOfRay,
  startOfRay, statusText, worldOfRay,
} from "./rays.js";
import { fragmentOf, stateOf, wholeOf } from "./state.js";
import { counted, digits, featureText, filtersOf, fullNameOf, kindAndRow, nameOf, verbOf } from "./words.js";
import { lowerBound, worldsInContact, worldsOf } from "./worlds.js";

const element = (id) => document.getElementById(id);
const worlds = worldsOf(about);
const inContact = worldsInContact(pair, world);

const canvas = element("scene");
const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
const scene = new THREE.Scene();
scene.add(shapes, rays, contacts, normals, selection);
const sky = new THREE.HemisphereLight(kSky, kGround, kSkyLight);
sky.position.set(0, 0, 1);
const sun = new THREE.DirectionalLight(0xffffff, kSunLight);
sun.position.copy(kSun);
scene.add(sky, sun);

const camera = isFlat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(40, 1, size * 1e-4, size * 20);
const controls = new OrbitControls(camera, canvas);
controls.listenToKeyEvents(canvas);
controls.enableRotate = !isFlat;
if (isFlat) controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
if (isFlat) controls.touches.ONE = THREE.TOUCH.PAN;
controls.addEventListener("change", () => { remember(); draw(); });

// --- one world ---

let chosen = 0;

function show(number) {
  chosen = Math.min(Math.max(Math.trunc(number), 0), worlds.count - 1);
  drawWorld(chosen);
  let count = 0;
  for (let id = 0; id < shapeCount; ++id) count += isShown(id, chosen) ? 1 : 0;
  const met = contactsShown().length;
  element("shape-count").textContent = counted(count, "shape");
  const asked = raysShown(), found = asked.filter((i) => rayShape[i] >= 0).length;
  element("contact-count").textContent = hasRays ? `${found.toLocaleString("en")} of ${counted(asked.length, "ray")} hit` : counted(met, "contact");
  element("shape-count").disabled = count === 0;
  element("contact-count").disabled = met + asked.length === 0;
  element("place").textContent = worlds.count > 1 ? ` in ${worlds.textOf(chosen)}` : "";
  element("slider").value = String(chosen);
  element("slider").setAttribute("aria-valuetext", worlds.textOf(chosen));
  element("world").value = String(worlds.labelOf(chosen));
  for (const way of [-1, 1]) element(way < 0 ? "previous" : "next").setAttribute("aria-disabled", String(withContacts(way) === null));
  select({});
  draw();
}

/** The nearest world with contacts before the chosen one (-1) or after it (1); null without one. */
function withContacts(way) {
  const at = lowerBound(inContact, way < 0 ? chosen : chosen + 1);
  return inContact[way < 0 ? at - 1 : at] ?? null;
}

function step(way) {
  const found = withContacts(way);
  if (found !== null && about.world === null) show(found);
}

// --- what is selected, and its numbers ---

let selected = { shape: -1, contact: -1, ray: -1 };

/** Selects a shape, a contact or a ray, or none of them, and tells its numbers. */
function select({ shape = -1, contact = -1, ray = -1 }) {
  selected = { shape, contact, ray };
  mark(shape, contact, ray);
  element("numbers").hidden = shape < 0 && contact < 0 && ray < 0;
  if (ray >= 0) tellRay(ray);
  else if (contact >= 0) tellContact(contact);
  else if (shape >= 0) tellShape(shape);
  remember();
  draw();
}

const inScene = (place) => Array.from({ length: about.dimension }, (_, k) => digits(place[k] * about.unit + about.origin[k]));
const absolute = (p) => inScene(point.subarray(3 * p, 3 * p + 3));

/** A button that selects something else. */
function link(text, to) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: "link" });
  button.addEventListener("click", () => { select(to); element("what").focus(); });
  return button;
}
/** Nodes with commas between. */
const listed = (nodes) => nodes.flatMap((node, i) => (i === 0 ? [node] : [", ", node]));

/** Shows rows of [name, text or nodes] under a heading. */
function tell(heading, rows) {
  element("what").textContent = heading;
  const table = element("table");
  table.textContent = "";
  for (const [name, content] of rows) {
    const line = table.insertRow();
    line.appendChild(Object.assign(document.createElement("th"), { scope: "row", textContent: name }));
    line.insertCell().append(...(Array.isArray(content) ? content : [content]));
  }
}

function tellContact(i) {
  const ids = [pair[2 * i], pair[2 * i + 1]];
  const rows = [
    ["contact", String(rowOf(i))],
    ["shapes", listed(ids.map((id) => link(fullNameOf(id), { shape: id })))],
    ["ids", ids.join(", ")],
    ["depth", digits(depth[i])],
    ["normal", Array.from(normal.subarray(3 * i, 3 * i + about.dimension), digits).join(", ")],
  ];
  for (let p = offset[i]; p < offset[i + 1]; ++p) {
    rows.push([`point ${p - offset[i]}`, `${absolute(p).join(", ")}; depth ${digits(pointDepth[p])}; ` +
      `${featureText(feature[p] >>> 16, part?.[2 * p])} with ${featureText(feature[p] & 0xffff, part?.[2 * p + 1])}`]);
  }
  tell(`${nameOf(ids[0])} ${verbOf(depth[i])} ${nameOf(ids[1])}`, rows);
}

function tellRay(i) {
  const id = rayShape[i], start = ["from", inScene(startOfRay(i)).join(", ")];
  if (id < 0) return tell(`ray ${rowOfRay(i)} hits nothing`, [["ray", String(rowOfRay(i))], start]);
  return tell(`ray ${rowOfRay(i)} hits ${nameOf(id)}`, [
    ["ray", String(rowOfRay(i))],
    ["shape", [link(fullNameOf(id), { shape: id })]],
    ["id", String(id)],
    ["status", statusText(i)],
    ["t", digits(rayT[i])],
    start,
    ["point", inScene(pointOfRay(i)).join(", ")],
    ["normal", Array.from(normalOfRay(i).subarray(0, about.dimension), digits).join(", ")],
    ["feature", featureText(rayFeature[i], rayPart?.[i])],
  ]);
}

/** The first rays that hit a shape: buttons that select them. */
function raysOf(id) {
  const all = hitsOf(id), nodes = all.slice(0, kMostPartners).map((i) => link(String(rowOfRay(i)), { ray: i }));
  return listed(all.length > nodes.length ? [...nodes, `${(all.length - nodes.length).toLocaleString("en")} more`] : nodes);
}

/** A floor touches thousands. */
const kMostPartners = 50;

/** The partners of a shape in some contacts, the deepest first: buttons that select these contacts. */
function partnersOf(id, met) {
  const sorted = [...met].sort((i, j) => depth[j] - depth[i]);
  const nodes = sorted.slice(0, kMostPartners).map((i) => link(nameOf(pair[2 * i] === id ? pair[2 * i + 1] : pair[2 * i]), { contact: i }));
  const left = sorted.length - kMostPartners;
  return listed(left > 0 ? [...nodes, `${left.toLocaleString("en")} more`] : nodes);
}

function tellShape(id) {
  const met = contactsShown().filter((i) => pair[2 * i] === id || pair[2 * i + 1] === id);
  const touched = met.filter((i) => verbOf(depth[i]) === "touches"), near = met.filter((i) => verbOf(depth[i]) !== "touches");
  tell(nameOf(id), [
    ["shape", kindAndRow(id)],
    ["id", String(id)],
    [about.word, world[id] === -1 ? "all" : String(worlds.labelOf(world[id]))],
    ...filtersOf(id),
    hasRays ? ["hit by rays", hitsOf(id).length === 0 ? "none" : raysOf(id)]
      : ["touches", touched.length === 0 ? "nothing" : partnersOf(id, touched)],
    ...(near.length === 0 ? [] : [["is near", partnersOf(id, near)]]),
    ...(met.length === 0 ? [] : [["deepest", digits(deepestOf(id))]]),
  ]);
}

/** The next shown shape, contact or ray after the selected one, or before it (-1), around the ends. */
function selectNext(way) {
  if (selected.ray >= 0) {
    const all = raysShown();
    return select({ ray: all[(lowerBound(all, selected.ray) + way + all.length) % all.length] });
  }
  if (selected.contact >= 0) {
    const all = contactsShown();
    return select({ contact: all[(lowerBound(all, selected.contact) + way + all.length) % all.length] });
  }
  let id = selected.shape;
  do id = (id + way + shapeCount) % shapeCount; while (!isShown(id, chosen));
  return select({ shape: id });
}

/** Where a place of the page's frame is, in pixels, and whether it is before the eye. */
function pixelOf(x, y, z) {
  const at = new THREE.Vector3(x, y, isFlat ? 0 : z).project(camera);
  const area = canvas.getBoundingClientRect();
  return [area.left + ((at.x + 1) / 2) * area.width, area.top + ((1 - at.y) / 2) * area.height, Math.abs(at.z) <= 1];
}

function pick(x, y) {
  const contact = element("points").checked ? contactAt(x, y, pixelOf) : -1;
  if (contact >= 0) return select({ contact });
  const ray = element("points").checked ? rayAt(x, y, pixelOf) : -1;
  if (ray >= 0) return select({ ray });
  if (!element("shapes").checked) return select({});
  const area = canvas.getBoundingClientRect();
  const caster = new THREE.Raycaster();
  caster.params.Line.threshold = 6 * pixelLength();
  caster.setFromCamera(new THREE.Vector2(((x - area.left) / area.width) * 2 - 1, 1 - ((y - area.top) / area.height) * 2), camera);
  for (const { object, instanceId, faceIndex } of caster.intersectObjects(shapes.children, false)) {
    const { ids, owners, halfspace } = object.userData;
    if (ids) return select({ shape: ids[instanceId] });
    if (owners) return select({ shape: owners[faceIndex] });
    if (halfspace !== undefined) return select({ shape: halfspace });
  }
  return select({ shape: halfspaceAt(caster.ray) });
}

// --- camera and frames ---

/** In 2D, how long a pixel is on the page. */
const pixelLength = () => (isFlat ? (camera.top - camera.bottom) / camera.zoom / innerHeight : 0);

function lookFrom(position, target, zoom) {
  controls.target.copy(target);
  camera.up.set(0, isFlat ? 1 : 0, isFlat ? 0 : 1);
  camera.position.copy(position);
  camera.zoom = zoom;
  controls.update();
  resize();
}

const home = middle.clone().add(isFlat ? new THREE.Vector3(0, 0, size) : new THREE.Vector3(-0.55, -1.1, 0.75).multiplyScalar(1.05 * size));
const resetCamera = () => lookFrom(home, middle, 1);

/** A coordinate of the scene, with the digits that tell places on the page apart. */
function coordinate(place, axis) {
  const value = place * about.unit + about.origin[axis];
  const wider = Math.log10(Math.max(Math.abs(value) / about.unit, 1));
  return Number(value.toPrecision(Math.min(6 + Math.ceil(wider), 17)));
}

/** The camera as the address has it (state.js); null where it is at home. */
function cameraNumbers() {
  const { target } = controls;
  if (isFlat) {
    if (camera.zoom === 1 && target.distanceTo(middle) < 1e-6 * size) return null;
    const across = 2 * Math.min(camera.top, camera.right) / camera.zoom * about.unit;
    return [coordinate(target.x, 0), coordinate(target.y, 1), Number(across.toPrecision(6))];
  }
  if (camera.position.distanceTo(home) < 1e-6 * size && target.distanceTo(middle) < 1e-6 * size) return null;
  return [camera.position, target].flatMap((place) => [0, 1, 2].map((axis) => coordinate(place.getComponent(axis), axis)));
}

/** Places the camera; at home, if it would be so far away or so near that nothing is drawn. */
function setCamera(numbers) {
  const placed = (at, axis) => (at - about.origin[axis]) / about.unit;
  const isWithin = (place) => place.distanceTo(middle) < 1e4 * size;
  if (isFlat) {
    const target = new THREE.Vector3(placed(numbers[0], 0), placed(numbers[1], 1), middle.z);
    const zoom = 2 * Math.min(camera.top, camera.right) * about.unit / numbers[2];
    if (!isWithin(target) || !(zoom > 1e-4 && zoom < 1e6)) return resetCamera();
    return lookFrom(target.clone().setZ(target.z + size), target, zoom);
  }
  const [position, target] = [0, 3].map((k) => new THREE.Vector3(...[0, 1, 2].map((axis) => placed(numbers[k + axis], axis))));
  const away = position.distanceTo(target);
  if (!isWithin(position) || !isWithin(target) || !(away > 1e-5 * size)) return resetCamera();
  return lookFrom(position, target, 1);
}

function zoomBy(times) {
  if (isFlat) camera.zoom *= times;
  else camera.position.sub(controls.target).divideScalar(times).add(controls.target);
  camera.updateProjectionMatrix();
  controls.update();
  remember();
  draw();
}

function resize() {
  const width = innerWidth, height = innerHeight;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  markHeight.value = height * renderer.getPixelRatio();
  if (isFlat) {
    const reach = Math.max((high.y - low.y) / 2, ((high.x - low.x) / 2) * (height / width)) * 1.15 || 1;
    Object.assign(camera, { top: reach, bottom: -reach, right: (reach * width) / height, left: (-reach * width) / height, near: 0.01 * size, far: 10 * size });
  } else {
    camera.aspect = width / height;
    // As wide on a narrow page as on a wide one.
    camera.fov = (2 * Math.atan(Math.tan((20 * Math.PI) / 180) * Math.max(1, height / width)) * 180) / Math.PI;
  }
  camera.updateProjectionMatrix();
  draw();
}

/** In 2D a bar of a round length, in the scene's unit. */
function drawScaleBar() {
  if (!isFlat) return;
  const pixel = pixelLength() * about.unit, length = roundLength(140 * pixel);
  element("bar").style.width = `${length / pixel}px`;
  element("length").textContent = digits(length);
}

let isWaiting = false;
function draw() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    renderer.render(scene, camera);
    drawScaleBar();
  });
}

// --- the page's state in its address ---

const kSwitches = [["shapes", shapes], ["points", contacts], ["normals", normals], ["rays", rays]];
const kWritePause = 400;  // milliseconds: browsers refuse more than about 100 addresses in 30 s
let isRestoring = true, writer = 0;

function remember() {
  if (isRestoring) return;
  writer ||= setTimeout(writeState, kWritePause);
}

function writeState() {
  clearTimeout(writer);
  writer = 0;
  const fragment = fragmentOf({
    world: worlds.count > 1 && about.world === null ? chosen : null,
    camera: cameraNumbers(),
    shape: selected.shape >= 0 ? selected.shape : null,
    contact: selected.contact >= 0 ? rowOf(selected.contact) : null,
    ray: selected.ray >= 0 ? rowOfRay(selected.ray) : null,
    hide: kSwitches.map(([id]) => id).filter((id) => !element(id).checked),
  }, worlds);
  try {
    history.replaceState(null, "", `#${fragment}`);
  } catch {
    // A page within another one, as in a notebook, may not have an address of its own.
  }
}

/** What the address tells; the rest as a page opens. */
function restore() {
  isRestoring = true;
  clearTimeout(writer);
  writer = 0;
  const state = stateOf(location.hash.slice(1), worlds, about.dimension);
  const shape = state.shape !== null && state.shape >= 0 && state.shape < shapeCount ? state.shape : -1;
  const contact = state.contact !== null ? contactOfRow(state.contact) : -1;
  const ray = state.ray !== null ? rayOfRow(state.ray) : -1;
  const of = contact >= 0 ? Math.max(world[pair[2 * contact]], world[pair[2 * contact + 1]])
    : ray >= 0 ? worldOfRay(ray) : shape >= 0 ? world[shape] : -1;
  show(about.world ?? state.world ?? (of >= 0 ? of : inContact[0] ?? 0));
  if (contact >= 0 && isContactShown(contact, chosen)) select({ contact });
  else if (raysShown().includes(ray)) select({ ray });
  else if (shape >= 0 && isShown(shape, chosen)) select({ shape });
  for (const [id, group] of kSwitches) group.visible = element(id).checked = !state.hide.includes(id);
  resize();
  if (state.camera) setCamera(state.camera);
  else resetCamera();
  isRestoring = false;
}

// --- controls ---

for (const [id, group] of kSwitches) {
  element(id).addEventListener("change", () => { group.visible = element(id).checked; remember(); draw(); });
}
element("reset").addEventListener("click", resetCamera);
addEventListener("resize", resize);
addEventListener("hashchange", restore);
addEventListener("pagehide", () => { if (writer) writeState(); });
isDark.addEventListener("change", () => { const before = selected; paint(); show(chosen); select(before); });

let pressed = null;
canvas.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
canvas.addEventListener("pointerup", (event) => {
  const isClick = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5;
  if (isClick) pick(event.clientX, event.clientY);
});
const kKeys = {
  n: () => step(1), p: () => step(-1), "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8),
  Escape: () => select({}),
};
canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !kKeys[event.key]) return;
  event.preventDefault();
  kKeys[event.key]();
});

element("shape-count").addEventListener("click", () => { select({ shape: -1 }); selectNext(1); });
element("contact-count").addEventListener("click", () => select(hasRays ? { ray: raysShown()[0] } : { contact: contactsShown()[0] }));
element("before").addEventListener("click", () => selectNext(-1));
element("after").addEventListener("click", () => selectNext(1));
element("close").addEventListener("click", () => { select({}); canvas.focus(); });

element("worlds").hidden = worlds.count < 2 || about.world !== null;
element("steps").hidden = inContact.length === 0;
element("word").textContent = about.word;
for (const [id, way] of [["previous", -1], ["next", 1]]) {
  element(id).title = `${id} ${about.word} with contacts (${way < 0 ? "p" : "n"})`;
  element(id).setAttribute("aria-label", `${id} ${about.word} with contacts`);
  element(id).addEventListener("click", () => step(way));
}
element("legend").hidden = depth.length === 0;
element("ray-switch").hidden = !hasRays;
if (hasRays) element("marks").textContent = "hits";
element("ruler").hidden = !isFlat;
element("slider").max = String(worlds.count - 1);
element("slider").setAttribute("aria-label", about.word);
element("slider").addEventListener("input", () => show(Number(element("slider").value) || 0));
// A number is done with Enter or when one leaves it: worlds may be called 0, 10, 50.
element("world").addEventListener("change", () => {
  const label = wholeOf(element("world").value.trim());
  show(label === null ? chosen : worlds.nearest(label));
});
element("world").addEventListener("keydown", (event) => {
  const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (way) show(chosen + way);
  if (way) event.preventDefault();
});
let player = 0;
element("play").addEventListener("click", () => {
  clearInterval(player);
  player = player ? 0 : setInterval(() => show((chosen + 1) % worlds.count), 40);
  element("play").textContent = player ? "\u23f8" : "\u25b6";
});

element("title").textContent = about.title;
element("least").textContent = "0";
element("most").textContent = digits(mostDepth);
const scale = element("scale").getContext("2d");
for (let x = 0; x < 128; ++x) {
  scale.fillStyle = `#${depthColor(x / 127).getHexString()}`;
  scale.fillRect(x, 0, 1, 1);
}

function paint() {
  scene.background = paper();
  draw();
}
paint();
restore();
// For scripts: where things are, and how fast the page draws.
window.widephase = {
  show,
  project(x, y, z = 0) { return pixelOf(...[x, y, z].map((value, k) => (value - about.origin[k]) / about.unit)); },
  frameMilliseconds(count) {
    const began = performance.now(), context = renderer.getContext(), pixel = new Uint8Array(4);
    for (let i = 0; i < count; ++i) {
      renderer.render(scene, camera);
      // The answer waits until all is drawn.
      context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
    }
    return (performance.now() - began) / count;
  },
};
