// What is drawn of one world: shapes, contacts, normals, the images of all of them across periodic sides, and what is
// selected.

import * as THREE from "three";
import { about, column, depth, isContactShown, isFlat, isShown, mostDepth, normal, offset, pair, point } from "./data.js";
import { boundsOf, domainOf } from "./images.js";
import { groups, instancesOf, linesOf, marksOf, ringsOf } from "./meshes.js";
import { addRays, chooseRays, hitsOf, kShapeHit, pointOfRay, rays, rayShape, startOfRay } from "./rays.js";

export const shapes = new THREE.Group();
export const contacts = new THREE.Group();
export const normals = new THREE.Group();
export const selection = new THREE.Group();

export const low = new THREE.Vector3(...about.low);
export const high = new THREE.Vector3(...about.high);
export const middle = low.clone().add(high).multiplyScalar(0.5);
export const size = high.distanceTo(low) || 1;
const domain = about.domain && domainOf(...about.domain, about.periodic, 1e-6 * size);

// --- colours ---

export const isDark = matchMedia("(prefers-color-scheme: dark)");
export const paper = () => new THREE.Color(isDark.matches ? 0x0d1117 : 0xf6f8fa);
const kStops = [[0.0, 0xf2d977], [0.35, 0xef9f4d], [0.7, 0xd9534f], [1.0, 0x8e2a6b]];
const kQuiet = new THREE.Color(0xb6bcc8), kPale = new THREE.Color(0xf4f4f0), kSelected = new THREE.Color(0x2f6fde);

/** The colour of a share, 0 to 1, of the largest depth. */
export function depthColor(share) {
  const at = Math.min(Math.max(share, 0), 1);
  const upper = Math.max(1, kStops.findIndex(([stop]) => at <= stop));
  const [from, low] = kStops[upper - 1];
  const [to, high] = kStops[upper];
  return new THREE.Color(low).lerp(new THREE.Color(high), (at - from) / (to - from));
}

const contactColor = (value) => depthColor(mostDepth > 0 ? value / mostDepth : 0);

let selectedShape = -1;
let deepest = new Map();  // of a shape in the chosen world: its deepest contact
export const deepestOf = (id) => deepest.get(id);

/** Paler than a contact's of the same depth, so that marks are seen on it. Images are half as strong as shapes. */
function colorOf(id, isImage = false) {
  const value = deepest.get(id);
  const color = id === selectedShape ? kSelected
              : hitsOf(id).length > 0 ? kShapeHit.clone().lerp(kPale, 0.4)
              : value === undefined ? kQuiet : contactColor(value).lerp(kPale, isFlat ? 0.25 : 0.4);
  return isImage ? color.clone().lerp(paper(), 0.5) : color;
}

// --- images ---

let images = new Map();  // of a shape in the chosen world: shifts, in lengths of the domain
const kNoImages = [];
const imagesOf = (id) => images.get(id) ?? kNoImages;

function noteImage(id, lengths) {
  if (lengths.every((count) => count === 0)) return;
  const known = images.get(id) ?? [];
  if (!known.some((other) => other.every((count, axis) => count === lengths[axis]))) known.push(lengths);
  images.set(id, known);
}

/**
 * A shape shows in the domain where a part of it, so moved, overlaps it. And it shows at a shape as the file has it that
 * it touches across a side: contacts lie there, which may be outside of the domain.
 */
function findImages(chosen) {
  images = new Map();
  if (!domain) return;
  const boxes = new Map();  // of shapes in contact
  const add = (id, least, most, showsAt) => {
    domain.eachImage(least, most, (lengths) => { if (showsAt(domain.shiftOf(lengths))) noteImage(id, lengths); });
    if (!deepest.has(id)) return;
    const [low, high] = boxes.get(id) ?? [least, most];
    boxes.set(id, [low.map((value, k) => Math.min(value, least[k])), high.map((value, k) => Math.max(value, most[k]))]);
  };
  for (const { mesh, ids, frames, roundings, geometry } of groups) {
    const width = mesh === "ball" ? 4 : 12, positions = mesh === "hull" || mesh === "field" ? geometry.attributes.position.array : null;
    for (let i = 0; i < ids.length; ++i) {
      if (!isShown(ids[i], chosen)) continue;
      const frame = frames.subarray(width * i, width * (i + 1));
      const [least, most] = boundsOf(mesh, frame, roundings?.[i] ?? 0, positions);
      add(ids[i], least, most, (shift) => mesh !== "ball" || domain.meetsBall([0, 1, 2].map((k) => frame[k] + shift[k]), frame[3]));
    }
  }
  const { ids, from, corners, radius } = outlines;
  for (let i = 0; i < ids.length; ++i) {
    if (!isShown(ids[i], chosen)) continue;
    const least = [Infinity, Infinity, 0], most = [-Infinity, -Infinity, 0];
    for (let k = 2 * from[i]; k < 2 * from[i + 1]; ++k) {
      least[k % 2] = Math.min(least[k % 2], corners[k] - radius[i]);
      most[k % 2] = Math.max(most[k % 2], corners[k] + radius[i]);
    }
    add(ids[i], least, most, () => true);
  }
  const center = ([least, most]) => least.map((value, k) => (value + most[k]) / 2);
  for (const i of shownContacts) {
    const [a, b] = [boxes.get(pair[2 * i]), boxes.get(pair[2 * i + 1])];
    if (a && b) noteImage(pair[2 * i + 1], domain.nearest(center(b), center(a)));
  }
}

// --- shapes ---

function addInstances(group, chosen) {
  const { ids } = group, rows = [], moved = [];
  for (let i = 0; i < ids.length; ++i) {
    if (!isShown(ids[i], chosen)) continue;
    rows.push(i);
    for (const lengths of imagesOf(ids[i])) moved.push({ at: i, shift: domain.shiftOf(lengths) });
  }
  if (rows.length === 0) return;
  const mesh = instancesOf(group, rows, moved);
  mesh.userData.ids.forEach((id, place) => mesh.setColorAt(place, colorOf(id, place >= rows.length)));
  shapes.add(mesh);
}

const outlines = {
  ids: column("outline_ids"),
  from: column("outline_offset"),
  corners: column("outline_corners"),
  radius: column("outline_radius"),
};

/** Boxes and polygons of the plane: fans, and where they are rounded bands along their edges and discs. */
function addOutlines(chosen) {
  const { ids, from, corners, radius } = outlines;
  const positions = [], colors = [], owners = [], ofImages = [];
  for (let i = 0; i < ids.length; ++i) {
    if (!isShown(ids[i], chosen)) continue;
    for (const lengths of [null, ...imagesOf(ids[i])]) addOutline(ids[i], i, lengths);
  }
  function addOutline(id, i, lengths) {
    const color = colorOf(id, lengths !== null);
    const [right, up] = lengths ? domain.shiftOf(lengths) : [0, 0];
    const add = (...xy) => {
      for (let k = 0; k < xy.length; k += 2) {
        positions.push(xy[k] + right, xy[k + 1] + up, 0);
        colors.push(color.r, color.g, color.b);
      }
      owners.push(id);
      ofImages.push(lengths !== null);
    };
    const at = (k) => [corners[2 * k], corners[2 * k + 1]];
    const count = from[i + 1] - from[i];
    for (let k = from[i] + 1; k + 1 < from[i + 1]; ++k) add(...at(from[i]), ...at(k), ...at(k + 1));
    for (let k = 0; radius[i] > 0 && k < count; ++k) {
      const [ax, ay] = at(from[i] + k), [bx, by] = at(from[i] + ((k + 1) % count));
      const length = Math.hypot(bx - ax, by - ay) || 1;
      const ox = (radius[i] * (by - ay)) / length, oy = (-radius[i] * (bx - ax)) / length;
      add(ax, ay, ax + ox, ay + oy, bx + ox, by + oy);
      add(ax, ay, bx + ox, by + oy, bx, by);
      for (let turn = 0; turn < 16; ++turn) {
        const a = (turn * Math.PI) / 8, b = ((turn + 1) * Math.PI) / 8, r = radius[i];
        add(ax, ay, ax + r * Math.cos(a), ay + r * Math.sin(a), ax + r * Math.cos(b), ay + r * Math.sin(b));
      }
    }
  }
  if (owners.length === 0) return;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.82, side: THREE.DoubleSide }));
  mesh.userData = { owners, ofImages };
  shapes.add(mesh);
}

const kGridWidth = 1.5 * size;

/** Halfspaces: a line, or a grid, as wide as the scene. */
function addHalfspaces(chosen) {
  const ids = column("plane_ids"), planes = column("planes");
  for (let i = 0; i < ids.length; ++i) {
    if (!isShown(ids[i], chosen)) continue;
    const across = new THREE.Vector3(...planes.subarray(4 * i, 4 * i + 3)).normalize();
    const place = middle.clone().addScaledVector(across, planes[4 * i + 3] - across.dot(middle));
    const helper = isFlat
      ? new THREE.Line(new THREE.BufferGeometry().setFromPoints([-1, 1].map((s) =>
          place.clone().add(new THREE.Vector3(-across.y, across.x, 0).multiplyScalar(s * size)))),
        new THREE.LineBasicMaterial({ color: colorOf(ids[i]) }))
      : new THREE.GridHelper(kGridWidth, 24, isDark.matches ? 0x57606a : 0x8890a0, isDark.matches ? 0x30363d : 0xb6bcc8);
    if (!isFlat) {
      helper.position.copy(place);
      helper.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), across);
      helper.raycast = () => {};  // see halfspaceAt
    }
    helper.userData = { halfspace: ids[i], across, place };
    shapes.add(helper);
  }
}

/** The halfspace whose grid a ray meets first, or -1. */
export function halfspaceAt(ray) {
  let found = -1, nearest = Infinity;
  for (const { userData: { halfspace, across, place } } of shapes.children) {
    if (halfspace === undefined || isFlat) continue;
    const hit = ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(across, place), new THREE.Vector3());
    if (hit === null || hit.distanceTo(place) > kGridWidth / 2) continue;
    if (hit.distanceTo(ray.origin) < nearest) [found, nearest] = [halfspace, hit.distanceTo(ray.origin)];
  }
  return found;
}

function addDomain() {
  if (!domain) return;
  const helper = new THREE.Box3Helper(new THREE.Box3(...about.domain.map((corner) => new THREE.Vector3(...corner))), 0x8890a0);
  helper.raycast = () => {};
  shapes.add(helper);
}

// --- contacts ---

let shownContacts = [];
export const contactsShown = () => shownContacts;
/** Where points of contacts are drawn: a contact each, and three numbers of `marks`. */
let markContacts = new Int32Array(0);
let marks = new Float32Array(0);

/** Images of contacts' points: the domain shows those within it. */
function pointImages() {
  const found = [];
  for (const i of domain ? shownContacts : []) {
    for (let p = offset[i]; p < offset[i + 1]; ++p) {
      const lengths = domain.inside(point.subarray(3 * p, 3 * p + 3));
      if (lengths.some((count) => count !== 0)) found.push({ i, p, shift: domain.shiftOf(lengths) });
    }
  }
  return found;
}

function addContacts() {
  const moved = pointImages();
  let total = moved.length;
  for (const i of shownContacts) total += offset[i + 1] - offset[i];
  marks = new Float32Array(3 * total);
  markContacts = new Int32Array(total);
  if (total === 0) return;
  const lines = new Float32Array(6 * total), colors = new Float32Array(3 * total), lineColors = new Float32Array(6 * total);
  let place = 0;
  const add = (i, p, color, shift) => {
    markContacts[place] = i;
    for (let k = 0; k < 3; ++k) {
      const at = point[3 * p + k] + (shift ? shift[k] : 0);
      marks[3 * place + k] = lines[6 * place + k] = at;
      lines[6 * place + 3 + k] = at + 5 * about.mark * normal[3 * i + k];
      colors[3 * place + k] = lineColors[6 * place + k] = lineColors[6 * place + 3 + k] = color[k];
    }
    ++place;
  };
  const colorOfContact = (i) => contactColor(depth[i]).multiplyScalar(0.7).toArray();
  for (const i of shownContacts) {
    const color = colorOfContact(i);
    for (let p = offset[i]; p < offset[i + 1]; ++p) add(i, p, color, null);
  }
  for (const { i, p, shift } of moved) add(i, p, colorOfContact(i), shift);
  contacts.add(marksOf(marks, colors));
  normals.add(linesOf(lines, lineColors));
}

/** The contact whose mark is the nearest one to a pixel, within some of them; -1 without one. */
export function contactAt(x, y, pixelOf) {
  let best = 14, found = -1;
  for (let m = 0; m < markContacts.length; ++m) {
    const [left, top, isSeen] = pixelOf(marks[3 * m], marks[3 * m + 1], marks[3 * m + 2]);
    const away = Math.hypot(left - x, top - y);
    if (isSeen && away < best) [best, found] = [away, markContacts[m]];
  }
  return found;
}

// --- one world ---

export function drawWorld(chosen) {
  for (const group of [shapes, contacts, normals, rays]) {
    for (const child of group.children) {
      if (child.isInstancedMesh) child.dispose();
      else child.geometry.dispose();
    }
    group.clear();
  }
  selectedShape = -1;
  deepest = new Map();
  shownContacts = [];
  for (let i = 0; i < depth.length; ++i) {
    if (!isContactShown(i, chosen)) continue;
    shownContacts.push(i);
    for (const id of [pair[2 * i], pair[2 * i + 1]]) deepest.set(id, Math.max(depth[i], deepest.get(id) ?? -Infinity));
  }
  findImages(chosen);
  chooseRays(chosen);
  for (const group of groups) addInstances(group, chosen);
  if (isFlat) addOutlines(chosen);
  addHalfspaces(chosen);
  addDomain();
  addContacts();
  addRays(contacts, normals, paper());
}

/** Gives a shape its colour anew. */
function recolor(id) {
  for (const child of shapes.children) {
    const { ids, firstImage, owners, ofImages, halfspace } = child.userData;
    if (ids) {
      ids.forEach((its, place) => { if (its === id) child.setColorAt(place, colorOf(id, place >= firstImage)); });
      child.instanceColor.needsUpdate = true;
    } else if (owners) {
      const colors = child.geometry.attributes.color;
      owners.forEach((its, face) => {
        if (its !== id) return;
        const { r, g, b } = colorOf(id, ofImages[face]);
        for (let k = 0; k < 3; ++k) colors.setXYZ(3 * face + k, r, g, b);
      });
      colors.needsUpdate = true;
    } else if (halfspace === id) {
      child.material.color = isFlat ? colorOf(id) : id === selectedShape ? kSelected : new THREE.Color(0xffffff);
      child.material.vertexColors = !isFlat && id !== selectedShape;
      child.material.needsUpdate = true;
    }
  }
}

/** Marks a shape, a contact or a ray, or none of them (-1), and nothing else. */
export function mark(shape, contact, ray) {
  const before = selectedShape;
  selectedShape = shape;
  if (before !== shape) [before, shape].forEach((id) => { if (id >= 0) recolor(id); });
  for (const child of selection.children) child.geometry.dispose();
  selection.clear();
  const places = [];
  if (ray >= 0) places.push(...(rayShape[ray] < 0 ? startOfRay : pointOfRay)(ray));
  markContacts.forEach((i, m) => { if (i === contact) places.push(...marks.subarray(3 * m, 3 * m + 3)); });
  if (places.length === 0) return;
  selection.add(ringsOf(Float32Array.from(places), Float32Array.from(places, (_, k) => kSelected.toArray()[k % 3])));
}
