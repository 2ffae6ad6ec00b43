// The lab's page: the state, what the kernels answer to it, and the controls.

import { leastAxis } from "./bars.js";
import { FlatLab } from "./flat.js";
import { axisWords, kMotionTabs } from "./motion.js";
import { SpaceLab } from "./space.js";
import {
  generator, isLoop, kChains, kConfigurations, kHulls, kKinds, randomHull, randomRequest, readRequest, regularPolygon, requestOf, shapeOfKind,
} from "./shapes.js";

const element = (id) => document.getElementById(id);
const kTabs = ["answer", "sat", "gjk", "epa", ...kMotionTabs];

/** How shapes are moved: a phone has neither a wheel nor keys. */
const kHelp = {
  mouse: {
    2: "drag \u00b7 turn by the ring, the wheel or q and e",
    3: "drag \u00b7 with shift to turn \u00b7 beside the shapes to look around",
  },
  finger: {
    2: "drag a shape with a finger \u00b7 turn it by its ring",
    3: "drag a shape with a finger \u00b7 tick \u201cdragging turns\u201d to turn it \u00b7 drag beside the shapes to look around",
  },
};
const kLonger = "Where that way is too short to be seen, an arrow that is longer has its direction.";
const kTold = {
  answer: {
    2: `Moving B by the green arrow parts the shapes, and no shorter way does. ${kLonger} The red dots are the manifold: where the two edges that face each other are clipped, each with its partner on B. The other picture is A \u2212 B, all differences of their points. The shapes overlap where it holds 0, and the way out leads from 0 to its nearest boundary.`,
    3: `Moving B by the green arrow parts the shapes, and no shorter way does. ${kLonger} The red dots are the manifold: the face of one clipped by the face of the other.`,
  },
  apart: {
    2: "The shapes are apart: the green line is the shortest between them. The other picture is A \u2212 B, all differences of their points. It does not hold 0, and the red arrow leads from 0 to its nearest point, as far as the shapes are apart.",
    3: "The shapes are apart: the green line is the shortest between them.",
  },
  // In space A - B is that of the cores.
  difference: {
    answer: "The other picture is A \u2212 B, all differences of their points. The shapes overlap where it holds 0, and the way out leads from 0 to its nearest face.",
    apart: "The other picture is A \u2212 B, all differences of their points. It does not hold 0, and the red arrow leads from 0 to its nearest point.",
    round: "The other picture is A \u2212 B of the cores alone, the shapes without their radii, and a ball of both radii about 0. The shapes overlap where the ball reaches A \u2212 B. Moved by the arrow, the ball would touch it and no more.",
  },
  sat: {
    2: "Two convex shapes are apart exactly where their shadows on some axis are. Only the normals of the edges need be tried, and between corners the way from vertex to vertex. The axis on which the shadows overlap least is the way out: the answer (green).",
    3: "Two convex shapes are apart exactly where their shadows on some axis are. Normals of faces need be tried, cross products of edges that meet on the difference's surface, and between corners the way from vertex to vertex, or from a vertex to an edge. The axis of least overlap is the answer (green).",
  },
  gjk: {
    2: "GJK walks within A \u2212 B towards 0. From the point of its simplex (violet) that is nearest to 0 it asks for the farthest vertex in the direction of 0 (green), and keeps what of both is nearest. It ends with 0 inside, or when no vertex lies farther: then the nearest point is the distance. The picture of the shapes has the vertices of A and B that it asks for.",
    3: "GJK walks within A \u2212 B towards 0. From the point of its simplex (violet) that is nearest to 0 it asks for the farthest vertex in the direction of 0 (green), and keeps what of both is nearest. It ends with 0 inside a tetrahedron, or when no vertex lies farther: then the nearest point is the distance.",
  },
  epa: {
    2: "EPA begins with GJK's last simplex around 0. The edge nearest to 0 (red) is pushed out to the farthest vertex beyond it (green), until none lies beyond: that edge is the difference's own, and its normal the way out. After that only ties are looked for: other edges as near. Edges drawn thick are known to be the difference\u2019s.",
    3: "EPA begins with GJK's last tetrahedron around 0. The face nearest to 0 (red) is pushed out to the farthest vertex beyond it (green); the faces that see the vertex give way to new ones. It ends where none lies beyond: the end has the shortest way out of all that were asked.",
  },
};

Object.assign(kTold, {
  cast: { 2: "B moves along the orange arrow without turning. Seen from B, that is a ray from 0 against A \u2212 B. GJK finds the point of A \u2212 B that is nearest to the place on the ray (red), and asks for the farthest vertex along that direction (green). All of A \u2212 B lies behind the green line through it, so nothing is hit before the line: the place moves on to it. It ends where the nearest point is reached, or where the ray does not come nearer (van den Bergh 2004)." },
  advance: { 2: "B moves and turns while t goes from 0 to 1. Along each axis, the room between the shapes shrinks no faster than the way along it plus the turn times B\u2019s farthest corner. So they cannot touch before the room is used up along any one axis: the largest step of all axes (red) is safe. The other picture has the room against time; dashed lines are the other axes. It ends where no room is left, or where an axis does not come nearer (Mirtich 1996)." },
});

const kOfChain = {
  answer: "A chain has a contact for each patch: where the distance from it has a local minimum, or the shortest way out of the segments that the shape crosses. A joint of a level line is not felt. Each green arrow moves B out of its own patch. The other picture, and the other tabs, are those of the segment drawn bold: the nearest to the other shape, or the deepest in it.",
  part: "Searches are of two convex shapes. Of a chain that is the segment drawn bold, as a capsule: the nearest to the other shape, or the deepest in it.",
};

const state = readRequest(kConfigurations[2][0][1]);
Object.assign(state, { tab: "answer", step: null });  // null: the last step, or the best axis
let ask = null;  // the kernels
let answer = null;
let flat;
let space;  // undefined before it is asked for, null where there is no WebGL
let isFitted = false;

const digits = (value) => (value === null ? "?" : Number(value.toPrecision(state.precision === "float" ? 8 : 13)).toString());
const vector = (values) => values.map(digits).join(", ");

// --- address ---

function writeAddress() {
  const words = requestOf(state).replaceAll(" ", "_");
  const hash = `#${words};${state.tab}${state.step === null ? "" : `;${state.step}`}`;
  try {
    history.replaceState(null, "", hash);
  } catch {
    // Pages from the disk may be kept from it, and browsers slow down those that do it often.
  }
}
function readAddress() {
  try {
    const [words, tab, step] = decodeURIComponent(location.hash.slice(1)).split(";");
    delete state.motion;
    Object.assign(state, readRequest(words.replaceAll("_", " ")));
    state.tab = kTabs.includes(tab) ? tab : "answer";
    state.step = step === undefined || !Number.isInteger(Number(step)) ? null : Number(step);
    return true;
  } catch {
    return false;
  }
}

// --- the kernels ---

function writeAddressSoon() {
  clearTimeout(writeAddressSoon.timer);
  writeAddressSoon.timer = setTimeout(writeAddress, 250);
}
function tellError(words) {
  element("error").hidden = words === "";
  element("error").textContent = words;
}
/** Asks about other shapes. */
function update() {
  answer = JSON.parse(ask(requestOf(state)));
  tellError(answer.error ?? "");
  element("tried").textContent = "";
  element("configuration").value = kNames[requestOf(state)] ?? "";
  show();
  writeAddressSoon();
}

/** The steps of EPA, and in the plane where its answer is: after that it looks for ties. */
const epaSteps = () => answer.epa?.steps ?? answer.epa ?? [];
const epaFinal = () => epaSteps().findIndex((step) => step.is_final);
/** Whether the slider has the end as its last place, after the steps. */
const hasEnd = () => state.tab === "gjk" || kMotionTabs.includes(state.tab) || (state.tab === "epa" && state.dimension === 3);

/** What the slider goes through in this tab. */
function stepCount() {
  if (answer.error) return 0;
  if (state.tab === "sat") return answer.axes.length;
  if (state.tab === "gjk") return answer.gjk.steps.length + 1;
  if (kMotionTabs.includes(state.tab)) return answer[state.tab].steps.length + 1;
  if (state.tab === "epa" && answer.epa) return epaSteps().length + (hasEnd() ? 1 : 0);
  return 0;
}
function stepNow() {
  const count = stepCount();
  if (state.step === null && count > 0) {
    if (state.tab === "sat") return leastAxis(answer.axes);
    if (state.tab === "epa" && epaFinal() >= 0) return epaFinal();
    return count - 1;
  }
  return Math.min(Math.max(state.step, 0), Math.max(count - 1, 0));
}

function show() {
  if (state.dimension === 3 && kMotionTabs.includes(state.tab)) state.tab = "answer";
  for (const tab of kTabs) {
    const button = element(`tab-${tab}`);
    button.hidden = state.dimension === 3 && kMotionTabs.includes(tab);
    button.setAttribute("aria-selected", String(tab === state.tab));
    button.tabIndex = tab === state.tab ? 0 : -1;
  }
  element("pane").setAttribute("aria-labelledby", `tab-${state.tab}`);
  element("explanation").textContent = explanation();
  element("inner-name").textContent = { sat: "shadows on each axis: A above, B below", cast: "A \u2212 B and the way of B as a ray", advance: "room between the shapes, against time" }[state.tab] ?? "A \u2212 B";
  element("scene-help").textContent = kHelp[matchMedia("(pointer: coarse)").matches ? "finger" : "mouse"][state.dimension];
  const isFlat = state.dimension === 2;
  element("scene").hidden = !isFlat;
  element("scene-space").hidden = element("turns").hidden = isFlat;
  element("inner").hidden = !isFlat && state.tab !== "sat";
  element("inner-space").hidden = !element("inner").hidden;
  const count = stepCount(), step = stepNow();
  element("steps").hidden = count === 0;
  const slider = element("step");
  slider.max = String(Math.max(count - 1, 0));
  slider.value = String(step);
  element("step-name").textContent = state.tab === "sat" ? "axis" : "step";
  element("step-text").textContent = hasEnd() && step === count - 1 ? "the end" : `${step + 1} of ${hasEnd() ? count - 1 : count}`;
  if (answer.error) return element("numbers").replaceChildren();
  tell(step);
  const lab = isFlat ? flat : space;
  if (!isFitted) {
    isFitted = true;
    lab.answer = answer;
    lab.fit();
  }
  lab.show(state, answer, state.tab, step);
}
const hasChain = () => state.a.kind === "chain" || state.b.kind === "chain";
function explanation() {
  const { tab, dimension } = state;
  if (hasChain() && !answer.error) {
    if (tab !== "answer") return `${kOfChain.part} ${kTold[tab][dimension]}`;
    return answer.answers.sat.contact ? kOfChain.answer : `${kTold.apart[2]} ${kOfChain.part}`;
  }
  if (tab !== "answer" || answer.error) return kTold[tab][dimension];
  const of = answer.answers.sat.contact ? "answer" : "apart";
  if (dimension === 2) return kTold[of][2];
  return `${kTold[of][3]} ${kTold.difference[answer.a.radius + answer.b.radius > 0 ? "round" : of]}`;
}

// --- numbers ---

const feature = (of) => (of.kind === "whole" ? "whole" : `${of.kind} ${of.index}`);
const kStatus = ["exact to rounding", "the direction is not unique; one was chosen", "a limit of steps was met", "surfaces cross: there is no depth"];

function rowsOfAnswer() {
  const { sat, gjk_epa: other } = answer.answers, { contact } = sat;
  const rows = [];
  if (contact && hasChain()) {
    for (let patch = contact, i = 0; patch; patch = patch.next, ++i) {
      rows.push([`patch ${i}`, `depth ${digits(patch.depth)}, normal ${vector(patch.normal)}`]);
      for (const point of patch.points) {
        const name = (side, of) => `${side}'s ${point.parts[side === "A" ? 0 : 1] < 0 ? "" : `segment ${point.parts[side === "A" ? 0 : 1]}, `}${feature(of)}`;
        rows.push(["point", `${vector(point.at)}; depth ${digits(point.depth)}; ${name("A", point.of_a)}, ${name("B", point.of_b)}`]);
      }
    }
    return [...rows, ["status", kStatus[contact.status]]];
  }
  if (contact) {
    rows.push(["depth", digits(contact.depth)], ["normal", vector(contact.normal)], ["B leaves by", vector(contact.normal.map((x) => x * contact.depth))]);
    contact.points.forEach((point, i) => rows.push([`point ${i}`,
      `${vector(point.at)}; depth ${digits(point.depth)}; A's ${feature(point.of_a)}, B's ${feature(point.of_b)}`]));
  } else {
    rows.push(["distance", digits(sat.distance)], ["normal", vector(sat.normal)], ["nearest on A", vector(sat.point_a)],
      ["nearest on B", vector(sat.point_b)], ["between", `A's ${feature(sat.of_a)} and B's ${feature(sat.of_b)}`]);
  }
  rows.push(["status", kStatus[sat.status]]);
  rows.push(["GJK and EPA", `${contact ? "depth" : "distance"} ${digits(contact ? -other.distance : other.distance)}, ` +
    (other.distance === sat.distance ? "the same bits" : `${Math.abs(other.distance - sat.distance).toExponential(1)} from it`)]);
  return rows;
}
const kAxes = {
  vertices: "from vertex to vertex", "vertex and edge": "from a vertex to an edge",
  kernel: "the kernel\u2019s own way, as no edge or face gives one",
};
function rowsOfSat(step) {
  const axis = answer.axes[step], least = answer.axes[leastAxis(answer.axes)];
  const { distance } = answer.answers.sat;
  return [
    ["axis", kAxes[axis.of] ?? (axis.of === "edges" ? `A's edge ${axis.edge} \u00d7 B's edge ${axis.other}` : `normal of ${axis.of.toUpperCase()}'s ${state.dimension === 2 ? "edge" : "face"} ${axis.edge}`)],
    ["direction", vector(axis.direction)],
    ["A's shadow", axis.a.map(digits).join(" to ")],
    ["B's shadow", axis.b.map(digits).join(" to ")],
    [axis.overlap >= 0 ? "overlap" : "gap", digits(Math.abs(axis.overlap))],
    ["least of all", least.overlap >= 0 ? digits(least.overlap) : `a gap of ${digits(-least.overlap)}: they are apart`],
    ["the kernel's", `${distance <= 0 ? "depth" : "distance"} ${digits(Math.abs(distance))}`],
  ];
}
const vertexText = (vertex) => `A${vertex.a}\u2212B${vertex.b} at ${vector(vertex.at)}`;
function rowsOfGjk(step) {
  const { gjk } = answer, now = gjk.steps[step];
  const rows = (now ?? gjk).simplex.map((vertex, i) => [i === 0 ? "simplex" : "", vertexText(vertex)]);
  if (now) {
    const nearest = Math.hypot(...now.nearest);
    rows.push(["nearest to 0", vector(now.nearest)], ["its distance", digits(nearest)], ["asks for", vertexText(now.support)]);
    const gain = now.nearest.reduce((sum, x, k) => sum + x * (now.support.at[k] - now.simplex[0].at[k]), 0) / (nearest || 1);
    rows.push(["farther by", digits(Math.max(-gain, 0))]);
  } else {
    rows.push(["found", gjk.overlaps ? "0 is inside, or no farther than rounding: EPA goes on" : `cores apart by ${digits(Math.hypot(...gjk.nearest))}`]);
    const radius = answer.a.radius + answer.b.radius;
    if (radius > 0) rows.push(["with radii", gjk.overlaps ? `${digits(radius)} more depth` : `distance ${digits(Math.hypot(...gjk.nearest) - radius)}`]);
  }
  return rows;
}
function rowsOfEpa(step) {
  if (!answer.epa) return [["", "The cores do not overlap: GJK has the answer, and EPA nothing to do."]];
  const steps = epaSteps(), now = steps[step], radius = answer.a.radius + answer.b.radius;
  const isFlat = state.dimension === 2, rows = [];
  if (steps.length === 0) rows.push(["", "The cores do no more than touch, or are flat: nothing grows."]);
  if (now) rows.push([isFlat ? "edges" : "faces", String((now.edges ?? now.faces).length)], ["nearest to 0", digits(now.distance)], ["asks for", vertexText(now.support)]);
  if (now && isFlat) {
    rows.push(["which is", now.is_final ? "no farther: this edge is the difference's own" : "beyond: the edge becomes two"]);
    if (epaFinal() >= 0 && step > epaFinal()) rows.push(["", `The answer is that of step ${epaFinal() + 1}: from there on only ties are looked for.`]);
  } else if (now) {
    rows.push(["least way so far", digits(now.best)]);
  } else if (!isFlat) {
    rows.push(["the way out", vector(answer.epa.normal)], ["its length", digits(answer.epa.depth)]);
  }
  if (answer.epa.left_out > 0) rows.push(["steps", `${steps.length + answer.epa.left_out}, of which the lab keeps the first ${steps.length}`]);
  rows.push(["depth", `${digits(-answer.answers.gjk_epa.distance)}${radius > 0 ? `, radii of ${digits(radius)} among it` : ""}`]);
  return rows;
}
const kFound = { hit: "they touch there", none: "they do not touch", bound: "a limit of steps was met: t is early, never late" };
function rowsOfCast(step) {
  const { cast } = answer, now = cast.steps[step];
  if (!now) return [["t", digits(cast.t)], ["found", cast.steps.length === 0 ? "they overlap at the start" : kFound[cast.found]], ["normal", vector(cast.normal)]];
  return [
    ["t", digits(now.t)],
    ...now.simplex.map((vertex, i) => [i === 0 ? "simplex" : "", vertexText(vertex)]),
    ["nearest", vector(now.nearest)], ["asks for", vertexText(now.support)], ["beyond it by", digits(now.beyond)],
    ["next t", now.beyond <= 0 ? "the same: the simplex grows" : now.next === null ? "none: the ray does not come nearer" : digits(now.next)],
  ];
}
function rowsOfAdvance(step) {
  const { advance } = answer, now = advance.steps[step];
  if (!now) return [["t", digits(advance.t)], ["found", advance.steps.length === 0 ? "they touch or overlap at the start" : kFound[advance.found]], ["gap that counts as touching", digits(advance.gap)]];
  const axis = now.axes[now.best];
  return [
    ["t", digits(now.t)], ["axis", axisWords(axis)], ["direction", vector(axis.direction)], ["room along it", digits(axis.room)],
    ["shrinks by", `${digits(axis.closing)} in a unit of t, at most`],
    ["next t", now.next === null ? "none: along this axis they never come nearer" : digits(now.next)],
    ["apart by", digits(now.room)],
  ];
}
function tell(step) {
  const rows = { answer: rowsOfAnswer, sat: rowsOfSat, gjk: rowsOfGjk, epa: rowsOfEpa, cast: rowsOfCast, advance: rowsOfAdvance }[state.tab](step);
  element("numbers").replaceChildren(...rows.map(([name, text]) => {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    row.append(head);
    row.insertCell().textContent = text;
    return row;
  }));
}

// --- controls of a shape ---

function field(label, input) {
  const wrapped = document.createElement("label");
  wrapped.append(label, input);
  return wrapped;
}
function numberInput(value, act, { min = -1e9, step = 0.05 } = {}) {
  const input = Object.assign(document.createElement("input"), { type: "number", value: String(value), step: String(step), min: String(min) });
  input.addEventListener("input", () => {
    const number = Number(input.value);
    if (input.value !== "" && Number.isFinite(number)) {
      act(number);
      update();
    }
  });
  return input;
}
function selectOf(options, value, act) {
  const select = document.createElement("select");
  for (const option of options) select.add(new Option(option, option, false, option === value));
  select.addEventListener("change", () => act(select.value));
  return select;
}
const sizeOf = (shape) => Math.max(...Array.from({ length: shape.points.length / state.dimension }, (_, i) =>
  Math.hypot(...shape.points.slice(i * state.dimension, (i + 1) * state.dimension))));

function makeControls(name) {
  const shape = state[name], form = element(`shape-${name}`);
  const fields = [field("kind", selectOf(kKinds[state.dimension], shape.kind, (kind) => {
    state[name] = shapeOfKind(kind, state.dimension, shape);
    makeControls(name);
    update();
  }))];
  ["x", "y", "z"].slice(0, state.dimension).forEach((axis, k) => fields.push(field(axis, numberInput(shape.position[k], (value) => { shape.position[k] = value; }))));
  if (shape.turn && state.dimension === 2) fields.push(field("angle", numberInput(shape.turn[0], (value) => { shape.turn = [value]; })));
  const names = shape.kind === "capsule" ? ["half length"] : ["half x", "half y", "half z"];
  (shape.half ?? []).forEach((half, k) => fields.push(field(names[k], numberInput(half, (value) => { shape.half[k] = value; }, { min: 0 }))));
  if (shape.kind === "polygon") {
    const reshape = (count) => { shape.points = regularPolygon(count, sizeOf(shape)); };
    fields.push(field("vertices", numberInput(shape.points.length / 2, (count) => { if (count >= 3 && count <= 64) reshape(Math.floor(count)); }, { min: 3, step: 1 })));
  }
  if (shape.kind === "chain") {
    const known = Object.keys(kChains).find((form) => kChains[form].join() === shape.points.join());
    fields.push(field("form", selectOf(known ? Object.keys(kChains) : ["as it is", ...Object.keys(kChains)], known ?? "as it is", (form) => {
      if (kChains[form]) Object.assign(shape, { points: kChains[form], loop: isLoop(form) });
      makeControls(name);
      update();
    })));
    fields.push(field("fronts", selectOf(["right side", "both sides"], shape.twoSided ? "both sides" : "right side", (sides) => {
      shape.twoSided = sides === "both sides";
      update();
    })));
  }
  if (shape.kind === "hull") {
    const known = Object.keys(kHulls).find((hull) => kHulls[hull].join() === shape.points.join());
    const options = [...Object.keys(kHulls), "random 8", "random 16"];
    fields.push(field("form", selectOf(known ? options : ["as it is", ...options], known ?? "as it is", (form) => {
      if (kHulls[form]) shape.points = kHulls[form];
      else if (form !== "as it is") shape.points = randomHull(Number(form.slice(7)), 1, Math.random);
      makeControls(name);
      update();
    })));
  }
  fields.push(field(shape.kind === "box" || shape.kind === "polygon" || shape.kind === "hull" ? "rounding" : "radius", numberInput(shape.radius, (value) => { shape.radius = value; }, { min: 0 })));
  if (name === "b" && kMotionTabs.includes(state.tab)) fields.push(...motionFields());
  form.replaceChildren(form.querySelector("legend"), ...fields);
}
/** To where A is, unless the request tells it. */
const motionNow = () => state.motion ?? [...state.a.position.map((x, k) => Number((x - state.b.position[k]).toFixed(4))), 0];
const motionFields = () => ["moves x", "moves y", "turns"].map((label, k) =>
  field(label, numberInput(motionNow()[k], (value) => { state.motion = motionNow().map((old, i) => (i === k ? value : old)); })));
/** Numbers that the hand has changed. */
function refreshControls() {
  for (const name of ["a", "b"]) {
    const inputs = element(`shape-${name}`).querySelectorAll("input");
    state[name].position.forEach((value, k) => { inputs[k].value = String(value); });
    if (state.dimension === 2 && state[name].turn) inputs[2].value = String(state[name].turn[0]);
    if (name === "b" && kMotionTabs.includes(state.tab)) motionNow().forEach((value, k) => { inputs[inputs.length - 3 + k].value = String(value); });
  }
}

// --- controls of the page ---

/** Of requests that are configurations. */
const kNames = Object.fromEntries(Object.values(kConfigurations).flat().map(([name, words]) => [requestOf(readRequest(words)), name]));

function listConfigurations() {
  element("configuration").replaceChildren(new Option("\u2013", ""), ...kConfigurations[state.dimension].map(([name]) => new Option(name, name)));
}
const kNoSpace = "3D needs WebGL, which this browser does not give";
/** The lab in space, or null. */
function spaceLab() {
  if (space !== undefined) return space;
  try {
    space = new SpaceLab(element("scene-space"), element("inner-space"), flat.inner, element("turns").querySelector("input"), state, moved);
  } catch {
    space = null;
    refuseSpace();
  }
  return space;
}
function refuseSpace() {
  space = null;
  const option = element("dimension").querySelector("[value='3']");
  Object.assign(option, { disabled: true, title: kNoSpace, textContent: "3D (needs WebGL)" });
}
const hasWebGL = () => document.createElement("canvas").getContext("webgl2") !== null;
/** Another request in the place of the one shown. */
function become(words) {
  for (const name of ["a", "b", "motion"]) delete state[name];
  Object.assign(state, readRequest(words));
}
/** Everything anew after `state` has become another one. */
function restart(told = "") {
  const isRefused = state.dimension === 3 && !spaceLab();
  if (isRefused) become(kConfigurations[2][0][1]);
  element("dimension").value = String(state.dimension);
  element("precision").value = state.precision;
  listConfigurations();
  makeControls("a");
  makeControls("b");
  isFitted = false;
  update();
  element("tried").textContent = isRefused ? kNoSpace : told;
}
function take(words, told) {
  become(words);
  state.step = null;
  if (state.motion && !kMotionTabs.includes(state.tab)) state.tab = state.motion[2] === 0 ? "cast" : "advance";
  restart(told);
}

/** Of many pairs at random the one whose distance or depth the two methods differ on most. */
function search(count) {
  const random = generator(Math.floor(Math.random() * 2 ** 32));
  let worst = -1, words = null;
  for (let i = 0; i < count; ++i) {
    const request = randomRequest(state.dimension, state.precision, random);
    const { answers, error } = JSON.parse(ask(request));
    if (error) continue;
    const apart = Math.abs(answers.sat.distance - answers.gjk_epa.distance);
    if (apart > worst) [worst, words] = [apart, request];
  }
  if (words) take(words, `${count.toLocaleString("en")} tried: SAT and GJK with EPA differ by ${worst.toExponential(1)} at most, here`);
}

function listen() {
  element("dimension").addEventListener("change", () => take(kConfigurations[element("dimension").value][0][1]));
  element("precision").addEventListener("change", () => { state.precision = element("precision").value; update(); });
  element("configuration").addEventListener("change", () => {
    const found = kConfigurations[state.dimension].find(([name]) => name === element("configuration").value);
    if (found) take(found[1]);
  });
  element("random").addEventListener("click", () => take(randomRequest(state.dimension, state.precision, Math.random)));
  element("search").addEventListener("click", () => search(1000));
  element("link").addEventListener("click", async () => {
    writeAddress();
    try {
      await navigator.clipboard.writeText(location.href);
      element("tried").textContent = "copied";
    } catch {
      element("tried").textContent = "the link is in the address";
    }
  });
  for (const [i, tab] of kTabs.entries()) {
    const button = element(`tab-${tab}`);
    button.addEventListener("click", () => {
      if (kMotionTabs.includes(tab) !== kMotionTabs.includes(state.tab)) isFitted = false;
      Object.assign(state, { tab, step: null });
      makeControls("b");
      show();
      writeAddressSoon();
    });
    button.addEventListener("keydown", (event) => {
      const count = kTabs.length - (state.dimension === 3 ? kMotionTabs.length : 0);
      const to = { ArrowRight: i + 1, ArrowLeft: i + count - 1 }[event.key];
      if (to === undefined) return;
      element(`tab-${kTabs[to % count]}`).focus();
      element(`tab-${kTabs[to % count]}`).click();
    });
  }
  const goTo = (step) => { state.step = step; show(); writeAddress(); };
  element("step").addEventListener("input", () => goTo(Number(element("step").value)));
  element("back").addEventListener("click", () => goTo(Math.max(stepNow() - 1, 0)));
  element("forth").addEventListener("click", () => goTo(Math.min(stepNow() + 1, stepCount() - 1)));
  addEventListener("resize", () => { if (answer) show(); });
  addEventListener("hashchange", () => { if (readAddress()) restart(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (answer) show(); });
}

function moved() {
  if (state.tab === "sat") state.step = null;
  refreshControls();
  update();
}

createLab().then((module) => {
  ask = module.cwrap("widephase_lab_answer", "string", ["string"]);
  flat = new FlatLab(element("scene"), element("inner"), state, moved);
  if (!hasWebGL()) refuseSpace();
  readAddress();
  listen();
  restart();
  // For scripts: the kernels, and where things are on the page.
  const onPage = ([x, y]) => {
    const area = element(state.dimension === 2 ? "scene" : "scene-space").getBoundingClientRect();
    return [area.left + x, area.top + y];
  };
  window.widephaseLab = {
    ask, state, take, request: () => requestOf(state), answer: () => answer, step: stepNow,
    pixel: (p) => onPage(state.dimension === 2 ? flat.scene.pixel(p) : space.pixel(p)),
    handle: (name) => onPage(flat.handle(name)),
  };
}).catch((error) => tellError(`The lab could not be started: ${error.message ?? error}`));
