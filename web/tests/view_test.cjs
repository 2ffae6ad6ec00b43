// The pages of `widephase view` in a browser without a screen, opened from the disk.
//   node view_test.cjs FOLDER [WORD]     only tests whose names hold the word
// WIDEPHASE_CLI and WIDEPHASE_CHROMIUM name the programs; pages and screenshots go to the folder.

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const folder = path.resolve(process.argv[2], "pages");
fs.mkdirSync(folder, { recursive: true });
const file = (name) => path.join(folder, name);
const widephase = (...parts) => execFileSync(process.env.WIDEPHASE_CLI, parts, { encoding: "utf8" });

/** Three circles in a row of which two overlap by 0.5, and a square in a world of its own. */
const kRow = {
  dimension: 2,
  circle: { center: [[0, 0], [1.5, 0], [4.5, 0]], radius: [1, 1, 1], world: [0, 0, 0] },
  box: { center: [[2, 0]], half_extents: [[1, 1]], angle: [0], world: [1] },
};
/** A circle 0.25 deep in the level part of a line 0.15 thick to each side, and a loop that nothing touches. */
const kLines = {
  dimension: 2,
  circle: { center: [[0, 0.9]], radius: [1] },
  chain: { center: [[0, 0], [0, 5]], angle: [0, 0], geometry: [0, 1], radius: [0.15, 0.2] },
  chains: { vertices: [[4, 1], [1.5, 0], [0, 0], [-1.5, 0], [-4, 1], [-1, -1], [1, -1], [1, 1], [-1, 1]], offsets: [0, 5, 9], loop: [0, 1], two_sided: [0, 1] },
};
/** A box 0.25 deep in the floor. */
const kFloor = {
  dimension: 3,
  box: { center: [[0, 0, 0.75]], half_extents: [[1, 1, 1]], orientation: [[0, 0, 0, 1]] },
  halfspace: { normal: [[0, 0, 1]], offset: [0] },
};

/** Six steps with a ball over a shelf that is in all of them: it is 0.25 deep in steps 2 and 4, and above it in others. */
const kSteps = {
  dimension: 3,
  sphere: {
    center: [0, 1, 2, 3, 4, 5].map((step) => [0, 0, [2, 4].includes(step) ? 0.75 : 2]), radius: Array(6).fill(1), world: [0, 1, 2, 3, 4, 5],
    body: Array(6).fill(3), owner: Array(6).fill(8), key: [100, 101, "9007199254740993", 103, 104, 105],  // 2^53 + 1, which no double is
  },
  aabb: { min: [[-2, -2, -1]], max: [[2, 2, 0]], world: [-1] },
  bodies: { position: Array(4).fill([0, 0, 0]) },
};
/** A hand of two shapes over a shelf, in a film's frames 97 and 2730: in the second it touches. A wrist has its body's name. */
const kNamed = {
  dimension: 3,
  sphere: {
    center: [[0, 0, 2], [0, 0, 5], [0, 0, 0.75], [0, 0, 2.5]], radius: [1, 1, 1, 1], world: [0, 0, 1, 1], body: [0, 1, 0, 1],
    name: ["panda_hand", "", "panda_hand", ""],
  },
  aabb: { min: [[-2, -2, -1]], max: [[2, 2, 0]], world: [-1], name: ["<i>shelf</i>"] },
  bodies: { position: [[0, 0, 0], [0, 0, 0]], name: ["hand", "wrist"] },
  world: { frame: [97, 2730] },
};
/** Across the sides of a square of 10: circles at the left and right, one in a corner, and a box above. */
const kAcross2 = {
  dimension: 2,
  circle: { center: [[0.5, 5], [9.5, 5], [0.8, 0.8], [5, 5]], radius: [1, 1, 1, 0.5] },
  box: { center: [[5, 9.5]], half_extents: [[0.5, 1]], angle: [0] },
  domain: { min: [0, 0], max: [10, 10], periodic: [true, true] },
};
/** Across the lower side along x alone: a ball, a capsule across, and a ball that the file has a domain farther on. */
const kAcross3 = {
  dimension: 3,
  sphere: { center: [[0.5, 5, 5], [15, 5, 2]], radius: [1, 1] },
  capsule: { a: [[-1, 5, 8]], b: [[1, 5, 8]], radius: [0.5] },
  domain: { min: [0, 0, 0], max: [10, 10, 10], periodic: [true, false, false] },
};

/** A file's name that would end a script or a comment, were it not escaped. */
const kName = "<!--<script>&amp;@DATA@.json";

/** Waves of nearly a million triangles, as a PLY file. */
const kSide = 707, kMillion = kSide * kSide;
function writeWaves(path) {
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${(kSide + 1) ** 2}\nproperty float x\nproperty float y\n` +
    `property float z\nelement face ${2 * kMillion}\nproperty list uchar int vertex_indices\nend_header\n`;
  const bytes = Buffer.alloc(header.length + 12 * (kSide + 1) ** 2 + 26 * kMillion);
  let at = bytes.write(header);
  for (let i = 0; i < (kSide + 1) ** 2; ++i) {
    const x = i % (kSide + 1), y = Math.floor(i / (kSide + 1));
    for (const value of [x, y, 5 * Math.sin(x / 30) * Math.cos(y / 50)]) at = bytes.writeFloatLE(value, at);
  }
  for (let i = 0; i < kMillion; ++i) {
    const corner = i + Math.floor(i / kSide), above = corner + kSide + 1;
    for (const triangle of [[corner, corner + 1, above + 1], [corner, above + 1, above]]) {
      at = bytes.writeUInt8(3, at);
      for (const vertex of triangle) at = bytes.writeInt32LE(vertex, at);
    }
  }
  fs.writeFileSync(path, bytes);
}

/** Two contacts on either side of the middle, along the first view, a little to the right of it. */
const kBehind = [-5, 5].map((k) => [-0.38 * k + 0.7, -0.76 * k - 0.35, 0.52 * k]);

async function open(browser, page, { width = 1280, height = 800, dark = false, hash = "" } = {}) {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(120000);
  const problems = [];
  tab.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
  tab.on("pageerror", (error) => problems.push(String(error)));
  tab.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`asks for ${request.url()}`);
  });
  await tab.setViewport({ width, height, deviceScaleFactor: 0.5 });  // few pixels, which a browser without a graphics card draws slowly
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await tab.goto(`file://${file(page)}${hash}`);
  await tab.waitForFunction(() => window.widephase !== undefined);
  await settle(tab);
  return { tab, problems };
}

/** Until what was asked for is drawn. */
const settle = (tab) => tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The page's colour at a place of the scene: [red, green, blue]. */
async function colorAt(tab, ...place) {
  const [x, y] = await tab.evaluate((at) => widephase.project(...at), place);
  return tab.evaluate((left, top) => {
    const canvas = document.getElementById("scene");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const scale = canvas.width / canvas.clientWidth;
    return Array.from(context.getImageData(Math.round(left * scale), Math.round(top * scale), 1, 1).data.slice(0, 3));
  }, x, y);
}
const isNear = (a, b) => a.every((value, k) => Math.abs(value - b[k]) <= 3);

async function click(tab, ...place) {
  const [x, y] = await tab.evaluate((at) => widephase.project(...at), place);
  await tab.mouse.click(x, y);
  await settle(tab);
}
const text = (tab, id) => tab.$eval(`#${id}`, (part) => (part.hidden ? "" : part.innerText));
/** What the address says, once the page has written it. */
const fragment = async (tab, expected) => {
  await tab.waitForFunction((is) => decodeURIComponent(location.hash) !== "" && new RegExp(is).test(location.hash), {}, expected.source)
    .catch(() => assert.match(tab.url(), expected));
  return tab.evaluate(() => location.hash);
};
const shot = (tab, name) => tab.screenshot({ path: file(`${name}.png`) });

const tests = {
  async "flat shapes are where they are, with the colours of their contacts"(browser) {
    const { tab, problems } = await open(browser, "row.html");
    const paper = await colorAt(tab, 3, 1.5);
    const touching = await colorAt(tab, -0.6, 0.3);
    const alone = await colorAt(tab, 4.2, 0.3);
    for (const [name, color] of Object.entries({ touching, alone })) {
      assert(!isNear(color, paper), `${name} ${color} is the paper's ${paper}`);
    }
    assert(!isNear(touching, alone), `what touches and what does not are both ${alone}`);
    assert(isNear(await colorAt(tab, 2.9, 0.3), paper), "between the circles is nothing");
    assert.match(await text(tab, "counts"), /^3 shapes, 1 contact in world 0 \(1 of 2\)$/);
    await shot(tab, "row");
    assert.deepStrictEqual(problems, []);
  },

  async "chains are lines as thick as they are, and loops close"(browser) {
    const { tab, problems } = await open(browser, "lines.html");
    const paper = await colorAt(tab, 3, 3);
    const touching = await colorAt(tab, 2.75, 0.5), alone = await colorAt(tab, 0, 4);
    for (const [name, color] of Object.entries({ touching, alone })) {
      assert(!isNear(color, paper), `${name} ${color} is the paper's ${paper}`);
    }
    assert(!isNear(touching, alone), `what touches and what does not are both ${alone}`);
    for (const at of [[-2.75, 0.5], [-1, -0.08]]) assert(isNear(await colorAt(tab, ...at), touching), `the line is not at ${at}`);
    for (const at of [[1, 5], [-1, 5], [0, 6], [0.5, 4.12]]) assert(isNear(await colorAt(tab, ...at), alone), `the loop is not at ${at}`);
    for (const at of [[0, 5], [-2.75, 0.9], [-1, -0.3], [3, -0.3]]) assert(isNear(await colorAt(tab, ...at), paper), `something is at ${at}`);
    await click(tab, 2.75, 0.5);
    assert.match(await text(tab, "numbers"), /^chain 0\n[^]*touches\s+circle 0/);
    await click(tab, 1, 5);
    assert.match(await text(tab, "numbers"), /^chain 1\n[^]*touches\s+nothing/);
    await click(tab, 0, -0.1);
    assert.match(await text(tab, "numbers"), /^circle 0 touches chain 0\n[^]*depth\s+0\.25\n[^]*normal\s+0, -1\n/);
    await shot(tab, "lines");
    assert.deepStrictEqual(problems, []);
  },

  async "a click tells a contact's numbers, a shape's, or nothing"(browser) {
    const { tab, problems } = await open(browser, "row.html");
    await click(tab, 1, 0);
    const numbers = await text(tab, "numbers");
    assert.match(numbers, /^circle 0 touches circle 1\n[^]*contact\s+0\n/);
    assert.match(numbers, /shapes\s+circle 0, circle 1\n/);
    assert.match(numbers, /depth\s+0\.5\n/);
    assert.match(numbers, /normal\s+1, 0\n/);
    assert.match(numbers, /point 0\s+1, 0; depth 0\.5; whole with whole/);
    await shot(tab, "row_clicked");
    await click(tab, 4.5, 0);
    assert.match(await text(tab, "numbers"), /^circle 2\n[^]*touches\s+nothing/);
    await click(tab, 3, 1.5);
    assert.strictEqual(await text(tab, "numbers"), "");
    assert.deepStrictEqual(problems, []);
  },

  async "a page of rays tells what they hit, and its address keeps a ray"(browser) {
    // Ray 0 hits the first circle at (-1, 0), ray 1 starts in it, ray 2 misses, ray 3 hits the square of world 1.
    const { tab, problems } = await open(browser, "rays.html");
    assert.strictEqual(await text(tab, "counts"), "3 shapes, 2 of 3 rays hit in world 0 (1 of 2)");
    assert.strictEqual(await text(tab, "marks"), "hits");
    assert.strictEqual(await tab.$eval("#ray-switch", (part) => part.hidden), false);
    const hit = await colorAt(tab, 0.6, 0.3), other = await colorAt(tab, 4.2, 0.3);
    assert(!isNear(hit, other), `what is hit and what is not are both ${hit}`);
    await click(tab, -1, 0);
    assert.strictEqual(await text(tab, "what"), "ray 0 hits circle 0");
    const told = await text(tab, "table");
    for (const line of [/status\s+hit\n/, /t\s+2\n/, /from\s+-3, /, /point\s+-1, /, /normal\s+-1, 0\n/]) assert.match(told, line);
    await fragment(tab, /ray=0/);
    await tab.click("#after");
    await settle(tab);
    assert.match(await text(tab, "table"), /status\s+starts inside/);
    await tab.click("#after");
    await settle(tab);
    assert.strictEqual(await text(tab, "what"), "ray 2 hits nothing");
    await click(tab, 0.6, 0.3);
    assert.match(await text(tab, "table"), /hit by rays\s+0, 1/);
    const painted = await colorAt(tab, -2, 0);
    await tab.click("#rays");
    await settle(tab);
    assert(!isNear(await colorAt(tab, -2, 0), painted), "rays that are switched off are still drawn");
    const back = await open(browser, "rays.html", { hash: "#ray=3&hide=normals" });
    assert.strictEqual(await text(back.tab, "what"), "ray 3 hits box 0");
    assert.match(await text(back.tab, "counts"), /1 of 1 ray hit in world 1/);
    const contacts = await open(browser, "row.html", { hash: "#ray=0" });
    assert.strictEqual(await contacts.tab.$eval("#ray-switch", (part) => part.hidden), true);
    for (const page of [{ problems }, back, contacts]) assert.deepStrictEqual(page.problems, []);
  },

  async "the slider chooses the world"(browser) {
    const { tab, problems } = await open(browser, "row.html");
    const before = await colorAt(tab, 2, 0.8);
    await tab.$eval("#slider", (slider) => { slider.value = "1"; slider.dispatchEvent(new Event("input")); });
    await settle(tab);
    assert.match(await text(tab, "counts"), /^1 shape, 0 contacts in world 1 \(2 of 2\)$/);
    assert(!isNear(await colorAt(tab, 2, 0.8), before), "the box of world 1 is not drawn");
    await click(tab, 2, 0.5);
    assert.match(await text(tab, "numbers"), /^box 0\n[^]*id\s+3\nworld\s+1\n/);
    await tab.click("#play");
    await tab.waitForFunction(() => document.getElementById("world").value === "0");
    await tab.click("#play");
    assert.deepStrictEqual(problems, []);
  },

  async "what is switched off is not drawn"(browser) {
    const { tab, problems } = await open(browser, "row.html");
    const paper = await colorAt(tab, 3, 1.5);
    for (const id of ["shapes", "points", "normals"]) await tab.click(`#${id}`);
    await settle(tab);
    for (const x of [-0.6, 1, 1.05]) assert(isNear(await colorAt(tab, x, 0), paper), `something is at ${x}`);
    assert.deepStrictEqual(problems, []);
  },

  async "one world alone has no slider and its contacts' numbers in the file"(browser) {
    const { tab, problems } = await open(browser, "one.html");
    assert.strictEqual(await tab.$eval("#worlds", (part) => part.hidden), true);
    assert.match(await text(tab, "counts"), /in step 1 \(2 of 2\)$/);
    await click(tab, 7, 0);
    assert.match(await text(tab, "numbers"), /contact\s+1\nshapes\s+circle 2, circle 3\nids\s+2, 3\ndepth\s+0\.25\n/);
    assert.deepStrictEqual(problems, []);
  },

  async "shapes in space, and a click on a contact of the floor"(browser) {
    const { tab, problems } = await open(browser, "floor.html");
    const paper = await colorAt(tab, 0, 0, 30);
    assert(!isNear(await colorAt(tab, 0, -1, 0.8), paper), "the box is not drawn");
    await click(tab, -1, -1, -0.25);
    const numbers = await text(tab, "numbers");
    assert.match(numbers, /contact\s+0\nshapes\s+box 0, halfspace 0\nids\s+0, 1\ndepth\s+0\.25\nnormal\s+0, 0, -1\n/);
    assert.deepStrictEqual(numbers.match(/vertex \d with \w+/g), [0, 1, 2, 3].map((i) => `vertex ${i} with whole`));
    await shot(tab, "floor");
    assert.deepStrictEqual(problems, []);
  },

  async "a click does not tell of contacts behind the eye"(browser) {
    const { tab, problems } = await open(browser, "behind.html");
    const project = (of) => tab.evaluate((at) => widephase.project(...at), of);
    // Nearer and nearer to the middle, until one of the two contacts is behind.
    await tab.mouse.move(640, 400);
    let places = [];
    for (let i = 0; i < 200 && places.every(([, , isSeen]) => isSeen ?? true); ++i) {
      await tab.mouse.wheel({ deltaY: -100 });
      await settle(tab);
      places = [await project(kBehind[0]), await project(kBehind[1])];
    }
    const behind = places.findIndex(([, , isSeen]) => !isSeen);
    const [x, y] = places[behind];
    assert(x > 400 && x < 1270 && y > 0 && y < 800, `the contact behind is mirrored to ${[x, y]}`);
    await tab.mouse.click(x, y);
    await settle(tab);
    assert.doesNotMatch(await text(tab, "numbers"), /touches sphere/);
    assert.deepStrictEqual(problems, []);
  },

  async "a rounded hull and a rounded box reach as far as they are"(browser) {
    const { tab, problems } = await open(browser, "rounded.html");
    const paper = await colorAt(tab, 0, 0, 3);
    for (const place of [[0, 0, 0.85], [0.1, 0.1, 0.1], [3, 0, 0.85], [3.1, 0.1, 0.1]]) {
      assert(!isNear(await colorAt(tab, ...place), paper), `nothing is at ${place}`);
    }
    await click(tab, 0, -0.5, 0.7);
    assert.match(await text(tab, "numbers"), /^hull 0\n/);
    await click(tab, 3, -0.5, 0.7);
    assert.match(await text(tab, "numbers"), /^box 0\n/);
    await shot(tab, "rounded");
    assert.deepStrictEqual(problems, []);
  },

  async "ellipsoids, cones and cylinders, sharp and rounded, reach as far as they are"(browser) {
    const { tab, problems } = await open(browser, "smooth.html");
    const paper = await colorAt(tab, -1.5, 0, 1);
    // Upright and 2 high; the cone has a point above, which neither an ellipsoid nor a cylinder has.
    const there = [[0, 0, 0.8], [0.2, 0, 0.4], [2.5, 0, 0.7], [2.5, 0, -0.7], [5, 0, 0.9], [5.2, 0, 0.85]];
    for (const place of there) assert(!isNear(await colorAt(tab, ...place), paper), `nothing is at ${place}`);
    for (const place of [[0, 0, 1.5], [0.5, 0, 0.9], [2.5, 0, 1.2], [2.85, 0, 0.8], [5, 0, 1.4]]) {
      assert(isNear(await colorAt(tab, ...place), paper), `something is at ${place}`);
    }
    // Above each of them one of a tenth the size, rounded by 0.8.
    for (const [x, name] of [[0, "ellipsoid 1"], [2.5, "cone 1"], [5, "cylinder 1"]]) {
      for (const place of [[x, 0, 3.85], [x + 0.1, 0.1, 3.1], [x, 0, 2.2]]) {
        assert(!isNear(await colorAt(tab, ...place), paper), `nothing is at ${place}`);
      }
      assert(isNear(await colorAt(tab, x, 0, 4.2), paper), `${name} is too large`);
      await click(tab, x, -0.5, 3.7);
      assert.match(await text(tab, "numbers"), new RegExp(`^${name}\n`));
    }
    await shot(tab, "smooth");
    assert.deepStrictEqual(problems, []);
  },

  async "a scene of any size fills the page"(browser) {
    for (const [name, size] of [["tiny", 1e-12], ["vast", 1e18]]) {
      const { tab, problems } = await open(browser, `${name}.html`);
      const paper = await colorAt(tab, 3 * size, 1.5 * size);
      assert(!isNear(await colorAt(tab, -0.6 * size, 0.3 * size), paper), `nothing is drawn of ${name}`);
      assert(isNear(await colorAt(tab, 2.9 * size, 0.3 * size), paper));
      await click(tab, size, 0);
      assert.match(await text(tab, "numbers"), name === "tiny" ? /depth\s+5e-13\n/ : /depth\s+500000000000000000\n/);
      assert.deepStrictEqual(problems, []);
    }
  },

  async "a periodic domain is on the page, and halfspaces alone"(browser) {
    const domain = await open(browser, "periodic.html");
    for (const corner of [[0, 0], [10, 10]]) {
      const [x, y] = await domain.tab.evaluate((at) => widephase.project(...at), corner);
      assert(x > 0 && x < 1280 && y > 0 && y < 800, `${corner} is at ${[x, y]}`);
    }
    assert.match(await text(domain.tab, "counts"), /^2 shapes, 1 contact$/);
    const plane = await open(browser, "plane.html");
    const paper = await colorAt(plane.tab, 0.7, 4.5), y = (await plane.tab.evaluate(() => widephase.project(0.3, 5)))[1];
    assert(y > 0 && y < 800, `the line is at ${y}`);
    const around = await Promise.all([-0.005, 0, 0.005].map((by) => colorAt(plane.tab, 0.3, 5 + by)));
    assert(around.some((color) => !isNear(color, paper)), "the line is not drawn");
    assert.deepStrictEqual([...domain.problems, ...plane.problems], []);
  },

  async "a contact across worlds is shown in both"(browser) {
    const { tab, problems } = await open(browser, "across.html");
    for (const world of ["0", "1"]) {
      await tab.$eval("#world", (part, to) => { part.value = to; part.dispatchEvent(new Event("change")); }, world);
      await settle(tab);
      assert.match(await text(tab, "counts"), /^1 shape, 1 contact in world . \(. of 2\)$/);
    }
    await tab.$eval("#world", (part) => { part.value = "0.5"; part.dispatchEvent(new Event("change")); });
    assert.match(await text(tab, "counts"), /in world 1 \(2 of 2\)$/, "0.5 is not a world");
    assert.deepStrictEqual(problems, []);
  },

  async "it opens on the first step with contacts, and goes to the next and back"(browser) {
    const { tab, problems } = await open(browser, "steps.html");
    const at = async (expected) => { await settle(tab); assert.match(await text(tab, "counts"), expected); };
    await at(/1 contact in step 2 \(3 of 6\)$/);
    const isOff = (id) => tab.$eval(`#${id}`, (button) => button.getAttribute("aria-disabled") === "true");
    assert.deepStrictEqual([await isOff("previous"), await isOff("next")], [true, false]);
    await tab.click("#next");
    await at(/1 contact in step 4 \(5 of 6\)$/);
    assert.deepStrictEqual([await isOff("previous"), await isOff("next")], [false, true]);
    await tab.click("#next");
    await at(/in step 4 /);
    await tab.focus("#world");
    await tab.keyboard.press("ArrowUp");
    await at(/0 contacts in step 5 \(6 of 6\)$/);
    await tab.click("#previous");
    await at(/in step 4 /);
    assert.strictEqual(await tab.$eval("#next", (button) => button.getAttribute("aria-label")), "next step with contacts");
    assert.deepStrictEqual(problems, []);
  },

  async "a clicked shape tells kind and row, body, owner, key and what it touches"(browser) {
    const { tab, problems } = await open(browser, "steps.html");
    await click(tab, 0, -1, 0.75);
    const numbers = await text(tab, "numbers");
    assert.match(numbers, /^sphere 2\n[^]*id\s+2\nstep\s+2\nbody\s+3\nowner\s+8\nkey\s+9007199254740993\ntouches\s+aabb 0\ndeepest\s+0\.25$/);
    await shot(tab, "steps_clicked");
    // Its partner: the contact, then the shelf, which is in all steps and without body, owner and key of its own.
    await tab.click("#table .link");
    assert.match(await text(tab, "numbers"), /^sphere 2 touches aabb 0\n[^]*shapes\s+sphere 2, aabb 0\nids\s+2, 6\n/);
    await (await tab.$$("#table .link"))[1].click();
    assert.match(await text(tab, "numbers"), /^aabb 0\n[^]*step\s+all\nbody\s+none\nowner\s+none\nkey\s+6\ntouches\s+sphere 2\n/);
    // So on a page of one step alone.
    const alone = await open(browser, "alone.html");
    await click(alone.tab, 0, -1, 0.75);
    assert.match(await text(alone.tab, "numbers"), /^sphere 4\n[^]*step\s+4\nbody\s+3\nowner\s+8\nkey\s+104\ntouches\s+aabb 0\n/);
    assert.deepStrictEqual([...problems, ...alone.problems], []);
  },

  async "names and numbers of frames are the file's"(browser) {
    const { tab, problems } = await open(browser, "film.html");
    assert.match(await text(tab, "counts"), /^3 shapes, 2 contacts in frame 2730 \(2 of 2\)$/);
    await click(tab, 0, -1, 0.75);
    assert.match(await text(tab, "numbers"),
                 /^panda_hand\n[^]*shape\s+sphere 2\nid\s+2\nframe\s+2730\nbody\s+hand \(body 0\)\ntouches\s+(wrist, <i>shelf<\/i>|<i>shelf<\/i>, wrist)\n/);
    await tab.$$eval("#table .link", (links) => links.find((link) => link.textContent === "<i>shelf</i>").click());
    assert.match(await text(tab, "numbers"), /^panda_hand touches <i>shelf<\/i>\n[^]*shapes\s+panda_hand \(sphere 2\), <i>shelf<\/i> \(aabb 0\)\n/);
    await fragment(tab, /^#frame=2730&contact=\d$/);
    await shot(tab, "film");
    // The number of the nearest frame is taken.
    await tab.$eval("#world", (part) => { part.value = "100"; part.dispatchEvent(new Event("change")); });
    assert.match(await text(tab, "counts"), /in frame 97 \(1 of 2\)$/);
    assert.strictEqual(await tab.$eval("#world", (part) => part.value), "97");
    const alone = await open(browser, "frame.html");
    assert.match(await text(alone.tab, "counts"), /in step 2730 \(2 of 2\)$/);
    await click(alone.tab, 0, -1, 2.5);
    assert.match(await text(alone.tab, "numbers"), /^wrist\n[^]*shape\s+sphere 3\n/);
    assert.deepStrictEqual([...problems, ...alone.problems], []);
  },

  async "shapes within the margin are near"(browser) {
    const { tab, problems } = await open(browser, "near.html");
    await click(tab, 5, 0);
    assert.match(await text(tab, "numbers"), /^circle 2\n[^]*touches\s+nothing\nis near\s+circle 1\ndeepest\s+-1$/);
    await tab.click("#table .link");
    assert.match(await text(tab, "numbers"), /^circle 1 is near circle 2\n/);
    assert.deepStrictEqual(problems, []);
  },

  async "the address keeps world, camera and selection"(browser) {
    const { tab, problems } = await open(browser, "steps.html");
    assert.strictEqual(new URL(tab.url()).hash, "", "a page that was only opened has no state");
    await tab.click("#next");
    await click(tab, 0, -1, 0.75);
    await tab.mouse.move(640, 500);
    await tab.mouse.wheel({ deltaY: -300 });
    await tab.click("#normals");
    const hash = await fragment(tab, /^#step=4&camera=[-\d.,]+&shape=4&hide=normals$/);
    const place = await tab.evaluate(() => widephase.project(1, 2, 3));
    const again = await open(browser, "steps.html", { hash });
    assert.match(await text(again.tab, "counts"), /in step 4 /);
    assert.match(await text(again.tab, "numbers"), /^sphere 4\n/);
    assert.strictEqual(await again.tab.$eval("#normals", (box) => box.checked), false);
    const back = await again.tab.evaluate(() => widephase.project(1, 2, 3));
    for (const k of [0, 1]) assert(Math.abs(back[k] - place[k]) < 0.1, `${place} comes back as ${back}`);
    // A link within the page, and one without a state.
    await again.tab.evaluate(() => { location.hash = "#world=3"; });
    await again.tab.waitForFunction(() => document.getElementById("world").value === "3");
    assert.strictEqual(await text(again.tab, "numbers"), "");
    // A contact alone is in its step; one cannot see what a link names in another step.
    for (const [link, where, numbers] of [["#contact=1", / step 4 /, /^sphere 4 touches aabb 0\n/], ["#shape=1", / step 1 /, /^sphere 1\n/],
                                          ["#step=0&shape=1", / step 0 /, /^$/]]) {
      const linked = await open(browser, "steps.html", { hash: link });
      assert.match(await text(linked.tab, "counts"), where);
      assert.match(await text(linked.tab, "numbers"), numbers);
      problems.push(...linked.problems);
      await linked.tab.close();
    }
    assert.deepStrictEqual([...problems, ...again.problems], []);
  },

  async "in 2D the camera comes back in a window of another shape"(browser) {
    const { tab, problems } = await open(browser, "row.html");
    await tab.focus("#scene");
    for (const key of ["+", "+", "ArrowRight"]) await tab.keyboard.press(key);
    const hash = await fragment(tab, /^#world=0&camera=[-\d.,]+$/);
    const [x, y, across] = hash.split("=")[2].split(",").map(Number);
    const narrow = await open(browser, "row.html", { hash, width: 390, height: 844 });
    // The middle of the window, and as much across its shorter side, is what it was.
    for (const [shown, width, height] of [[tab, 1280, 800], [narrow.tab, 390, 844]]) {
      const at = await shown.evaluate((...place) => widephase.project(...place), x + (across / 2) * (width < height), y - (across / 2) * (width > height));
      const expected = width < height ? [width, height / 2] : [width / 2, height];
      for (const k of [0, 1]) assert(Math.abs(at[k] - expected[k]) < 1, `${at} should be ${expected}`);
    }
    assert.deepStrictEqual([...problems, ...narrow.problems], []);
  },

  async "a malformed address is ignored"(browser) {
    const clean = await open(browser, "steps.html");
    const home = await clean.tab.evaluate(() => widephase.project(1, 2, 3));
    const { tab, problems } = await open(browser, "steps.html", { hash: "#step=6" });
    for (const hash of ["#step=6", "#step=two&camera=1,2,3", "#shape=7&contact=-1", "#camera=0,0,0,0,0,0", "#camera=1e300,0,0,0,0,0", "#%E0%A4%A&&=="]) {
      await tab.evaluate((link) => { location.hash = link; }, hash);
      await settle(tab);
      assert.match(await text(tab, "counts"), /in step 2 /, hash);
      assert.strictEqual(await text(tab, "numbers"), "", hash);
      const at = await tab.evaluate(() => widephase.project(1, 2, 3));
      for (const k of [0, 1]) assert(Math.abs(at[k] - home[k]) < 0.1, `${hash}: ${at} should be ${home}`);
    }
    // What is well formed beside it holds.
    await tab.evaluate(() => { location.hash = "#camera=no&step=4"; });
    await tab.waitForFunction(() => document.getElementById("world").value === "4");
    assert.deepStrictEqual(problems, []);
  },

  async "all of it is reached by keys"(browser) {
    const { tab, problems } = await open(browser, "steps.html");
    const focused = () => tab.evaluate(() => document.activeElement.id);
    const reached = [];
    for (let i = 0; i < 13; ++i) {
      await tab.keyboard.press("Tab");
      reached.push(await focused());
    }
    for (const id of ["scene", "shape-count", "contact-count", "shapes", "points", "normals", "reset", "play", "slider", "world", "previous", "next"]) {
      assert(reached.includes(id), `${id} is not among ${reached}`);
    }
    await tab.focus("#contact-count");
    await tab.keyboard.press("Enter");
    assert.match(await text(tab, "numbers"), /^sphere 2 touches aabb 0\n/);
    await tab.focus("#shape-count");
    await tab.keyboard.press("Enter");
    assert.match(await text(tab, "numbers"), /^sphere 2\n/, "the first shape of step 2");
    await tab.focus("#after");
    await tab.keyboard.press("Enter");
    assert.match(await text(tab, "numbers"), /^aabb 0\n/);
    await tab.keyboard.press("Enter");
    assert.match(await text(tab, "numbers"), /^sphere 2\n/, "around the end");
    await tab.focus("#scene");
    for (const [key, expected] of [["Escape", / step 2 /], ["n", / step 4 /], ["p", / step 2 /]]) {
      await tab.keyboard.press(key);
      await settle(tab);
      assert.match(await text(tab, "counts"), expected);
      assert.strictEqual(await text(tab, "numbers"), "");
    }
    assert.deepStrictEqual(problems, []);
  },

  async "a bar of a round length is as long as it says"(browser) {
    const { tab, problems } = await open(browser, "row.html");
    const check = async () => {
      await settle(tab);
      const [width, length] = await tab.evaluate(() => [document.getElementById("bar").getBoundingClientRect().width, Number(document.getElementById("length").innerText)]);
      const [from, to] = await tab.evaluate((x) => [widephase.project(0, 0)[0], widephase.project(x, 0)[0]], length);
      assert(Math.abs(to - from - width) < 1, `${length} is ${to - from} px, the bar ${width}`);
      assert(width > 40 && width < 150, `a bar of ${width} px`);
      assert([1, 2, 5].includes(Number(length.toExponential()[0])) && /^[125]e/.test(length.toExponential()), `${length} is not round`);
      return length;
    };
    const before = await check();
    await tab.focus("#scene");
    for (let i = 0; i < 8; ++i) await tab.keyboard.press("+");
    assert(await check() < before);
    const solid = await open(browser, "floor.html");
    assert.strictEqual(await solid.tab.$eval("#ruler", (part) => part.hidden), true, "in space lengths differ by how far away they are");
    assert.deepStrictEqual([...problems, ...solid.problems], []);
  },

  async "images across the sides of a periodic domain are drawn where they show"(browser) {
    const flat = await open(browser, "across2.html");
    const paper = await colorAt(flat.tab, 7, 2);
    // The circle at the left reaches 0.5 beyond the side: so far it comes in at the right, where it touches the other one.
    for (const place of [[10.8, 5.5], [-0.8, 5.5], [5.3, 0.2], [5.3, -0.4], [10.5, 1.2], [1.2, 10.5]]) {
      assert(!isNear(await colorAt(flat.tab, ...place), paper), `no image is at ${place}`);
    }
    // The circle near the corner is 0.8 times the root of 2, 1.13, from it: it does not show across the corner. The one in the
    // middle shows nowhere else.
    for (const place of [[10.8, 10.8], [12.5, 5], [7.5, -0.6]]) assert(isNear(await colorAt(flat.tab, ...place), paper), `something is at ${place}`);
    await click(flat.tab, 11.3, 5);
    assert.match(await text(flat.tab, "numbers"), /^circle 0\n[^]*touches\s+circle 1\n/);
    assert.match(await text(flat.tab, "counts"), /^5 shapes, 1 contact$/, "images are not counted");
    // The contact lies near circle 0, half a length beyond the left side, and shows inside of the right one.
    for (const x of [-0.5, 9.5]) {
      await click(flat.tab, x, 5);
      assert.match(await text(flat.tab, "numbers"), /^circle 0 touches circle 1\n/, `at ${x}`);
    }
    await shot(flat.tab, "across2");
    const solid = await open(browser, "across3.html");
    const sky = await colorAt(solid.tab, 5, 5, 13);
    for (const place of [[10.4, 5, 5], [5, 5, 2], [9.7, 5, 8]]) assert(!isNear(await colorAt(solid.tab, ...place), sky), `no image is at ${place}`);
    await click(solid.tab, 10.4, 5, 5);
    assert.match(await text(solid.tab, "numbers"), /^sphere 0\n/);
    await click(solid.tab, 9.9, 4.6, 8);
    assert.match(await text(solid.tab, "numbers"), /^capsule 0\n/);
    await shot(solid.tab, "across3");
    assert.deepStrictEqual([...flat.problems, ...solid.problems], []);
  },

  async "every kind of shape, light and dark, wide and narrow"(browser) {
    for (const page of ["mixed2", "mixed3", "pile", "smooth_pile", "corridor"]) {
      for (const [name, width, height] of [["wide", 1280, 800], ["narrow", 390, 844]]) {
        const { tab, problems } = await open(browser, `${page}.html`, { width, height, dark: name === "narrow" });
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(overflow <= 0, `${page} is ${overflow} px too wide at ${width}`);
        const boxes = await tab.$$eval(".panel", (panels) => panels.filter((panel) => !panel.hidden)
          .map((panel) => { const { left, right } = panel.getBoundingClientRect(); return [left, right]; }));
        for (const [left, right] of boxes) assert(left >= 0 && right <= width, `a panel lies at ${left} to ${right}`);
        await shot(tab, `${page}_${name}`);
        assert.deepStrictEqual(problems, [], `${page} ${name}`);
        await tab.close();
      }
    }
  },

  async "a hundred thousand shapes"(browser) {
    const { tab, problems } = await open(browser, "many.html");
    assert.match(await text(tab, "counts"), /^100,000 shapes/);
    const first = await tab.evaluate(() => widephase.frameMilliseconds(2));
    console.log(`    a frame of 100,000 spheres: ${first.toFixed(0)} ms in this browser, which has no graphics card`);
    await shot(tab, "many");
    assert.deepStrictEqual(problems, []);
  },

  async "a mesh of a million triangles opens within 5 seconds and 200 MB"(browser) {
    const { tab, problems } = await open(browser, "million.html");
    const system = await browser.target().createCDPSession();
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    const drawing = processInfo.filter(({ type }) => type === "renderer").sort((a, b) => b.cpuTime - a.cpuTime)[0];
    const megabytes = Number(/Pss:\s+(\d+)/.exec(fs.readFileSync(`/proc/${drawing.id}/smaps_rollup`, "utf8"))[1]) / 1000;
    const frame = await tab.evaluate(() => widephase.frameMilliseconds(1));
    console.log(`    ${kMillion * 2} triangles: open after ${drawing.cpuTime.toFixed(1)} s of the page's process, ` +
                `${megabytes.toFixed(0)} MB; a frame: ${frame.toFixed(0)} ms in this browser, which has no graphics card`);
    assert(drawing.cpuTime <= 5 && megabytes <= 200);
    assert.match(await text(tab, "counts"), /^1 shape, 0 contacts/);
    await shot(tab, "million");
    assert.deepStrictEqual(problems, []);
    await tab.close();
  },

  async "names are text, whatever they hold"(browser) {
    const { tab, problems } = await open(browser, "named.html");
    for (const title of [await text(tab, "title"), await tab.title()]) assert.strictEqual(title, kName);
    assert.deepStrictEqual(problems, []);
  },
};

(async () => {
  // Keys beyond 2^53 are written as texts above.
  const write = (name, scene) => fs.writeFileSync(file(name), JSON.stringify(scene).replace(/"(\d+)"/g, "$1"));
  write("row.json", kRow);
  widephase("view", file("row.json"), "-o", file("row.html"));
  write("pairs.json", {
    dimension: 2,
    circle: { center: [[0, 0], [1.5, 0], [6, 0], [7.75, 0]], radius: [1, 1, 1, 1], world: [0, 0, 1, 1] },
  });
  widephase("collide", file("pairs.json"), "--order", "id", "-o", file("pairs.npz"));
  widephase("view", file("pairs.json"), file("pairs.npz"), "--world", "1", "--steps", "-o", file("one.html"));
  write("floor.json", kFloor);
  widephase("view", file("floor.json"), "-o", file("floor.html"));
  const generated = [["mixed2", "mixed", 400, 2], ["mixed3", "mixed", 400, 3], ["pile", "pile", 300, 3],
                     ["smooth_pile", "smooth_pile", 300, 3],
                     ["corridor", "corridor", 2000, 2], ["many", "uniform", 100000, 3]];
  for (const [name, scene, count, dimension] of generated) {
    widephase("generate", scene, "--count", String(count), "--dimension", String(dimension), "-o", file(`${name}.npz`));
    widephase("view", file(`${name}.npz`), "-o", file(`${name}.html`));
  }
  writeWaves(file("million.ply"));
  widephase("convert", file("million.ply"), "--surface", "-o", file("million.npz"));
  widephase("view", file("million.npz"), "-o", file("million.html"));
  for (const made of ["million.ply", "million.npz"]) fs.rmSync(file(made));
  write(kName, kRow);
  widephase("view", file(kName), "-o", file("named.html"));
  for (const [name, size] of [["tiny", 1e-12], ["vast", 1e18]]) {
    write(`${name}.json`, { dimension: 2, circle: { center: kRow.circle.center.map((p) => p.map((x) => x * size)), radius: [size, size, size] } });
    widephase("view", file(`${name}.json`), "-o", file(`${name}.html`));
  }
  const corners = [-0.1, 0.1].flatMap((x) => [-0.1, 0.1].flatMap((y) => [-0.1, 0.1].map((z) => [x, y, z])));
  const level = [[0, 0, 0, 1], [0, 0, 0, 1]];
  const others = {
    lines: kLines,
    rounded: {
      dimension: 3,
      box: { center: [[3, 0, 0]], half_extents: [[0.1, 0.1, 0.1]], orientation: [[0, 0, 0, 1]], radius: [0.8] },
      hull: { center: [[0, 0, 0]], orientation: [[0, 0, 0, 1]], geometry: [0], radius: [0.8] },
      hulls: { vertices: corners, offsets: [0, 8] },
    },
    smooth: {
      dimension: 3,
      ellipsoid: { center: [[0, 0, 0], [0, 0, 3]], orientation: level, half_extents: [[0.3, 0.3, 1], [0.1, 0, 0.1]], rounding: [0, 0.8] },
      cone: { center: [[2.5, 0, 0], [2.5, 0, 3]], orientation: level, half_height: [1, 0.1], radius: [0.5, 0.05], rounding: [0, 0.8] },
      cylinder: { center: [[5, 0, 0], [5, 0, 3]], orientation: level, half_height: [1, 0.1], radius: [0.3, 0], rounding: [0, 0.8] },
    },
    periodic: {
      dimension: 2,
      circle: { center: [[0.5, 5], [9.5, 5]], radius: [1, 1] },
      domain: { min: [0, 0], max: [10, 10], periodic: [true, true] },
    },
    plane: { dimension: 2, halfspace: { normal: [[0, 1]], offset: [5] } },
    behind: { dimension: 3, sphere: { center: kBehind.flatMap(([x, y, z]) => [[x - 0.1, y, z], [x + 0.05, y, z]]), radius: [0.1, 0.1, 0.1, 0.1] } },
    steps: kSteps,
    film: kNamed,
    across2: kAcross2,
    across3: kAcross3,
    across: { dimension: 2, circle: { center: [[0, 0], [1, 0]], radius: [1, 1], world: [0, 1] }, pairs: [[0, 1]] },
  };
  for (const [name, scene] of Object.entries(others)) {
    write(`${name}.json`, scene);
    widephase("view", file(`${name}.json`), ...(name === "steps" ? ["--steps"] : []), "-o", file(`${name}.html`));
  }
  widephase("view", file("steps.json"), "--steps", "--world", "4", "-o", file("alone.html"));
  widephase("view", file("film.json"), "--steps", "--world", "1", "-o", file("frame.html"));
  fs.writeFileSync(file("rays.csv"), "ox,oy,dx,dy,world\n-3,0,1,0,0\n0.2,-0.2,1,0,0\n-3,3,1,0,0\n2,4,0,-1,1\n");
  widephase("cast", file("row.json"), "--rays", file("rays.csv"), "--page", file("rays.html"));
  // Circles 1 and 2 of the row are 1 apart.
  widephase("view", file("row.json"), "--margin", "1.5", "-o", file("near.html"));
  widephase("view", file("mixed3.npz"), "-o", file("again.html"));
  assert(fs.readFileSync(file("mixed3.html")).equals(fs.readFileSync(file("again.html"))), "two runs write two pages");

  const browser = await puppeteer.launch({
    executablePath: process.env.WIDEPHASE_CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu-compositing", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  let failed = 0;
  for (const [name, test] of Object.entries(tests).filter(([its]) => its.includes(process.argv[3] ?? ""))) {
    try {
      await test(browser);
      console.log(`ok     ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED ${name}\n${error.stack}`);
    }
    await Promise.all((await browser.pages()).slice(1).map((tab) => tab.close()));  // all but the one the browser began with
  }
  await browser.close();
  process.exitCode = failed === 0 ? 0 : 1;
})();
