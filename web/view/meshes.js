// Geometries and materials of what the page draws.

import * as THREE from "three";
import { about, column, isFlat, shapeCount } from "./data.js";

export const kSky = 0xffffff, kGround = 0x8890a0, kSkyLight = 2.2, kSunLight = 1.6;
export const kSun = new THREE.Vector3(-0.5, -0.8, 1.6).normalize();

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

/** The triangles of a mesh. */
function meshGeometry(number) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(column(`field${number}`), 3));
  geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(column(`corners${number}`)), 1));
  geometry.computeVertexNormals();
  return geometry;
}

/** The triangles of a height field, without its holes; those of a mesh. */
function fieldGeometry(number) {
  if (about.fields[number].is_mesh) return meshGeometry(number);
  const { rows, columns, cell } = about.fields[number], heights = column(`field${number}`);
  const positions = new Float32Array(3 * rows * columns), index = [];
  heights.forEach((height, at) => {
    positions.set([(at % columns) * cell[0], Math.floor(at / columns) * cell[1], Number.isNaN(height) ? 0 : height], 3 * at);
  });
  for (let row = 0; row + 1 < rows; ++row) {
    for (let col = 0; col + 1 < columns; ++col) {
      const at = row * columns + col, above = at + columns;
      for (const triangle of [[at, at + 1, above + 1], [at, above + 1, above]]) {
        if (!triangle.some((corner) => Number.isNaN(heights[corner]))) index.push(...triangle);
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  geometry.setIndex(index);
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

const many = shapeCount > 20000;
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

/** Instances of one geometry: ids of shapes, and 12 numbers each: three axes and a place; balls 4: a place and a radius. */
const isField = (mesh) => mesh.field !== undefined;
export const groups = about.groups.map(({ mesh }, index) => ({
  mesh: typeof mesh === "number" ? "hull" : isField(mesh) ? "field" : mesh,
  geometry: typeof mesh === "number" ? surfaceGeometry(mesh) : isField(mesh) ? fieldGeometry(mesh.field) : units[mesh](),
  material: materialOf(mesh),
  ids: column(`ids${index}`),
  frames: column(`frames${index}`),
  roundings: isRounded(mesh) ? column(`rounding${index}`) : null,
}));

const matrix = new THREE.Matrix4();

/** Instance `at` of a group, moved by `shift`. */
function matrixOf({ mesh, frames }, at, shift) {
  if (mesh === "ball") {
    const i = 4 * at, radius = frames[i + 3];
    return matrix.makeScale(radius, radius, radius)
      .setPosition(frames[i] + shift[0], frames[i + 1] + shift[1], frames[i + 2] + shift[2]);
  }
  const f = frames.subarray(12 * at, 12 * at + 12);
  return matrix.set(f[0], f[3], f[6], f[9] + shift[0], f[1], f[4], f[7], f[10] + shift[1],
                    f[2], f[5], f[8], f[11] + shift[2], 0, 0, 0, 1);
}

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

const kUnmoved = [0, 0, 0];

/** The instances `rows` of a group, then its `images`, each a row and a shift; `ids` names the shape of each. */
export function instancesOf(group, rows, images) {
  const { geometry, material, ids, roundings } = group;
  const mesh = new THREE.InstancedMesh(geometry, material, rows.length + images.length);
  rows.forEach((at, place) => mesh.setMatrixAt(place, matrixOf(group, at, kUnmoved)));
  images.forEach(({ at, shift }, k) => mesh.setMatrixAt(rows.length + k, matrixOf(group, at, shift)));
  const all = images.length > 0 ? [...rows, ...images.map(({ at }) => at)] : rows;
  mesh.userData = { ids: all.map((at) => ids[at]), firstImage: rows.length };
  mesh.frustumCulled = false;
  if (material === ballMaterial) mesh.raycast = raycastBalls;
  if (roundings !== null) {
    const shown = Float32Array.from(all, (at) => roundings[at]);
    geometry.setAttribute("rounding", new THREE.InstancedBufferAttribute(shown, 1));
    const clicked = clickedFor(mesh, shown, group.mesh === "rounded cone");
    mesh.raycast = (caster, hits) => clicked.forEach((one) => one.raycast(caster, hits));
  }
  return mesh;
}

/** Discs of a size in the scene, over all else: most contacts lie inside of shapes. A ring goes around a chosen one. */
function markMaterialOf({ isRing = false, height }) {
  return new THREE.ShaderMaterial({
    depthTest: false,
    transparent: true,  // drawn after shapes that one sees through
    vertexColors: true,
    uniforms: { radius: { value: about.mark }, height, wider: { value: isRing ? 12 : 0 }, hole: { value: isRing ? 0.36 : 0 } },
    vertexShader: `
      uniform float radius, height, wider;
      varying vec3 tint;
      void main() {
        tint = color;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1);
        gl_PointSize = clamp(projectionMatrix[1][1] * height * radius / gl_Position.w, 2.0, 18.0) + wider;
      }`,
    fragmentShader: `
      uniform float hole;
      varying vec3 tint;
      void main() {
        float away = length(gl_PointCoord - 0.5);
        if (away > 0.5 || away < hole) discard;
        gl_FragColor = vec4(tint, 1);
        #include <colorspace_fragment>
      }`,
  });
}
/** Pixels of the window's height. */
export const markHeight = { value: 1 };
const markMaterial = markMaterialOf({ height: markHeight });
const ringMaterial = markMaterialOf({ height: markHeight, isRing: true });
const normalMaterial = new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });

function overAll(drawn, positions, colors) {
  drawn.geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  drawn.geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  drawn.renderOrder = 2;
  drawn.frustumCulled = false;
  return drawn;
}
export const marksOf = (positions, colors) => overAll(new THREE.Points(new THREE.BufferGeometry(), markMaterial), positions, colors);
export const ringsOf = (positions, colors) => overAll(new THREE.Points(new THREE.BufferGeometry(), ringMaterial), positions, colors);
export const linesOf = (positions, colors) => overAll(new THREE.LineSegments(new THREE.BufferGeometry(), normalMaterial), positions, colors);
