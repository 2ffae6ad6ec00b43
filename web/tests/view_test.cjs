// The pages of `widephase view` in a browser without a screen, opened from the disk.
//   node view_test.cjs FOLDER
// WIDEPHASE_CLI and WIDEPHASE_CHROMIUM name the programs; pages and screenshots go to the folder.

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const folder = path.join(process.argv[2], "pages");
fs.mkdirSync(folder, { recursive: true });
const file = (name) => path.join(folder, name);
const widephase = (...parts) => execFileSync(process.env.WIDEPHASE_CLI, parts, { encoding: "utf8" });

/** Three circles in a row of which two overlap by 0.5, and a square in a world of its own. */
const kRow = {
  dimension: 2,
  circle: { center: [[0, 0], [1.5, 0], [4.5, 0]], radius: [1, 1, 1], world: [0, 0, 0] },
  box: { center: [[2, 0]], half_extents: [[1, 1]], angle: [0], world: [1] },
};
/** A box 0.25 deep in the floor. */
const kFloor = {
  dimension: 3,
  box: { center: [[0, 0, 0.75]], half_extents: [[1, 1, 1]], orientation: [[0, 0, 0, 1]] },
  halfspace: { normal: [[0, 0, 1]], offset: [0] },
};

/** A file's name that would end a script or a comment, were it not escaped. */
const kName = "<!--<script>&amp;@DATA@.json";

/** Two contacts on either side of the middle, along the first view, a little to the right of it. */
const kBehind = [-5, 5].map((k) => [-0.38 * k + 0.7, -0.76 * k - 0.35, 0.52 * k]);

async function open(browser, page, { width = 1280, height = 800, dark = false } = {}) {
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
  await tab.goto(`file://${file(page)}`);
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
    const first = await tab.evaluate(() => widephase.frameMilliseconds());
    console.log(`    a frame of 100,000 spheres: ${first.toFixed(0)} ms in this browser, which has no graphics card`);
    await shot(tab, "many");
    assert.deepStrictEqual(problems, []);
  },

  async "names are text, whatever they hold"(browser) {
    const { tab, problems } = await open(browser, "named.html");
    for (const title of [await text(tab, "title"), await tab.title()]) assert.strictEqual(title, kName);
    assert.deepStrictEqual(problems, []);
  },
};

(async () => {
  const write = (name, scene) => fs.writeFileSync(file(name), JSON.stringify(scene));
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
  write(kName, kRow);
  widephase("view", file(kName), "-o", file("named.html"));
  for (const [name, size] of [["tiny", 1e-12], ["vast", 1e18]]) {
    write(`${name}.json`, { dimension: 2, circle: { center: kRow.circle.center.map((p) => p.map((x) => x * size)), radius: [size, size, size] } });
    widephase("view", file(`${name}.json`), "-o", file(`${name}.html`));
  }
  const corners = [-0.1, 0.1].flatMap((x) => [-0.1, 0.1].flatMap((y) => [-0.1, 0.1].map((z) => [x, y, z])));
  const level = [[0, 0, 0, 1], [0, 0, 0, 1]];
  const others = {
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
    across: { dimension: 2, circle: { center: [[0, 0], [1, 0]], radius: [1, 1], world: [0, 1] }, pairs: [[0, 1]] },
  };
  for (const [name, scene] of Object.entries(others)) {
    write(`${name}.json`, scene);
    widephase("view", file(`${name}.json`), "-o", file(`${name}.html`));
  }
  widephase("view", file("mixed3.npz"), "-o", file("again.html"));
  assert(fs.readFileSync(file("mixed3.html")).equals(fs.readFileSync(file("again.html"))), "two runs write two pages");

  const browser = await puppeteer.launch({
    executablePath: process.env.WIDEPHASE_CHROMIUM,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test(browser);
      console.log(`ok     ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED ${name}\n${error.stack}`);
    }
  }
  await browser.close();
  process.exitCode = failed === 0 ? 0 : 1;
})();
