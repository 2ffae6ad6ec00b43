// What is drawn of the rays of one world, on the pages that `widephase cast --page` writes.

import * as THREE from "three";
import { about, column } from "./data.js";
import { linesOf, marksOf } from "./meshes.js";

const row = column("ray_row"), world = column("ray_world"), from = column("ray_from"), to = column("ray_to");
export const rayShape = column("ray_shape");
export const rayStatus = column("ray_status");
export const rayT = column("ray_t");
export const rayFeature = column("ray_feature");
export const rayPart = column("ray_part");
const rayPoint = column("ray_point"), rayNormal = column("ray_normal");

/** Whether the page has rays instead of contacts. */
export const hasRays = rayShape !== null;
/** A ray's row in the file of rays, and the ray of a row, or -1. */
export const rowOfRay = (i) => row[i];
export const worldOfRay = (i) => world[i];
export const rayOfRow = (number) => (hasRays ? row.indexOf(number) : -1);

export const rays = new THREE.Group();
const kHit = new THREE.Color(0x2f6fde), kMark = new THREE.Color(0xb3261e);
export const kShapeHit = new THREE.Color(0xef9f4d);

let shown = [];
let hits = new Map();  // of a shape in the chosen world: its rays
export const raysShown = () => shown;
export const hitsOf = (id) => hits.get(id) ?? [];

/** Takes the rays of a world: those that ask it, and those that ask all. */
export function chooseRays(chosen) {
  shown = [];
  hits = new Map();
  for (let i = 0; hasRays && i < rayShape.length; ++i) {
    if (world[i] !== chosen && world[i] !== -1) continue;
    shown.push(i);
    if (rayShape[i] < 0) continue;
    if (!hits.has(rayShape[i])) hits.set(rayShape[i], []);
    hits.get(rayShape[i]).push(i);
  }
}

const three = (values, i) => values.subarray(3 * i, 3 * i + 3);

/** Lines from where rays begin, misses faint; marks and normals where they hit. */
export function addRays(marks, normals, paper) {
  if (shown.length === 0) return;
  const lines = new Float32Array(6 * shown.length), colors = new Float32Array(6 * shown.length);
  const faint = kHit.clone().lerp(paper, 0.8), strong = kHit.clone(), found = [];
  shown.forEach((i, place) => {
    lines.set(three(from, i), 6 * place);
    lines.set(three(to, i), 6 * place + 3);
    const color = (rayShape[i] < 0 ? faint : strong).toArray();
    colors.set([...color, ...color], 6 * place);
    if (rayShape[i] >= 0) found.push(i);
  });
  const drawn = linesOf(lines, colors);
  // Behind what is before them, and the paler the more there are, so that the scene is seen.
  drawn.material = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, opacity: Math.min(1, Math.max(0.15, 300 / shown.length)) });
  rays.add(drawn);
  const points = new Float32Array(3 * found.length), ends = new Float32Array(6 * found.length);
  found.forEach((i, place) => {
    points.set(three(rayPoint, i), 3 * place);
    ends.set(three(rayPoint, i), 6 * place);
    for (let k = 0; k < 3; ++k) ends[6 * place + 3 + k] = rayPoint[3 * i + k] + 5 * about.mark * rayNormal[3 * i + k];
  });
  const mark = kMark.toArray(), paint = (count) => Float32Array.from({ length: 3 * count }, (_, k) => mark[k % 3]);
  marks.add(marksOf(points, paint(found.length)));
  normals.add(linesOf(ends, paint(2 * found.length)));
}

/** The place and the normal of a hit, in the page's numbers. */
export const pointOfRay = (i) => three(rayPoint, i);
export const normalOfRay = (i) => three(rayNormal, i);
export const startOfRay = (i) => three(from, i);

/** The ray whose hit is the nearest one to a pixel, within some of them; -1 without one. */
export function rayAt(x, y, pixelOf) {
  let best = 14, found = -1;
  for (const i of shown) {
    if (rayShape[i] < 0) continue;
    const [left, top, isSeen] = pixelOf(...pointOfRay(i));
    const away = Math.hypot(left - x, top - y);
    if (isSeen && away < best) [best, found] = [away, i];
  }
  return found;
}

export const statusText = (i) => ["hit", "starts inside", "a bound: t is early", "nothing hit"][rayStatus[i]];
