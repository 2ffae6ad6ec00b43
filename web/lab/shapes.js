// The two shapes in words, as the lab's C++ reads them (lab.hpp), and configurations to begin with.

export const kConvexKinds = { 2: ["circle", "capsule", "box", "polygon"], 3: ["sphere", "capsule", "box", "hull"] };
export const kKinds = { 2: [...kConvexKinds[2], "chain"], 3: kConvexKinds[3] };

const round = (value) => Number(value.toFixed(6)) + 0;
const hasTurn = (shape) => shape.kind !== "circle" && shape.kind !== "sphere";

export function shapeWords(shape, dimension) {
  const words = [shape.kind, ...shape.position];
  if (hasTurn(shape)) words.push(...shape.turn);
  if (shape.kind === "capsule") words.push(shape.half[0]);
  if (shape.kind === "box") words.push(...shape.half);
  words.push(shape.radius);
  if (shape.kind === "chain") words.push(shape.loop ? 1 : 0, shape.twoSided ? 1 : 0);
  if (shape.points) words.push(shape.points.length / dimension, ...shape.points);
  return words.join(" ");
}

export const requestOf = (state) =>
  `${state.dimension} ${state.precision} ${shapeWords(state.a, state.dimension)} ${shapeWords(state.b, state.dimension)}` +
  (state.motion ? ` by ${state.motion.join(" ")}` : "");

/** The state of a request; throws for what is none. */
export function readRequest(text) {
  const words = text.trim().split(/\s+/);
  const next = () => {
    const value = Number(words.shift());
    if (!Number.isFinite(value)) throw new Error("not a number");
    return value;
  };
  const numbers = (count) => Array.from({ length: count }, next);
  const dimension = next();
  const precision = words.shift();
  if (!kKinds[dimension] || !["float", "double"].includes(precision)) throw new Error("not a request");
  const shape = () => {
    const kind = words.shift();
    if (!kKinds[dimension].includes(kind)) throw new Error("not a shape");
    const read = { kind, position: numbers(dimension) };
    if (hasTurn(read)) read.turn = numbers(dimension === 2 ? 1 : 4);
    if (kind === "capsule") read.half = numbers(1);
    if (kind === "box") read.half = numbers(dimension);
    read.radius = next();
    if (kind === "chain") {
      const flags = numbers(2);
      if (flags.some((flag) => flag !== 0 && flag !== 1)) throw new Error("not 0 or 1");
      [read.loop, read.twoSided] = flags.map((flag) => flag === 1);
    }
    if (kind === "polygon" || kind === "hull" || kind === "chain") {
      const count = next();
      if (!(Number.isInteger(count) && count >= (kind === "chain" ? 2 : dimension + 1) && count <= 255)) throw new Error("not a count of vertices");
      read.points = numbers(dimension * count);
    }
    return read;
  };
  const state = { dimension, precision, a: shape(), b: shape() };
  if (dimension === 2 && words[0] === "by") {
    words.shift();
    state.motion = numbers(3);
  }
  if (words.length > 0) throw new Error("more than two shapes");
  return state;
}

/** A generator of numbers from 0 to 1 (mulberry32). */
export function generator(seed) {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), s | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function regularPolygon(count, size) {
  return Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count)
    .flatMap((angle) => [round(size * Math.cos(angle)), round(size * Math.sin(angle))]);
}

/** Points on a ball, from which the library makes a hull. */
export function randomHull(count, size, random) {
  const points = [];
  while (points.length < 3 * count) {
    const p = [0, 0, 0].map(() => 2 * random() - 1);
    const length = Math.hypot(...p);
    if (length > 1 || length < 0.1) continue;
    points.push(...p.map((x) => round((size * x) / length)));
  }
  return points;
}

export const kHulls = {
  tetrahedron: [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1].map((x) => round(0.7 * x)),
  octahedron: [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1],
  cube: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((v) => [0, 1, 2].map((k) => ((v >> k) & 1 ? 0.7 : -0.7))),
  prism: [-0.8, 0.8].flatMap((z) => [0, 1, 2, 3, 4, 5].flatMap((i) =>
    [round(0.8 * Math.cos((i * Math.PI) / 3)), round(0.8 * Math.sin((i * Math.PI) / 3)), z])),
  wedge: [-1, -0.6, -0.5, 1, -0.6, -0.5, -1, 0.6, -0.5, 1, 0.6, -0.5, -1, 0, 0.8, 1, 0, 0.8],
};

/** Lines whose free side is above or inside them: the front is to the right. */
export const kChains = {
  ground: [2.4, 0.3, 1.2, 0, 0, 0, -1.2, 0, -2.4, 0.4],
  corner: [1.8, -0.4, -0.6, -0.4, -0.6, 1.6],
  stairs: [2, -0.6, 0.7, -0.6, 0.7, 0, -0.7, 0, -0.7, 0.6, -2, 0.6],
  hills: Array.from({ length: 13 }, (_, i) => [round(2.4 - 0.4 * i), round(0.3 * Math.sin(1.7 * i))]).flat(),
  room: [-1.8, -1.2, -1.8, 1.2, 1.8, 1.2, 1.8, -1.2],
};
const kLoops = ["room"];
export const isLoop = (form) => kLoops.includes(form);

export function randomTurn(random) {
  const q = [0, 0, 0, 0].map(() => 2 * random() - 1);
  const length = Math.hypot(...q);
  return length < 0.1 ? [0, 0, 0, 1] : q.map((x) => x / length);
}

/** A shape of a kind where another one is. */
export function shapeOfKind(kind, dimension, from) {
  const shape = { kind, position: from.position };
  if (hasTurn(shape)) shape.turn = from.turn ?? (dimension === 2 ? [0] : [0, 0, 0, 1]);
  const radii = { circle: 0.8, sphere: 0.8, capsule: 0.35 };
  shape.radius = radii[kind] ?? 0;
  if (kind === "capsule") shape.half = [0.8];
  if (kind === "box") shape.half = dimension === 2 ? [1, 0.6] : [0.9, 0.7, 0.5];
  if (kind === "polygon") shape.points = regularPolygon(5, 1);
  if (kind === "hull") shape.points = kHulls.octahedron;
  if (kind === "chain") Object.assign(shape, { loop: false, twoSided: false, points: kChains.ground });
  return shape;
}

/** Two convex shapes at random that nearly meet or overlap. */
export function randomRequest(dimension, precision, random) {
  const shape = () => {
    const kind = kConvexKinds[dimension][Math.floor(4 * random())];
    const made = shapeOfKind(kind, dimension, { position: Array.from({ length: dimension }, () => round(2.4 * random() - 1.2)) });
    if (made.turn) made.turn = dimension === 2 ? [round(6.4 * random())] : randomTurn(random).map((x) => Number(x.toFixed(9)));
    if (made.half) made.half = made.half.map(() => round(0.2 + random()));
    if (kind === "polygon") {
      const count = 3 + Math.floor(10 * random());
      made.points = regularPolygon(count, 0.5 + 0.7 * random()).map((x) => round(x * (1 + 0.1 * random())));
    }
    if (kind === "hull") made.points = randomHull(4 + Math.floor(10 * random()), 0.6 + 0.5 * random(), random);
    const isRound = kind === "circle" || kind === "sphere" || kind === "capsule";
    made.radius = isRound ? round(0.1 + 0.6 * random()) : random() < 0.3 ? round(0.3 * random()) : 0;
    return made;
  };
  return requestOf({ dimension, precision, a: shape(), b: shape() });
}

const kMany = (count, size) => `${count} ${regularPolygon(count, size).join(" ")}`;

export const kConfigurations = {
  2: [
    ["a box and a pentagon", `2 float box -0.7 -0.2 0.3 1 0.6 0 polygon 0.55 0.45 0.2 0 ${kMany(5, 1)}`],
    ["apart: two triangles", `2 float polygon -1.1 -0.3 0.4 0 ${kMany(3, 1)} polygon 1 0.5 0.3 0 ${kMany(3, 0.9)}`],
    ["just touching", "2 float box -1 0 0 1 0.7 0 box 1 0.3 0 1 0.7 0"],
    ["apart by a hair", "2 float box -1 0 0 1 0.7 0 box 1.000001 0.3 0 1 0.7 0"],
    ["deep", `2 float polygon 0 0 0.1 0 ${kMany(8, 1.5)} box 0.2 0.1 0.5 0.4 0.25 0`],
    ["the same box twice", "2 float box 0 0 0.4 1 1 0 box 0 0 0.4 1 1 0"],
    ["parallel faces", "2 float box 0 -0.6 0 1.4 0.5 0 box 0.5 0.35 0 0.8 0.5 0"],
    ["nearly parallel faces", "2 float box 0 -0.6 0 1.4 0.5 0 box 0.5 0.35 0.00005 0.8 0.5 0"],
    ["rounded corners", `2 float box -0.8 -0.4 0.5 0.7 0.4 0.3 polygon 0.8 0.35 0.9 0.35 ${kMany(3, 0.6)}`],
    ["crossing capsules", "2 float capsule 0 0 0.3 1.2 0.25 capsule 0.2 0.1 1.7 1 0.2"],
    ["a circle in a corner", `2 float circle 0.85 0.55 0.4 polygon 0 0 0 0 ${kMany(4, 1.3)}`],
    ["a needle", "2 float polygon -0.4 0.1 0.05 0 3 -1.5 -0.0005 1.5 0 -1.5 0.0005 box 0.9 0 0.7 0.6 0.6 0"],
    ["far from the origin", `2 float box 1000000 1000000 0.3 1 0.6 0 polygon 1000001.25 1000000.5 0.2 0 ${kMany(5, 1)}`],
    ["a box flies past a box", "2 float box 0 0 0.3 0.8 0.5 0 box -2.6 0.9 0.1 0.5 0.4 0 by 5 0.2 0"],
    ["a bullet and a thin wall", "2 float box 0.5 0 0 0.01 1.2 0 circle -2 0.2 0.08 by 5 -0.2 0"],
    ["a rod that turns into a post", "2 float box 1.1 0.2 0 0.15 0.9 0 box -0.9 -0.6 1.6 1.2 0.06 0 by 0.5 0.2 -2.2"],
    ["a box over joints of a chain", `2 float box 0.3 0.46 0 0.9 0.5 0 chain 0 0 0 0 0 0 5 ${kChains.ground.join(" ")}`],
    ["a circle in a chain's corner", `2 float circle -0.05 0.2 0.65 chain 0 0 0 0 0 0 3 ${kChains.corner.join(" ")}`],
    ["a polygon in a loop of walls", `2 float polygon 0.9 -0.45 0.2 0 ${kMany(6, 0.9)} chain 0 0 0 0 1 0 4 ${kChains.room.join(" ")}`],
    ["two chains apart", `2 float chain 0 0.7 0.1 0 0 1 13 ${kChains.hills.join(" ")} chain 0 -0.5 0 0 0 1 6 ${kChains.stairs.join(" ")}`],
    ["64 vertices each", `2 float polygon -0.6 0 0 0 ${kMany(64, 1)} polygon 0.6 0.3 0.03 0 ${kMany(64, 0.9)}`],
  ],
  3: [
    ["a box and a tetrahedron", `3 float box -0.4 0 0 0.1 0.2 0 0.974679434 0.9 0.7 0.5 0 hull 0.7 0.3 0.4 0.2 0.1 0.3 0.927361850 0 4 ${kHulls.tetrahedron.join(" ")}`],
    ["two boxes, edge to edge", "3 float box 0 0 -0.7 0.382683432 0 0 0.923879533 0.9 0.6 0.6 0 box 0.1 0.15 0.75 0 0.382683432 0.05 0.922525492 0.6 0.9 0.6 0"],
    ["apart: two octahedra", `3 float hull -1.1 0 0 0 0 0 1 0 6 ${kHulls.octahedron.join(" ")} hull 1.1 0.4 0.3 0.2 0.3 0.1 0.927361850 0 6 ${kHulls.octahedron.join(" ")}`],
    ["just touching", "3 float box -1 0 0 0 0 0 1 1 0.7 0.6 0 box 1 0.3 0.2 0 0 0 1 1 0.7 0.6 0"],
    ["parallel faces", "3 float box 0 0 -0.5 0 0 0 1 1.2 1 0.5 0 box 0.4 0.3 0.4 0 0 0.195090322 0.980785280 0.7 0.6 0.5 0"],
    ["deep", `3 float hull 0 0 0 0 0 0 1 0 12 ${kHulls.prism.map((x) => round(1.6 * x)).join(" ")} box 0.2 0.1 0.1 0.1 0.2 0 0.974679434 0.4 0.3 0.2 0`],
    ["the same box twice", "3 float box 0 0 0 0 0 0 1 0.8 0.8 0.8 0 box 0 0 0 0 0 0 1 0.8 0.8 0.8 0"],
    ["random hulls", `3 float hull -0.5 0 0 0 0 0 1 0 12 ${randomHull(12, 1, generator(3)).join(" ")} hull 0.7 0.3 0.2 0 0 0 1 0 12 ${randomHull(12, 0.9, generator(8)).join(" ")}`],
    ["a capsule over a wedge", `3 float capsule 0 0 1 0 0.5 0 0.866025404 0.8 0.3 hull 0 0 0 0 0 0.130526192 0.991444861 0 6 ${kHulls.wedge.join(" ")}`],
    ["needles", "3 float hull -0.2 0 0.02 0 0 0.1 0.994987437 0 4 -1.5 -0.001 0 1.5 0 0 -1.5 0.001 0 -1.5 0 0.001 hull 0 0.1 0 0 0 0.7 0.714142843 0 4 -1.5 -0.001 0 1.5 0 0 -1.5 0.001 0 -1.5 0 0.001"],
    ["far from the origin", `3 float box 100000 100000 100000 0.1 0.2 0 0.974679434 0.9 0.7 0.5 0 hull 100001 100000.25 100000.5 0.2 0.1 0.3 0.927361850 0 4 ${kHulls.tetrahedron.join(" ")}`],
  ],
};
