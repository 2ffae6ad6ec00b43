// The page that `widephase view` writes: shapes and contacts of one world at a time.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const about = JSON.parse(document.getElementById("about").textContent);
const element = (id) => document.getElementById(id);
const bytes = bytesOf(atob(element("data").textContent));
element("data").remove();  // it may be hundreds of megabytes
const isFlat = about.dimension === 2;

function bytesOf(text) {
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) result[i] = text.charCodeAt(i);
  return result;
}

/** An array of the page's data by its name. */
function column(name) {
  const { type, begin, count } = about.arrays[name];
  const Type = { f: Float32Array, i: Int32Array, u: Uint32Array }[type];
  return new Type(bytes.buffer, begin, count);
}

// --- colours ---

const kStops = [[0.0, 0xf2d977], [0.35, 0xef9f4d], [0.7, 0xd9534f], [1.0, 0x8e2a6b]];
const kQuiet = new THREE.Color(0xb6bcc8), kPale = new THREE.Color(0xf4f4f0);

/** The colour of a share, 0 to 1, of the largest depth. */
function depthColor(share) {
  const at = Math.min(Math.max(share, 0), 1);
  const upper = Math.max(1, kStops.findIndex(([stop]) => at <= stop));
  const [from, low] = kStops[upper - 1];
  const [to, high] = kStops[upper];
  return new THREE.Color(low).lerp(new THREE.Color(high), (at - from) / (to - from));
}

// --- data ---

const world = column("world");
const pair = column("pair");
const normal = column("normal");
const depth = column("depth");
const offset = column("offset");
const point = column("point");
const pointDepth = column("point_depth");
const feature = column("feature");
const mostDepth = depth.reduce((most, value) => Math.max(most, value), 0);
const row = column("row");
const worldCount = Math.max(1, about.worlds);

function kindOf(id) {
  let kind = 0;
  while (id >= about.first[kind + 1]) ++kind;
  return about.kinds[kind];
}

// --- meshes ---

const renderer = new THREE.WebGLRenderer({ canvas: element("scene"), antialias: true, preserveDrawingBuffer: true });
const scene = new THREE.Scene();
const isDark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => { scene.background = new THREE.Color(isDark.matches ? 0x0d1117 : 0xf6f8fa); draw(); };

const low = new THREE.Vector3(...about.low);
const high = new THREE.Vector3(...about.high);
const middle = low.clone().add(high).multiplyScalar(0.5);
const size = high.distanceTo(low) || 1;

const camera = isFlat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(40, 1, size * 1e-4, size * 20);
const controls = new OrbitControls(camera, renderer.domElement);
controls.listenToKeyEvents(element("scene"));
controls.enableRotate = !isFlat;
if (isFlat) controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
if (isFlat) controls.touches.ONE = THREE.TOUCH.PAN;
controls.addEventListener("change", () => draw());

const kSky = 0xffffff, kGround = 0x8890a0, kSkyLight = 2.2, kSunLight = 1.6;
const kSun = new THREE.Vector3(-0.5, -0.8, 1.6).normalize();
const sky = new THREE.HemisphereLight(kSky, kGround, kSkyLight);
sky.position.set(0, 0, 1);
const sun = new THREE.DirectionalLight(0xffffff, kSunLight);
sun.position.copy(kSun);
scene.add(sky, sun);

const shapes = new THREE.Group();
const contacts = new THREE.Group();
const normals = new THREE.Group();
scene.add(shapes, contacts, normals);

const material = isFlat ? new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.82, side: THREE.DoubleSide })
                        : new THREE.MeshLambertMaterial({ flatShading: false, side: THREE.DoubleSide });
const faceted = isFlat ? material : new THREE.MeshLambertMaterial({ flatShading: true, side: THREE.DoubleSide });

/** The surface of a hull: its faces as fans. */
function surfaceGeometry(index) {
  const positions = [];
  for (const corners of about.surfaces[index]) {
    for (let i = 1; i + 1 < corners.length; ++i) positions.push(...corners[0], ...corners[i], ...corners[i + 1]);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Balls in space are squares that face the eye; where a ray meets the sphere is worked out a pixel. */
const ballMaterial = new THREE.ShaderMaterial({
  uniforms: {
    sunWay: { value: kSun },
    skyColor: { value: new THREE.Color(kSky).multiplyScalar(kSkyLight / Math.PI) },
    groundColor: { value: new THREE.Color(kGround).multiplyScalar(kSkyLight / Math.PI) },
    sunShare: { value: kSunLight / Math.PI },
  },
  vertexShader: `
    varying vec3 center, place, tint;
    varying float radius;
    void main() {
      center = (modelViewMatrix * instanceMatrix * vec4(0, 0, 0, 1)).xyz;
      radius = length(instanceMatrix[0].xyz);
      tint = instanceColor;
      float away = max(length(center), 1.001 * radius);
      vec3 toEye = -center / max(length(center), 1e-30);
      vec3 side = abs(toEye.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0);
      vec3 x = normalize(cross(side, toEye)), y = cross(toEye, x);
      // The silhouette is wider than the ball: its rim is where rays graze it.
      float reach = radius * away / sqrt(away * away - radius * radius);
      place = center + reach * (position.x * x + position.y * y);
      gl_Position = projectionMatrix * vec4(place, 1);
    }`,
  fragmentShader: `
    uniform vec3 sunWay, skyColor, groundColor;
    uniform float sunShare;
    uniform mat4 projectionMatrix;
    varying vec3 center, place, tint;
    varying float radius;
    void main() {
      vec3 ray = normalize(place);
      float along = dot(ray, center);
      vec3 across = center - along * ray;
      float chord = radius * radius - dot(across, across);
      if (chord < 0.0) discard;
      vec3 hit = (along - sqrt(chord)) * ray;
      vec3 normal = (hit - center) / radius;
      vec4 clip = projectionMatrix * vec4(hit, 1);
      gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
      vec3 up = (viewMatrix * vec4(0, 0, 1, 0)).xyz, sun = (viewMatrix * vec4(sunWay, 0)).xyz;
      vec3 light = mix(groundColor, skyColor, 0.5 * dot(normal, up) + 0.5) + sunShare * max(dot(normal, sun), 0.0);
      gl_FragColor = vec4(tint * light, 1);
      #include <colorspace_fragment>
    }`,
});

/** Where a ray meets the balls of a mesh, in the form of three.js. */
function raycastBalls(caster, hits) {
  const matrix = new THREE.Matrix4(), ball = new THREE.Sphere(), place = new THREE.Vector3();
  for (let instanceId = 0; instanceId < this.count; ++instanceId) {
    this.getMatrixAt(instanceId, matrix);
    ball.set(ball.center.setFromMatrixPosition(matrix), Math.hypot(...matrix.elements.slice(0, 3)));
    if (caster.ray.intersectSphere(ball, place) === null) continue;
    hits.push({ distance: caster.ray.origin.distanceTo(place), point: place.clone(), object: this, instanceId });
  }
}

/**
 * A core's surface, moved outwards by each instance's rounding: its sum with a ball. `place` says where a vertex's
 * `core` is in the scene and which unit vector is `outward`; `axes` has the instance's half axes, `extents` their lengths.
 */
function roundedMaterial(attributes, place) {
  const made = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
  made.onBeforeCompile = (shader) => {
    shader.vertexShader = `attribute float rounding;\n${attributes}\n` + shader.vertexShader
      .replace("#include <defaultnormal_vertex>", `
        #include <defaultnormal_vertex>
        mat3 axes = mat3(instanceMatrix);
        vec3 extents = vec3(length(axes[0]), length(axes[1]), length(axes[2]));
        vec3 core, outward;
        ${place}
        transformedNormal = normalMatrix * outward;`)
      .replace("#include <project_vertex>", `
        #include <project_vertex>
        mvPosition = modelViewMatrix * vec4(core + rounding * outward + instanceMatrix[3].xyz, 1);
        gl_Position = projectionMatrix * mvPosition;`);
  };
  made.customProgramCacheKey = () => place;
  return made;
}
/** Cylinders and cones: around a corner, from one face's normal to the other's. */
const roundedSwept = roundedMaterial("attribute vec3 nextNormal; attribute float share;", `
  core = axes * position;
  outward = normalize(mix(normalize(axes * (normal / (extents * extents))), normalize(axes * (nextNormal / (extents * extents))), share));`);
/** Ellipsoids: normals as of one with longer half axes, so that a flat one's rounded edge has enough of them. */
const roundedEllipsoid = roundedMaterial("", `
  vec3 local = normalize(position / (extents + rounding));
  core = axes * (extents * local / length(extents * local));
  outward = normalize(axes * (local / extents));`);

/**
 * The surface that a profile [radius, height] sweeps about z, from below to above. In each of its corners the normals
 * turn from one [out, up] of `turns` to the next one.
 */
function sweptGeometry(profile, turns) {
  const kSteps = 8, around = many ? 12 : 32;
  const rings = profile.flatMap((corner, i) => Array.from({ length: kSteps + 1 }, (_, step) =>
    ({ corner, from: turns[i], to: turns[i + 1], share: step / kSteps })));
  const positions = [], normals = [], nextNormals = [], shares = [], index = [];
  rings.forEach(({ corner: [radius, height], from, to, share }, ring) => {
    for (let k = 0; k <= around; ++k) {
      const x = Math.cos((2 * Math.PI * k) / around), y = Math.sin((2 * Math.PI * k) / around);
      positions.push(radius * x, radius * y, height);
      normals.push(from[0] * x, from[0] * y, from[1]);
      nextNormals.push(to[0] * x, to[0] * y, to[1]);
      shares.push(share);
      const at = ring * (around + 1) + k, above = at + around + 1;
      if (k < around && ring + 1 < rings.length) index.push(at, at + 1, above + 1, at, above + 1, above);
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute("nextNormal", new THREE.Float32BufferAttribute(nextNormals, 3));
  geometry.setAttribute("share", new THREE.Float32BufferAttribute(shares, 1));
  return geometry.setIndex(index);
}

const many = world.length > 20000;
const kDown = [0, -1], kOut = [1, 0], kUp = [0, 1];
const kConeSide = [2 / Math.sqrt(5), 1 / Math.sqrt(5)];  // of radius 1 and height 2
const units = {
  ball: () => (isFlat ? new THREE.CircleGeometry(1, many ? 20 : 48) : new THREE.PlaneGeometry(2, 2)),
  box: () => new THREE.BoxGeometry(2, 2, 2),
  cylinder: () => new THREE.CylinderGeometry(1, 1, 2, many ? 12 : 32).rotateX(Math.PI / 2),
  cone: () => new THREE.ConeGeometry(1, 2, many ? 12 : 32).rotateX(Math.PI / 2),
  ellipsoid: () => new THREE.SphereGeometry(1, many ? 16 : 48, many ? 8 : 24),
  "rounded cylinder": () => sweptGeometry([[0, -1], [1, -1], [1, 1], [0, 1]], [kDown, kDown, kOut, kUp, kUp]),
  "rounded cone": () => sweptGeometry([[0, -1], [1, -1], [0, 1]], [kDown, kDown, kConeSide, kUp]),
  "rounded ellipsoid": () => units.ellipsoid(),
};

const isRounded = (mesh) => String(mesh).startsWith("rounded");
function materialOf(mesh) {
  if (mesh === "ball" && !isFlat) return ballMaterial;
  if (isRounded(mesh)) return mesh === "rounded ellipsoid" ? roundedEllipsoid : roundedSwept;
  return ["cylinder", "cone", "ellipsoid"].includes(mesh) ? material : faceted;
}

/** Instances of one geometry: ids of shapes, and 12 numbers each: three axes and a place; their roundings, if any. */
const groups = about.groups.map(({ mesh }, index) => ({
  geometry: typeof mesh === "number" ? surfaceGeometry(mesh) : units[mesh](),
  material: materialOf(mesh),
  ids: column(`ids${index}`),
  frames: column(`frames${index}`),
  roundings: isRounded(mesh) ? column(`rounding${index}`) : null,
  hasApex: mesh === "rounded cone",
}));

const isShown = (its, chosen) => its === chosen || its === -1;
/** In the worlds of its shapes; of two worlds in either. */
function isContactShown(i, chosen) {
  const a = world[pair[2 * i]], b = world[pair[2 * i + 1]];
  return a === chosen || b === chosen || (a === -1 && b === -1);
}
let deepest = new Map();  // of a shape in the chosen world: its deepest contact

/**
 * What is clicked instead of a rounded mesh, which only the shader moves: the core with each axis longer by the
 * rounding, and a ball about a cone's apex.
 */
function clickedFor(mesh, roundings, hasApex) {
  const grown = mesh.clone(), tips = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 8), mesh.material, mesh.count);
  grown.userData = tips.userData = mesh.userData;
  const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), axes = [0, 1, 2].map(() => new THREE.Vector3());
  roundings.forEach((rounding, at) => {
    mesh.getMatrixAt(at, matrix);
    place.setFromMatrixPosition(matrix);
    matrix.extractBasis(...axes);
    if (hasApex) tips.setMatrixAt(at, matrix.makeScale(rounding, rounding, rounding).setPosition(place.clone().add(axes[2])));
    for (const axis of axes) axis.setLength(axis.length() + rounding);
    grown.setMatrixAt(at, matrix.makeBasis(...axes).setPosition(place));
  });
  return hasApex ? [grown, tips] : [grown];
}

function addInstances({ geometry, material: of, ids, frames, roundings, hasApex }, chosen) {
  const rows = [];
  for (let i = 0; i < ids.length; ++i) if (isShown(world[ids[i]], chosen)) rows.push(i);
  if (rows.length === 0) return;
  const mesh = new THREE.InstancedMesh(geometry, of, rows.length);
  const matrix = new THREE.Matrix4();
  rows.forEach((at, place) => {
    const f = frames.subarray(12 * at, 12 * at + 12);
    matrix.set(f[0], f[3], f[6], f[9], f[1], f[4], f[7], f[10], f[2], f[5], f[8], f[11], 0, 0, 0, 1);
    mesh.setMatrixAt(place, matrix);
    mesh.setColorAt(place, colorOf(ids[at]));
  });
  mesh.userData.ids = rows.map((at) => ids[at]);
  mesh.frustumCulled = false;
  if (of === ballMaterial) mesh.raycast = raycastBalls;
  if (roundings !== null) {
    const shown = Float32Array.from(rows, (at) => roundings[at]);
    geometry.setAttribute("rounding", new THREE.InstancedBufferAttribute(shown, 1));
    const clicked = clickedFor(mesh, shown, hasApex);
    mesh.raycast = (caster, hits) => clicked.forEach((one) => one.raycast(caster, hits));
  }
  shapes.add(mesh);
}

const contactColor = (value) => depthColor(mostDepth > 0 ? value / mostDepth : 0);

/** Paler than a contact's of the same depth, so that marks are seen on it. */
function colorOf(id) {
  const value = deepest.get(id);
  return value === undefined ? kQuiet : contactColor(value).lerp(kPale, isFlat ? 0.25 : 0.4);
}

/** Boxes and polygons of the plane: fans, and where they are rounded bands along their edges and discs. */
function addOutlines(chosen) {
  const ids = column("outline_ids");
  const from = column("outline_offset");
  const corners = column("outline_corners");
  const radius = column("outline_radius");
  const positions = [], colors = [], owners = [];
  const add = (id, color, ...xy) => {
    for (let i = 0; i < xy.length; i += 2) positions.push(xy[i], xy[i + 1], 0), colors.push(color.r, color.g, color.b);
    owners.push(id);
  };
  for (let i = 0; i < ids.length; ++i) {
    if (!isShown(world[ids[i]], chosen)) continue;
    const color = colorOf(ids[i]);
    const at = (k) => [corners[2 * k], corners[2 * k + 1]];
    const count = from[i + 1] - from[i];
    for (let k = from[i] + 1; k + 1 < from[i + 1]; ++k) add(ids[i], color, ...at(from[i]), ...at(k), ...at(k + 1));
    for (let k = 0; radius[i] > 0 && k < count; ++k) {
      const [ax, ay] = at(from[i] + k), [bx, by] = at(from[i] + ((k + 1) % count));
      const length = Math.hypot(bx - ax, by - ay) || 1;
      const ox = (radius[i] * (by - ay)) / length, oy = (-radius[i] * (bx - ax)) / length;
      add(ids[i], color, ax, ay, ax + ox, ay + oy, bx + ox, by + oy);
      add(ids[i], color, ax, ay, bx + ox, by + oy, bx, by);
      for (let turn = 0; turn < 16; ++turn) {
        const a = (turn * Math.PI) / 8, b = ((turn + 1) * Math.PI) / 8, r = radius[i];
        add(ids[i], color, ax, ay, ax + r * Math.cos(a), ay + r * Math.sin(a), ax + r * Math.cos(b), ay + r * Math.sin(b));
      }
    }
  }
  if (owners.length === 0) return;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
  const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.82, side: THREE.DoubleSide }));
  mesh.userData.owners = owners;
  shapes.add(mesh);
}

/** Halfspaces: a line, or a grid, as wide as the scene. */
function addHalfspaces(chosen) {
  const ids = column("plane_ids"), planes = column("planes");
  for (let i = 0; i < ids.length; ++i) {
    if (!isShown(world[ids[i]], chosen)) continue;
    const across = new THREE.Vector3(...planes.subarray(4 * i, 4 * i + 3)).normalize();
    const place = middle.clone().addScaledVector(across, planes[4 * i + 3] - across.dot(middle));
    const helper = isFlat
      ? new THREE.Line(new THREE.BufferGeometry().setFromPoints([-1, 1].map((s) =>
          place.clone().add(new THREE.Vector3(-across.y, across.x, 0).multiplyScalar(s * size)))),
        new THREE.LineBasicMaterial({ color: colorOf(ids[i]) }))
      : new THREE.GridHelper(1.5 * size, 24, isDark.matches ? 0x57606a : 0x8890a0, isDark.matches ? 0x30363d : 0xb6bcc8);
    if (!isFlat) {
      helper.position.copy(place);
      helper.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), across);
    }
    shapes.add(helper);
  }
}

function addDomain() {
  if (!about.domain) return;
  const [least, most] = about.domain.map((corner) => new THREE.Vector3(...corner));
  shapes.add(new THREE.Box3Helper(new THREE.Box3(least, most), 0x8890a0));
}

/** Discs of a size in the scene, over all else: most contacts lie inside of shapes. */
const markMaterial = new THREE.ShaderMaterial({
  depthTest: false,
  transparent: true,  // drawn after shapes that one sees through
  vertexColors: true,
  uniforms: { radius: { value: about.mark }, height: { value: 1 } },
  vertexShader: `
    uniform float radius, height;
    varying vec3 tint;
    void main() {
      tint = color;
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1);
      gl_PointSize = clamp(projectionMatrix[1][1] * height * radius / gl_Position.w, 2.0, 18.0);
    }`,
  fragmentShader: `
    varying vec3 tint;
    void main() {
      if (length(gl_PointCoord - 0.5) > 0.5) discard;
      gl_FragColor = vec4(tint, 1);
      #include <colorspace_fragment>
    }`,
});
const normalMaterial = new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });

let shownContacts = [];

function addContacts(chosen) {
  shownContacts = [];
  for (let i = 0; i < depth.length; ++i) if (isContactShown(i, chosen)) shownContacts.push(i);
  let total = 0;
  for (const i of shownContacts) total += offset[i + 1] - offset[i];
  if (total === 0) return;
  const points = new Float32Array(3 * total), lines = new Float32Array(6 * total);
  const colors = new Float32Array(3 * total), lineColors = new Float32Array(6 * total);
  let place = 0;
  for (const i of shownContacts) {
    const color = contactColor(depth[i]).multiplyScalar(0.7).toArray();
    for (let p = offset[i]; p < offset[i + 1]; ++p, ++place) {
      for (let k = 0; k < 3; ++k) {
        const at = point[3 * p + k];
        points[3 * place + k] = lines[6 * place + k] = at;
        lines[6 * place + 3 + k] = at + 5 * about.mark * normal[3 * i + k];
        colors[3 * place + k] = lineColors[6 * place + k] = lineColors[6 * place + 3 + k] = color[k];
      }
    }
  }
  const add = (group, drawn, positions, tints) => {
    drawn.geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    drawn.geometry.setAttribute("color", new THREE.BufferAttribute(tints, 3));
    drawn.renderOrder = 2;
    drawn.frustumCulled = false;
    group.add(drawn);
  };
  add(contacts, new THREE.Points(new THREE.BufferGeometry(), markMaterial), points, colors);
  add(normals, new THREE.LineSegments(new THREE.BufferGeometry(), normalMaterial), lines, lineColors);
}

// --- one world ---

let chosen = 0;

function show(number) {
  chosen = Math.min(Math.max(Math.trunc(number), 0), worldCount - 1);
  for (const group of [shapes, contacts, normals]) {
    for (const child of group.children) {
      if (child.isInstancedMesh) child.dispose();
      else child.geometry.dispose();
    }
    group.clear();
  }
  deepest = new Map();
  for (let i = 0; i < depth.length; ++i) {
    if (!isContactShown(i, chosen)) continue;
    for (const id of [pair[2 * i], pair[2 * i + 1]]) deepest.set(id, Math.max(depth[i], deepest.get(id) ?? -Infinity));
  }
  for (const group of groups) addInstances(group, chosen);
  if (isFlat) addOutlines(chosen);
  addHalfspaces(chosen);
  addDomain();
  addContacts(chosen);
  const count = world.reduce((total, its) => total + (isShown(its, chosen) ? 1 : 0), 0);
  element("counts").textContent = `${counted(count, "shape")}, ${counted(shownContacts.length, "contact")}` +
    (worldCount > 1 ? ` in ${about.word} ${chosen} of ${worldCount.toLocaleString("en")}` : "");
  element("slider").value = element("world").value = String(chosen);
  tell(null);
  draw();
}

// --- numbers ---

const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const digits = (value) => Number(value.toPrecision(7)).toString();
const absolute = (p) => Array.from({ length: about.dimension }, (_, k) => digits(point[3 * p + k] * about.unit + about.origin[k]));
const kFeatureKinds = ["whole", "vertex", "edge", "face"];
const featureText = (code) => (code === 0 ? "whole" : `${kFeatureKinds[code >> 14]} ${code & 0x3fff}`);

/** Shows rows of [name, text] under a heading, or nothing. */
function tell(heading, rows = []) {
  const panel = element("numbers");
  panel.hidden = heading === null;
  panel.textContent = "";
  if (heading === null) return;
  const title = document.createElement("h2");
  title.textContent = heading;
  const table = document.createElement("table");
  for (const [name, text] of rows) {
    const line = table.insertRow();
    line.appendChild(document.createElement("th")).textContent = name;
    line.insertCell().textContent = text;
  }
  panel.append(title, table);
}

function tellContact(i) {
  const [a, b] = [pair[2 * i], pair[2 * i + 1]];
  const rows = [
    ["shapes", `${kindOf(a)} ${a}, ${kindOf(b)} ${b}`],
    ["depth", digits(depth[i])],
    ["normal", Array.from(normal.subarray(3 * i, 3 * i + about.dimension), digits).join(", ")],
  ];
  for (let p = offset[i]; p < offset[i + 1]; ++p) {
    rows.push([`point ${p - offset[i]}`, `${absolute(p).join(", ")}; depth ${digits(pointDepth[p])}; ` +
      `${featureText(feature[p] >>> 16)} with ${featureText(feature[p] & 0xffff)}`]);
  }
  tell(`contact ${row[i]}`, rows);
}

function tellShape(id) {
  const met = shownContacts.filter((i) => pair[2 * i] === id || pair[2 * i + 1] === id);
  tell(`${kindOf(id)} ${id}`, [
    [about.word, world[id] === -1 ? "all" : String(world[id])],
    ["contacts", met.length === 0 ? "none" : met.map((i) => (pair[2 * i] === id ? pair[2 * i + 1] : pair[2 * i])).join(", ")],
    ...(met.length === 0 ? [] : [["deepest", digits(deepest.get(id))]]),
  ]);
}

/** Where a place of the page's frame is, in pixels, and whether it is before the eye. */
function pixelOf(x, y, z) {
  const at = new THREE.Vector3(x, y, isFlat ? 0 : z).project(camera);
  const area = renderer.domElement.getBoundingClientRect();
  return [area.left + ((at.x + 1) / 2) * area.width, area.top + ((1 - at.y) / 2) * area.height, Math.abs(at.z) <= 1];
}

function pick(x, y) {
  let best = 14, found = -1;
  for (const i of element("points").checked ? shownContacts : []) {
    for (let p = offset[i]; p < offset[i + 1]; ++p) {
      const [left, top, isSeen] = pixelOf(...point.subarray(3 * p, 3 * p + 3));
      const away = Math.hypot(left - x, top - y);
      if (isSeen && away < best) [best, found] = [away, i];
    }
  }
  if (found >= 0) return tellContact(found);
  const area = renderer.domElement.getBoundingClientRect();
  const ray = new THREE.Raycaster();
  ray.setFromCamera(new THREE.Vector2(((x - area.left) / area.width) * 2 - 1, 1 - ((y - area.top) / area.height) * 2), camera);
  for (const hit of element("shapes").checked ? ray.intersectObjects(shapes.children, false) : []) {
    const { ids, owners } = hit.object.userData;
    if (ids) return tellShape(ids[hit.instanceId]);
    if (owners) return tellShape(owners[hit.faceIndex]);
  }
  return tell(null);
}

// --- camera and frames ---

function resetCamera() {
  controls.target.copy(middle);
  camera.up.set(0, isFlat ? 1 : 0, isFlat ? 0 : 1);
  camera.position.copy(middle).add(isFlat ? new THREE.Vector3(0, 0, size)
                                          : new THREE.Vector3(-0.55, -1.1, 0.75).multiplyScalar(1.05 * size));
  camera.zoom = 1;
  controls.update();
  resize();
}

function resize() {
  const width = innerWidth, height = innerHeight;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  markMaterial.uniforms.height.value = height * renderer.getPixelRatio();
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

let isWaiting = false;
function draw() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    renderer.render(scene, camera);
  });
}

// --- controls ---

for (const [id, group] of [["shapes", shapes], ["points", contacts], ["normals", normals]]) {
  element(id).addEventListener("change", () => { group.visible = element(id).checked; draw(); });
}
element("reset").addEventListener("click", resetCamera);
addEventListener("resize", resize);
isDark.addEventListener("change", () => { paint(); show(chosen); });

let pressed = null;
const canvas = renderer.domElement;
canvas.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
canvas.addEventListener("pointerup", (event) => {
  const isClick = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5;
  if (isClick) pick(event.clientX, event.clientY);
});

element("worlds").hidden = worldCount < 2 || about.world !== null;
element("word").textContent = about.word;
element("legend").hidden = depth.length === 0;
element("slider").max = element("world").max = String(worldCount - 1);
for (const id of ["slider", "world"]) {
  element(id).addEventListener("input", () => show(Number(element(id).value) || 0));
}
let player = 0;
element("play").addEventListener("click", () => {
  clearInterval(player);
  player = player ? 0 : setInterval(() => show((chosen + 1) % worldCount), 40);
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

show(about.world ?? 0);
resetCamera();
paint();
// For scripts: where things are, and how fast the page draws.
window.widephase = {
  show,
  project(x, y, z = 0) { return pixelOf(...[x, y, z].map((value, k) => (value - about.origin[k]) / about.unit)); },
  frameMilliseconds() {
    const began = performance.now(), context = renderer.getContext(), pixel = new Uint8Array(4);
    for (let i = 0; i < 5; ++i) {
      renderer.render(scene, camera);
      // The answer waits until all is drawn.
      context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
    }
    return (performance.now() - began) / 5;
  },
};
