// The lab's page in a browser without a screen, opened from the disk, against the native answers.
//   node lab_test.cjs PAGE NATIVE [WORD]     only tests whose names hold the word
// WIDEPHASE_CHROMIUM names the browser; screenshots go to a folder beside the page.

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const puppeteer = require("puppeteer-core");

const [page, native] = process.argv.slice(2, 4).map((name) => path.resolve(name));
const folder = path.join(path.dirname(page), "pages");
fs.mkdirSync(folder, { recursive: true });
const kTabs = ["answer", "sat", "gjk", "epa"], kMotionTabs = ["cast", "advance"];
const tabsOf = (dimension) => (dimension === 2 ? [...kTabs, ...kMotionTabs] : kTabs);
const kDimensions = [2, 3];
const kSmall = { width: 390, height: 600 };

/** By default half a pixel per unit: a browser without a graphics card draws slowly. */
async function open(browser, { width = 1280, height = 900, scale = 0.5, dark = false, hash = "" } = {}) {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(120000);
  const problems = [];
  tab.on("console", (message) => { const isDriver = message.text().includes("GL Driver Message");  // of drawings that are read back
    if (["error", "warning"].includes(message.type()) && !isDriver) problems.push(message.text()); });
  tab.on("pageerror", (error) => problems.push(String(error)));
  tab.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`asks for ${request.url()}`);
  });
  await tab.setViewport({ width, height, deviceScaleFactor: scale, hasTouch: width < 600 });
  await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await tab.goto(`file://${page}${hash}`);
  await tab.waitForFunction(() => window.widephaseLab !== undefined);
  await settle(tab);
  return { tab, problems };
}
/** A page that another test opened before, as it was at first: to open one takes as long as most tests. */
const shared = new Map();
async function reopen(browser, options = {}) {
  const key = JSON.stringify(options);
  if (!shared.has(key)) shared.set(key, await open(browser, options));
  const { tab, problems } = shared.get(key);
  await tab.bringToFront();
  await set(tab, "dimension", 2, "change");
  await set(tab, "configuration", "a box and a pentagon", "change");
  await tab.click("#tab-answer");
  await settle(tab);
  return { tab, problems };
}
const settle = (tab) => tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const take = async (tab, words) => { await tab.evaluate((request) => widephaseLab.take(request), words); await settle(tab); };
const set = async (tab, id, value, event = "input") => {
  await tab.$eval(`#${id}`, (part, [to, kind]) => { part.value = to; part.dispatchEvent(new Event(kind)); }, [String(value), event]);
  await settle(tab);
};
const pixelOf = (tab, place) => tab.evaluate((at) => widephaseLab.pixel(at), place);
async function drag(tab, from, to) {
  await tab.mouse.move(...from);
  await tab.mouse.down();
  await tab.mouse.move(...to, { steps: 5 });
  await tab.mouse.up();
  await settle(tab);
}
const text = (tab, id) => tab.$eval(`#${id}`, (part) => (part.hidden ? "" : part.innerText));
const numbersOf = (tab) => tab.evaluate(() => widephaseLab.answer());
const depthOf = async (tab) => -(await numbersOf(tab)).answers.sat.distance;
const picture = (tab, id) => tab.$eval(`#${id}`, (part) => {
  const shown = [part, part.parentElement.querySelector("canvas.space")].find((canvas) => canvas && !canvas.hidden);
  return shown.toDataURL();
});

/** Whether anything is drawn on the canvas of the shapes within some pixels of a place of the scene. */
const isPainted = (tab, place, reach = 3) => tab.evaluate((p, r) => {
  const canvas = [...document.querySelectorAll("#scene, #scene-space")].find((part) => !part.hidden);
  const area = canvas.getBoundingClientRect(), [x, y] = widephaseLab.pixel(p), ratio = canvas.width / area.width;
  const copy = Object.assign(document.createElement("canvas"), { width: 2 * r + 1, height: 2 * r + 1 }).getContext("2d");
  copy.drawImage(canvas, r - (x - area.left) * ratio, r - (y - area.top) * ratio);
  return copy.getImageData(0, 0, 2 * r + 1, 2 * r + 1).data.some((value, i) => i % 4 === 3 && value > 0);
}, place, reach);

/** Shapes whose places, turns and sizes are of a few values: that touch, coincide, lie in a line. */
function tiedRequest({ requestOf, shapeOfKind, kConvexKinds }, dimension, precision, random) {
  const pick = (values) => values[Math.floor(values.length * random())];
  const shape = () => {
    const made = shapeOfKind(pick(kConvexKinds[dimension]), dimension, { position: Array.from({ length: dimension }, () => pick([0, 0, 0.5, 1])) });
    if (made.turn) made.turn = dimension === 2 ? [pick([0, 0, Math.PI / 4])] : pick([[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]]);
    if (made.half) made.half = made.half.map(() => pick(made.kind === "capsule" ? [0, 0.5, 1] : [0.5, 1]));
    if (made.points) made.points = dimension === 2 ? [0.5, 0, 0, 0.5, -0.5, 0, 0, -0.5] : made.points;
    made.radius = pick([0, 0.5]);
    return made;
  };
  return requestOf({ dimension, precision, a: shape(), b: shape() });
}

/** Pairs on which the lab once drew what was not so. */
const kOctahedron = "6 1 0 0 -1 0 0 0 1 0 0 -1 0 0 0 1 0 0 -1";
const kOdd = [
  `3 float hull 0 1 1 0 0 1 0 0 ${kOctahedron} capsule 0.5 1 1 0.5 0.5 0.5 0.5 0.5 0`,  // EPA's first face passes through 0
  "2 double box 1 0.5 0 0.5 1 0.5 box 0 0 0 1 1 0",                                       // EPA looks for ties after its answer
  "2 double capsule 0 0 0 1e-200 0.5 circle 0 0 0.5",                                     // a core so short is a point
  "2 double capsule 0 0 0 5e-324 0.5 circle 0 0 0.5",
  "3 float capsule 0 0 0 0 0 0 1 1 0.25 sphere 1 0 0 0.5",
];

/** A convex shape and a chain, or two chains, at random. */
async function chainRequests(count) {
  const { generator, isLoop, kChains, randomRequest, readRequest, requestOf, shapeOfKind } = await import("../lab/shapes.js");
  const random = generator(17), forms = Object.keys(kChains), all = [];
  for (let i = 0; i < count; ++i) {
    const state = readRequest(randomRequest(2, i % 2 ? "double" : "float", random));
    const chain = () => {
      const form = forms[Math.floor(forms.length * random())], made = shapeOfKind("chain", 2, { position: [random() - 0.5, random() - 0.5].map((x) => Number(x.toFixed(4))) });
      return Object.assign(made, { turn: [Number((6.4 * random()).toFixed(4))], points: kChains[form], loop: isLoop(form), twoSided: random() < 0.5, radius: random() < 0.3 ? 0.125 : 0 });
    };
    state[i % 3 ? "b" : "a"] = chain();
    if (i % 5 === 0) state.a = chain();
    all.push(requestOf(state));
  }
  return all;
}
/** Convex pairs at random and tied ones, and the configurations that the page offers, in both precisions. */
async function requests(count) {
  const shapes = await import("../lab/shapes.js");
  const { generator, kConfigurations, randomRequest } = shapes;
  const all = [...kOdd];
  for (const dimension of kDimensions) {
    for (const precision of ["float", "double"]) {
      const random = generator(10 * dimension + precision.length);
      for (let i = 0; i < count; ++i) all.push(randomRequest(dimension, precision, random));
      for (let i = 0; i < count / 4; ++i) all.push(tiedRequest(shapes, dimension, precision, random));
      for (const [, words] of kConfigurations[dimension]) {
        if (!words.includes("chain")) all.push(words.replace("float", precision));
      }
    }
  }
  return all;
}
/** The page's configurations of shapes that move, and pairs at random that begin apart, most of which turn. */
async function motions(count = 0) {
  const { generator, kConfigurations, randomRequest, readRequest, requestOf } = await import("../lab/shapes.js");
  const all = kConfigurations[2].map(([, words]) => words).filter((words) => words.includes(" by ")), random = generator(9);
  for (let i = 0; i < count; ++i) {
    const state = readRequest(randomRequest(2, i % 2 ? "double" : "float", random)), angle = 6.3 * random();
    state.b.position = [4 * Math.cos(angle), 4 * Math.sin(angle)].map((x) => Number(x.toFixed(4)));
    state.motion = [...state.b.position.map((x) => Number((-2 * x + 3 * random() - 1.5).toFixed(4))), i % 3 ? Number((6 * random() - 3).toFixed(4)) : 0];
    all.push(requestOf(state));
  }
  return all;
}
const askNative = (all, isa) => execFileSync(native, {
  input: `${all.join("\n")}\n`, encoding: "utf8", maxBuffer: 1 << 30,
  env: isa ? { ...process.env, WIDEPHASE_ISA: isa } : process.env,
}).trimEnd().split("\n");

/** Sizes that answers of a pair round by. */
const sizeOf = (answer) => 1 + Math.hypot(...answer.a.center.map((x, k) => x - answer.b.center[k]));
const isNear = (x, y, tolerance, what) => assert(Math.abs(x - y) <= tolerance, `${what}: ${x} and ${y}`);

const tests = {
  async "the page answers what the library answers natively, to the bit"(browser) {
    const { tab, problems } = await reopen(browser);
    const all = [...await requests(200), ...await chainRequests(60), "2 float box 0 0 0 1 -1 0 circle 0 0 1", "2 float circle 0 0", "2 float polygon 0 0 0 0 3 0 0 1 1 2 2 circle 0 0 1",
      "2 float polygon 0 0 0 0 3.5 0 0 1 0 0 1 0 circle 0 0 1"];
    const ours = await tab.evaluate((lines) => lines.map((line) => widephaseLab.ask(line)), all);
    for (const isa of [null, "scalar"]) {
      const theirs = askNative(all, isa);
      assert.strictEqual(theirs.length, all.length);
      all.forEach((line, i) => assert.strictEqual(ours[i], theirs[i], line));
    }
    const answers = ours.map((line) => JSON.parse(line));
    const overlaps = answers.filter((answer) => answer.epa).length, errors = answers.filter((answer) => answer.error).length;
    console.log(`    ${all.length} requests, EPA in ${overlaps}, ${new Set(ours).size} different answers`);
    assert.strictEqual(errors, 4);
    assert(overlaps > all.length / 4 && overlaps < (3 * all.length) / 4);
    assert.deepStrictEqual(problems, []);
  },

  async "what the tabs draw is what the kernels answer"() {
    const all = await requests(200);
    let unique = 0;
    askNative(all).forEach((line, i) => {
      const answer = JSON.parse(line), { sat, gjk_epa: other } = answer.answers;
      const tolerance = (all[i].includes("float") ? 2e-6 : 1e-14) * sizeOf(answer);
      const ordered = answer.axes.map((axis) => axis.overlap).sort((x, y) => x - y);
      isNear(ordered[0], -sat.distance, tolerance, `the least overlap and the depth of ${all[i]}`);
      const axis = answer.axes.find(({ overlap }) => overlap === ordered[0]);
      if (ordered.length > 1 && ordered[1] - ordered[0] > 0.01) {
        ++unique;
        axis.direction.forEach((x, k) => isNear(x, sat.normal[k], 1e3 * tolerance, `the axis and the normal of ${all[i]}`));
      }
      // Shadows overlap by what their ends say.
      isNear(axis.a[1] - axis.b[0], axis.overlap, 4 * tolerance, `the shadows of ${all[i]}`);
      const radii = answer.a.radius + answer.b.radius;
      const { gjk, epa } = answer;
      assert.strictEqual(epa !== null, gjk.overlaps);
      if (!gjk.overlaps) isNear(Math.hypot(...gjk.nearest) - radii, other.distance, tolerance, `GJK's end and the distance of ${all[i]}`);
      // A face is asked about outwards, also where it passes through 0: the support point is not on its other side.
      for (const { direction, support, vertices, nearest } of epa?.steps ?? []) {
        const height = (p) => p.reduce((sum, x, k) => sum + x * direction[k], 0);
        assert(height(support.at) >= height(vertices[nearest[0]]) - 10 * tolerance, `a face of ${all[i]} is asked about inwards`);
      }
      const steps = epa?.steps ?? epa;
      if (steps?.length > 0) {
        const last = answer.epa.depth ?? steps.find((step) => step.is_final).distance;
        isNear(last + radii, -other.distance, tolerance, `EPA's end and the depth of ${all[i]}`);
      }
    });
    assert(unique > all.length / 2, `${unique} of ${all.length} have one least axis`);
  },

  async "a chain has a contact for each patch, and the searches are of its nearest segment"() {
    const ground = "2.4 0.3 1.2 0 0 0 -1.2 0 -2.4 0.4", box = "2 double box 0.25 0.45 0 0.9 0.5 0";
    const [level, corner, inverse, odd, loop] = askNative([
      `${box} chain 0 0 0 0 0 0 5 ${ground}`,
      "2 double circle 0.25 0.5 0.75 chain 0 0 0 0 0 0 3 2 0 0 0 0 2",
      `2 double chain 0 0 0 0 0 0 5 ${ground} box 0.25 0.45 0 0.9 0.5 0`,
      `${box} chain 0 0 0 0 2 0 2 0 0 1 0`, `${box} chain 0 0 0 0 1 0 4 -3 -3 3 -3 3 3 -3 3`,
    ]).map((line) => JSON.parse(line));
    // Two segments in line and one that rises beyond the box: one patch, by 0.05 down.
    const { contact } = level.answers.sat;
    assert.strictEqual(contact.next, null);
    isNear(contact.depth, 0.05, 1e-12, "the depth in level ground");
    assert.deepStrictEqual(contact.normal.map((x) => Math.round(1e9 * x) / 1e9 + 0), [0, -1]);
    assert.deepStrictEqual(contact.points.map((point) => point.parts[0]), [-1, -1]);
    assert.deepStrictEqual(inverse.answers.sat.contact.points.map((point) => point.parts[1]), [-1, -1]);
    const patches = corner.answers.sat.contact;
    assert.deepStrictEqual([patches.depth, patches.next.depth, patches.next.next], [0.25, 0.5, null]);
    assert.deepStrictEqual([patches.points[0].parts, patches.next.points[0].parts], [[-1, 0], [-1, 1]]);
    assert.deepStrictEqual([level.chains.a, corner.chains.a, inverse.chains.b], [null, null, null]);
    assert.strictEqual(corner.chains.b.segment, 1);
    assert.deepStrictEqual(corner.chains.b.vertices, [[2, 0], [0, 0], [0, 2]]);
    assert.match(odd.error, /0 or 1/);
    assert.strictEqual(loop.chains.b.vertices.length, 5);
    // Where they are apart, the distance is GJK's of that segment.
    let apart = 0;
    const all = await chainRequests(240);
    askNative(all).forEach((line, i) => {
      const answer = JSON.parse(line), { distance, status } = answer.answers.sat;
      assert.strictEqual(answer.error, undefined, all[i]);
      if (!(distance > 1e-5) || status !== 0) return;
      ++apart;
      isNear(Math.hypot(...answer.gjk.nearest) - answer.a.radius - answer.b.radius, distance, 1e-5, all[i]);
    });
    assert(apart > 30, `${apart} are apart`);
  },

  async "a chain is chosen, drawn, dragged and told of in every tab"(browser) {
    const { tab, problems } = await reopen(browser, kSmall);
    await tab.evaluate(() => {
      const kind = document.querySelector("#shape-b select");
      kind.value = "chain";
      kind.dispatchEvent(new Event("change"));
    });
    await take(tab, "2 float circle 0.25 0.25 0.5 chain 0 -0.125 0 0 0 0 5 2.4 0.3 1.2 0 0 0 -1.2 0 -2.4 0.4");
    assert.match(await text(tab, "numbers"), /patch 0\s+depth 0\.125,[^]*B's segment 1, edge 0/);
    for (const at of [[1.8, 0.025], [-0.6, -0.125], [-1.8, 0.075]]) assert(await isPainted(tab, at), `no line at ${at}`);
    for (const name of [...kTabs, ...kMotionTabs]) {
      await tab.click(`#tab-${name}`);
      await settle(tab);
      if (name !== "answer") assert.match(await text(tab, "explanation"), /segment drawn bold/);
    }
    await tab.click("#tab-answer");
    const from = await pixelOf(tab, [-0.9, -0.125]), before = await picture(tab, "scene");
    await drag(tab, from, [from[0], from[1] + 30]);
    assert(await tab.evaluate(() => widephaseLab.state.b.position[1] < -0.2));
    assert.notStrictEqual(await picture(tab, "scene"), before);
    assert.deepStrictEqual(problems, []);
  },

  async "shapes that move touch first where both searches end"() {
    const { readRequest, requestOf } = await import("../lab/shapes.js");
    const kSamples = 32, found = { hit: 0, none: 0 };
    const all = await motions(75), answers = askNative(all).map((line) => JSON.parse(line)), placed = [], checks = [];
    all.forEach((words, i) => {
      const state = readRequest(words), { cast, advance } = answers[i], gap = 3 * advance.gap + 1e-5;
      const ends = [[cast, 0, "the ray cast"], [advance, state.motion[2], "the advancement"]];
      for (const [search, turn, what] of ends) {
        assert.notStrictEqual(search.found, "bound", `${what} of ${words}`);
        ++found[search.found];
        for (let k = 0; k <= kSamples; ++k) {
          const t = search.t * (k / kSamples), at = { ...state, b: { ...state.b } };
          delete at.motion;
          at.b.position = state.b.position.map((x, axis) => x + t * state.motion[axis]);
          if (state.b.turn) at.b.turn = [state.b.turn[0] + t * turn];
          placed.push(requestOf(at));
          checks.push((distance) => {
            assert(distance >= -gap, `${what} of ${words} is late: ${distance} at ${t} of ${search.t}`);
            if (k === kSamples && search.found === "hit") assert(distance <= gap, `${what} of ${words} ends early, at ${distance}`);
          });
        }
      }
      // Steps only go on, and none begins before the last.
      for (const { steps, t } of [cast, advance]) steps.forEach((now, k) => assert(now.t <= (steps[k + 1]?.t ?? t), words));
      if (state.motion[2] === 0) assert.strictEqual(cast.found, advance.found, words);
      if (state.motion[2] === 0) isNear(cast.t * Math.hypot(...state.motion), advance.t * Math.hypot(...state.motion), 0.05, words);
    });
    askNative(placed).forEach((line, i) => checks[i](JSON.parse(line).answers.sat.distance));
    assert(found.hit > 25 && found.none > 10, JSON.stringify(found));
    // What overlaps at the start is told so, and half a request is none.
    const [inside, cut, other] = askNative(["2 float circle 0 0 1 circle 0.5 0 1", "2 float circle 0 0 1 circle 3 0 1 by 1 2", "2 float circle 0 0 1 circle 3 0 1 to 1 2 3"]).map((line) => JSON.parse(line));
    for (const search of [inside.cast, inside.advance]) assert.deepStrictEqual([search.found, search.t, search.steps.length], ["hit", 0, 0]);
    assert.match(cut.error, /ends before a motion/);
    assert.match(other.error, /to is more than two shapes/);
  },

  async "a way has fields, and only the plane has it"(browser) {
    const { tab, problems } = await reopen(browser, kSmall);
    const labels = () => tab.$eval("#shape-b", (form) => form.innerText);
    assert.doesNotMatch(await labels(), /moves x/);
    await take(tab, (await motions())[0]);
    assert.strictEqual(await tab.$eval("#tab-cast", (button) => button.ariaSelected), "true");
    assert.match(await labels(), /moves x[^]*moves y[^]*turns/);
    const before = (await numbersOf(tab)).cast.t;
    await tab.evaluate(() => {
      const input = [...document.querySelectorAll("#shape-b label")].find((label) => label.innerText.startsWith("moves x")).querySelector("input");
      input.value = String(2 * Number(input.value));
      input.dispatchEvent(new Event("input"));
    });
    await settle(tab);
    assert.notStrictEqual((await numbersOf(tab)).cast.t, before);
    assert.match(await tab.evaluate(() => widephaseLab.request()), / by 10 0\.2 0$/);
    await set(tab, "dimension", 3, "change");
    assert.strictEqual(await tab.$eval("#tab-cast", (button) => button.hidden), true);
    assert.deepStrictEqual(problems, []);
  },

  async "the tab of EPA opens on the step that has the depth"(browser) {
    const { tab, problems } = await open(browser, { ...kSmall, hash: `#${kOdd[1].replaceAll(" ", "_")};epa` });
    assert.match(await text(tab, "numbers"), /nearest to 0\s+0\.5\n/);
    await set(tab, "step", 99);
    assert.match(await text(tab, "numbers"), /only ties are looked for/);
    await take(tab, "3 float box 0 0 0 0 0 0 1 0.8 0.8 0.8 0 box 0 0 0 0 0 0 1 0.8 0.8 0.8 0");
    assert.strictEqual(await text(tab, "step-text"), "the end");
    assert.match(await text(tab, "numbers"), /its length\s+1\.6/);
    let opened = 0;
    // A request with a way opens a tab of its own.
    for (const words of (await requests(4)).filter((words) => !words.includes(" by "))) {
      const { step, answer } = await tab.evaluate((request) => {
        widephaseLab.take(request);
        return { step: widephaseLab.step(), answer: widephaseLab.answer() };
      }, words);
      const shown = Array.isArray(answer.epa) ? answer.epa[step]?.distance : answer.epa?.depth;
      if (shown === undefined) continue;
      ++opened;
      if (!Array.isArray(answer.epa)) assert.strictEqual(step, answer.epa.steps.length);
      isNear(shown + answer.a.radius + answer.b.radius, -answer.answers.gjk_epa.distance, 2e-6 * sizeOf(answer), words);
    }
    assert(opened > 40, `${opened} pairs overlap`);
    assert.deepStrictEqual(problems, []);
  },

  async "the hint on how to move shapes is for fingers on a phone, and for a mouse elsewhere"(browser) {
    for (const [screen, said, never] of [[kSmall, /finger/, /shift|wheel|\bq\b/], [{}, /shift|wheel/, /finger/]]) {
      const { tab, problems } = await reopen(browser, screen);
      for (const dimension of kDimensions) {
        await set(tab, "dimension", dimension, "change");
        const hint = await text(tab, "scene-help");
        assert(said.test(hint) && !never.test(hint), `in ${dimension}D: ${hint}`);
      }
      assert.deepStrictEqual(problems, []);
    }
  },

  async "axes are named after what they come from"(browser) {
    const { tab, problems } = await reopen(browser, kSmall);
    await tab.click("#tab-sat");
    for (const [words, name] of [
      ["3 float capsule 0 0 0 0 0 0 1 1 0.25 sphere 1 0 0 0.5", "from a vertex to an edge"],
      ["3 float sphere 0 0 0 0.25 sphere 1 0 0 0.5", "from vertex to vertex"],
      ["3 float capsule 0 0 0 0 0 0 1 1 0.25 capsule 0 0 1 0 0 0 1 1 0.25", "the kernel\u2019s own way"],
    ]) {
      await take(tab, words);
      assert((await text(tab, "numbers")).includes(name), `${words}: ${await text(tab, "numbers")}`);
    }
    assert.deepStrictEqual(problems, []);
  },

  async "all differences of large hulls are in A - B, and a long EPA tells what is left out"(browser) {
    const { generator, randomHull } = await import("../lab/shapes.js");
    const random = generator(4), hull = () => `hull 0 0 0 0 0 0 1 0 255 ${randomHull(255, 1, random).join(" ")}`;
    const words = `3 float ${hull()} ${hull()}`;
    const answer = JSON.parse(askNative([words])[0]);
    const { points, faces } = answer.difference;
    for (let k = 0; k < 3; ++k) {
      const most = (list, sign) => Math.max(...list.map((p) => sign * p[k]));
      const apart = answer.a.center[k] - answer.b.center[k];
      isNear(most(points, 1), apart + most(answer.a.corners, 1) + most(answer.b.corners, -1), 1e-12, "how far A - B reaches");
    }
    assert.strictEqual(faces.length, 2 * points.length - 4);
    const { steps, left_out: left } = answer.epa;
    assert(steps.length === 100 && left > 0, `${left} steps are left out`);
    const { tab, problems } = await reopen(browser, kSmall);
    await tab.click("#tab-epa");
    await take(tab, words);
    assert.strictEqual(await text(tab, "step-text"), "the end");
    assert.match(await text(tab, "numbers"), new RegExp(`steps\\s+${100 + left}, of which the lab keeps the first 100`));
    assert.deepStrictEqual(problems, []);
  },

  async "the slider goes through the steps, and each draws something else"(browser) {
    const { tab, problems } = await reopen(browser, kSmall);
    for (const dimension of kDimensions) {
      if (dimension === 3) await set(tab, "dimension", 3, "change");
      for (const name of tabsOf(dimension).slice(1)) {
        if (kMotionTabs.includes(name)) await take(tab, (await motions())[name === "cast" ? 0 : 2]);
        await tab.click(`#tab-${name}`);
        await settle(tab);
        const count = Number(await tab.$eval("#step", (slider) => slider.max)) + 1;
        assert(count >= 3, `${name} has ${count} steps`);
        const seen = new Set();
        for (let step = 0; step < count; ++step) {
          await set(tab, "step", step);
          seen.add(await picture(tab, "inner") + await picture(tab, "scene"));
        }
        assert.strictEqual(seen.size, count, `${name} in ${dimension}D draws ${seen.size} pictures in ${count} steps`);
        await tab.click("#back");
        assert.strictEqual(await tab.$eval("#step", (slider) => slider.value), String(count - 2));
        await tab.click("#forth");
        assert.strictEqual(await tab.$eval("#step", (slider) => slider.value), String(count - 1));
      }
    }
    assert.deepStrictEqual(problems, []);
  },

  async "a shape is dragged, turned and moved by keys, and the numbers follow"(browser) {
    const { tab, problems } = await reopen(browser, { scale: 1 });  // a wheel turns in pixels
    await take(tab, "2 float box 0 0 0 1 1 0 box 1.5 0 0 1 1 0");
    assert.strictEqual(await depthOf(tab), 0.5);
    assert.match(await text(tab, "numbers"), /^depth\s+0\.5\n/);
    const pixel = (place) => pixelOf(tab, place);
    await drag(tab, await pixel([2, 0.1]), await pixel([2.25, 0.1]));
    isNear(await depthOf(tab), 0.25, 0.01, "after a way of 0.25");
    isNear(await tab.evaluate(() => widephaseLab.state.b.position[0]), 1.75, 0.01, "B's place");
    isNear(Number(await tab.$eval("#shape-b input", (input) => input.value)), 1.75, 0.01, "B's place in its field");
    const depth = await depthOf(tab);
    const center = await pixel([1.75, 0]), ring = await tab.evaluate(() => widephaseLab.handle("b"));
    await drag(tab, ring, [center[0], center[1] - (ring[0] - center[0])]);
    isNear(await tab.evaluate(() => widephaseLab.state.b.turn[0]), Math.PI / 2, 0.03, "B's angle");
    isNear(await depthOf(tab), depth, 0.05, "of a square after a quarter of a turn");
    await take(tab, "2 float box 0 0 0 1 1 0 box 1.5 0 0 1 1 0");
    await tab.focus("#scene");
    await tab.keyboard.press("ArrowRight");
    isNear(await depthOf(tab), 0.48, 1e-6, "after a key");
    await tab.keyboard.press("q");
    assert.strictEqual(await tab.evaluate(() => widephaseLab.state.b.turn[0]), 0.02);
    await tab.mouse.move(...await pixel([2, 0.1]));
    await tab.mouse.wheel({ deltaY: 100 });
    await settle(tab);
    assert.strictEqual(await tab.evaluate(() => widephaseLab.state.b.turn[0]), 0.12);
    assert.deepStrictEqual(problems, []);
  },

  async "in space a shape is dragged and turned, and beside the shapes one looks around"(browser) {
    const { tab, problems } = await reopen(browser);
    await take(tab, "3 float box 0 0 0 0 0 0 1 1 1 1 0 box 0 0 1.5 0 0 0 1 1 1 1 0");
    assert.strictEqual(await depthOf(tab), 0.5);
    const pixel = (place) => pixelOf(tab, place);
    const state = () => tab.evaluate(() => widephaseLab.request());
    const [x, y] = await pixel([0, 0, 2.2]);
    const before = await picture(tab, "scene");
    await drag(tab, [x, y], [x, y - 12]);
    const depth = await depthOf(tab);
    assert(depth < 0.45 && depth > 0.2, `${depth} after a way upwards`);
    assert.notStrictEqual(await picture(tab, "scene"), before);
    const dragged = await state();
    const [left, top] = await pixel([-1.1, 0, -3]);
    await drag(tab, [left, top], [left - 60, top]);
    assert.strictEqual(await state(), dragged, "looking around has moved a shape");
    await tab.keyboard.down("Shift");
    await drag(tab, await pixel([0, 0, 2.2]), (await pixel([0, 0, 2.2])).map((at, k) => at + [40, 0][k]));
    await tab.keyboard.up("Shift");
    const turn = await tab.evaluate(() => widephaseLab.state.b.turn);
    isNear(Math.hypot(...turn), 1, 1e-6, "the length of a quaternion");
    isNear(2 * Math.acos(turn[3]), 0.4, 0.01, "turned by 40 pixels");
    await tab.focus("#scene-space");
    const height = await tab.evaluate(() => widephaseLab.state.b.position[2]);
    await tab.keyboard.press("ArrowUp");
    assert(await tab.evaluate(() => widephaseLab.state.b.position[2]) > height);
    assert.deepStrictEqual(problems, []);
  },

  async "a finger drags too"(browser) {
    const { tab, problems } = await reopen(browser, { width: 390, height: 844 });
    await take(tab, "2 float box 0 0 0 1 1 0 box 1.5 0 0 1 1 0");
    const pixel = (place) => pixelOf(tab, place);
    const touch = await tab.touchscreen.touchStart(...await pixel([1.6, -0.6]));
    await touch.move(...await pixel([1.85, -0.6]));
    await touch.end();
    await settle(tab);
    isNear(await depthOf(tab), 0.25, 0.02, "after a way of 0.25");
    assert.deepStrictEqual(problems, []);
  },

  async "a second finger moves nothing"(browser) {
    const { tab, problems } = await reopen(browser, { width: 390, height: 844 });
    await take(tab, "2 float box 0 0 0 1 1 0 box 1.5 0 0 1 1 0");
    const pixel = (place) => pixelOf(tab, place);
    const first = await tab.touchscreen.touchStart(...await pixel([1.6, -0.6]));
    const second = await tab.touchscreen.touchStart(...await pixel([-0.6, -0.6]));
    await second.move(...await pixel([-0.6, 0.6]));
    await second.end();
    await settle(tab);
    assert.deepStrictEqual(await tab.evaluate(() => [widephaseLab.state.a.position, widephaseLab.state.b.position]), [[0, 0], [1.5, 0]]);
    await first.move(...await pixel([1.85, -0.6]));
    await first.end();
    await settle(tab);
    isNear(await depthOf(tab), 0.25, 0.02, "after the first finger's way of 0.25");
    assert.deepStrictEqual(problems, []);
  },

  async "keys move shapes that are none yet, and the view is of them once they are"(browser) {
    for (const [shape, scene] of [["2_float_circle_50_0_-1_circle_50_0_1", "#scene"], ["3_float_sphere_50_0_0_-1_sphere_50_0_0_1", "#scene-space"]]) {
      const { tab, problems } = await open(browser, { ...kSmall, hash: `#${shape}` });
      assert.match(await text(tab, "error"), /radius/);
      await tab.focus(scene);
      for (const key of ["ArrowLeft", "q", "Space", "Space"]) await tab.keyboard.press(key);
      await settle(tab);
      await tab.evaluate(() => {
        const input = [...document.querySelectorAll("#shape-a input")].at(-1);
        input.value = "1";
        input.dispatchEvent(new Event("input"));
      });
      await settle(tab);
      assert.strictEqual(await text(tab, "error"), "");
      const place = await tab.evaluate(() => widephaseLab.state.a.position);
      assert(await isPainted(tab, place), `${shape} is out of sight`);
      assert.deepStrictEqual(problems, []);
      await tab.close();
    }
  },

  async "with shift q and e turn by less, and the wheel turns the chosen shape"(browser) {
    const { tab, problems } = await reopen(browser, { scale: 1 });  // a wheel turns in pixels
    await take(tab, "2 float box 0 0 0 1 1 0 box 0.5 0 0 1 1 0");
    await tab.focus("#scene");
    await tab.keyboard.down("Shift");
    await tab.keyboard.press("Q");
    await tab.keyboard.up("Shift");
    assert.strictEqual(await tab.evaluate(() => widephaseLab.state.b.turn[0]), 0.002);
    await tab.mouse.move(...await tab.evaluate(() => widephaseLab.pixel([0.25, 0.3])));
    await tab.mouse.wheel({ deltaY: 100 });
    await settle(tab);
    assert.deepStrictEqual(await tab.evaluate(() => [widephaseLab.state.a.turn[0], widephaseLab.state.b.turn[0]]), [0, 0.102]);
    assert.deepStrictEqual(problems, []);
  },

  async "shapes whose corners coincide, thin ones and ghosts of round ones are drawn"(browser) {
    const { tab, problems } = await reopen(browser, { scale: 1 });
    const painted = [
      ["2 float capsule 0 0 0 0 0.5 circle 1.5 0 0.5", [[-0.45, 0], [0, 0.45], [0, -0.45]]],
      ["2 float box 0 0 0.4 0.8 0 0.5 box 1.5 1.4 0 0 0 0.5", [[0, 0], [1.5, 1.85], [1.05, 1.4]]],
      ["3 float capsule 0 0 0 0 0 0 1 1 0 sphere 2 0 0 0", [[0, 0, 0.5], [0, 0, -0.5], [2, 0, 0]]],
      ["3 float box 0 0 0 0 0 0 1 0 0 1 0 box 2 0 0 0 0 0 1 0.5 0.5 0.5 0", [[0, 0, 0.5], [0, 0, -0.5]]],
      ["3 float sphere 0 0 0 1 sphere 0.5 0 0 0.8", [[2.5, 0, 0], [1.8, 0, 0.7]]],  // B leaves by 1.3
    ];
    for (const [words, places] of painted) {
      await take(tab, words);
      for (const place of places) assert(await isPainted(tab, place), `nothing is at ${place} of ${words}`);
    }
    await take(tab, painted[0][0]);
    assert(!await isPainted(tab, [0.62, 0.3], 1), "a capsule's rounding is drawn where it is not");
    assert.deepStrictEqual(problems, []);
  },

  async "what is told of a search or a configuration goes with the shapes"(browser) {
    const { tab, problems } = await open(browser, kSmall);
    const name = await tab.$eval("#configuration", (select) => select.value);
    assert.strictEqual(name, "a box and a pentagon");
    await tab.click("#search");
    assert.match(await text(tab, "tried"), /1,000 tried/);
    await tab.click("#tab-sat");
    assert.match(await text(tab, "tried"), /1,000 tried/);
    await set(tab, "configuration", name, "change");
    assert.strictEqual(await text(tab, "tried"), "");
    const request = await tab.evaluate(() => widephaseLab.request());
    await tab.$eval("#shape-b input", (input) => { input.value = "3"; input.dispatchEvent(new Event("input")); });
    assert.strictEqual(await tab.$eval("#configuration", (select) => select.value), "");
    await set(tab, "configuration", name, "change");
    assert.strictEqual(await tab.evaluate(() => widephaseLab.request()), request);
    assert.deepStrictEqual(problems, []);
  },

  async "without WebGL the plane is left"() {
    const browser = await launch("--disable-3d-apis");
    try {
      for (const hash of ["", "#3_float_sphere_0_0_0_1_sphere_1_0_0_1"]) {
        const { tab, problems } = await open(browser, { ...kSmall, hash });
        assert.strictEqual(await tab.$eval("#dimension option[value='3']", (option) => option.disabled && option.title), "3D needs WebGL, which this browser does not give");
        assert.strictEqual(await text(tab, "tried"), hash ? "3D needs WebGL, which this browser does not give" : "");
        await take(tab, "2 float box 0 0 0 1 1 0 box 1.5 0 0 1 1 0");
        assert.strictEqual(await depthOf(tab), 0.5);
        assert(await isPainted(tab, [0, 0]));
        assert.deepStrictEqual(problems, []);
      }
    } finally {
      await browser.close();
    }
  },

  async "fields change the shapes, and what is no shape is told"(browser) {
    const { tab, problems } = await reopen(browser);
    await take(tab, "2 float circle 0 0 1 circle 1.5 0 1");
    const radius = (value) => tab.evaluate((to) => {
      const input = [...document.querySelectorAll("#shape-a label")].find((label) => label.innerText.startsWith("radius")).querySelector("input");
      input.value = to;
      input.dispatchEvent(new Event("input"));
    }, value);
    await radius("0.75");
    assert.strictEqual(await depthOf(tab), 0.25);
    await radius("-1");
    assert.match(await text(tab, "error"), /circle\.radius\[0\] is -1; radius must be a finite number >= 0/);
    await radius("0.75");
    assert.strictEqual(await text(tab, "error"), "");
    await tab.$eval("#shape-a select", (select) => { select.value = "polygon"; select.dispatchEvent(new Event("change")); });
    assert.strictEqual((await numbersOf(tab)).a.corners.length, 5);
    assert.deepStrictEqual(problems, []);
  },

  async "what is extreme or tied is drawn without a fault"(browser) {
    const { tab, problems } = await reopen(browser, kSmall);
    const shapes = await import("../lab/shapes.js"), random = shapes.generator(5);
    const all = [
      ...kOdd, "3 float box 0 0 0 0 0 0 1 1 1 0 0 box 0.5 0.5 0 0 0 0 1 1 1 0 0", "3 float sphere 0 0 0 1 sphere 1 0 0 0.8",
      "2 float circle 0 0 0 circle 0 0 0", "2 float box 0 0 0 0 0 0 box 0 0 0 0 0 0", "2 double capsule 0 0 0 0 0 capsule 0 0 0 1 0",
      "2 float circle 0 0 1e30 circle 1e30 0 1e30", "2 float circle -3e38 0 1 circle 3e38 0 1", "2 double box 1e15 0 0.3 1e-9 1 0 circle 1e15 0 1e-12",
      "3 float sphere 0 0 0 0 sphere 0 0 0 0", "3 float capsule 0 0 0 0 0 0 1 1 0 capsule 0 0 0 0 0.707106781 0 0.707106781 1 0",
      "3 float box 0 0 0 0 0 0 1 0 0 0 0 box 0 0 0 0 0 0 1 1 0 0 0", "3 double sphere 1e30 0 0 1 sphere -1e30 0 0 1", "3 float box 0 0 0 0 0 0 0 1 1 1 0 sphere 0 0 0 1",
      ...Array.from({ length: 12 }, (_, i) => tiedRequest(shapes, 2 + (i % 2), "float", random)),
      ...Object.entries(shapes.kConfigurations).flatMap(([, list]) => list.map(([, words]) => words)),
    ];
    for (const words of all) {
      await tab.evaluate((request) => widephaseLab.take(request), words);
      for (const of of tabsOf(Number(words[0]))) {
        await tab.evaluate((id, isSpace) => {
          document.getElementById(id).click();
          document.getElementById("back").click();
          return isSpace && new Promise((done) => requestAnimationFrame(() => done()));  // pictures in space are drawn only now
        }, `tab-${of}`, words.startsWith("3"));
        assert.deepStrictEqual(problems, [], `${of} of ${words}`);
      }
    }
  },

  async "the address holds the state, and brings it back"(browser) {
    const first = await open(browser);
    await take(first.tab, "2 double capsule 0 0 0.3 1 0.25 box 0.5 0.25 0.1 0.5 0.5 0.125");
    await first.tab.click("#tab-gjk");
    await set(first.tab, "step", 1);
    const hash = await first.tab.evaluate(() => location.hash);
    assert.match(hash, /;gjk;1$/);
    const second = await open(browser, { hash });
    assert.strictEqual(await second.tab.evaluate(() => widephaseLab.request()), "2 double capsule 0 0 0.3 1 0.25 box 0.5 0.25 0.1 0.5 0.5 0.125");
    assert.strictEqual(await text(second.tab, "numbers"), await text(first.tab, "numbers"));
    const others = [];
    for (const nonsense of ["nonsense", "2_float_circle_0_0_1_polygon_0_0_0_0_1e7", "2_float_circle_0_0_1_polygon_0_0_0_0_3.5_0_0_1_0_0_1_0",
      `2_float_circle_0_0_1_polygon_0_0_0_0_256${"_1".repeat(512)}`]) {
      others.push(await open(browser, { hash: `#${nonsense}` }));
      assert.match(await others.at(-1).tab.evaluate(() => widephaseLab.request()), /^2 float box/);
    }
    for (const { problems } of [first, second, ...others]) assert.deepStrictEqual(problems, []);
  },

  async "a thousand pairs at random differ by rounding alone"(browser) {
    const { tab, problems } = await reopen(browser);
    for (const dimension of kDimensions) {
      if (dimension === 3) await set(tab, "dimension", 3, "change");
      await tab.click("#search");
      await settle(tab);
      const told = await text(tab, "tried");
      const worst = Number(/differ by (\S+) at most/.exec(told)[1]);
      assert(worst > 0 && worst < 1e-5, `${told}: ${await tab.evaluate(() => widephaseLab.request())}`);
    }
    assert.deepStrictEqual(problems, []);
  },

  async "every tab, light and dark, wide and narrow"(browser) {
    for (const [name, width, height] of [["wide", 1280, 900], ["narrow", 390, 844]]) {
      const { tab, problems } = await open(browser, { width, height, dark: name === "narrow" });
      for (const dimension of kDimensions) {
        if (dimension === 3) await set(tab, "dimension", 3, "change");
        for (const of of tabsOf(dimension)) {
          await tab.click(`#tab-${of}`);
          await settle(tab);
          const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert(overflow <= 0, `${of} is ${overflow} px too wide at ${width}`);
          await tab.screenshot({ path: path.join(folder, `lab_${dimension}_${of}_${name}.png`), fullPage: true });
        }
      }
      const unnamed = await tab.evaluate(() => [...document.querySelectorAll("input, select, button, canvas")]
        .filter((part) => !(part.labels?.length || part.ariaLabel || (part.localName === "button" && part.innerText))).map((part) => part.outerHTML));
      assert.deepStrictEqual(unnamed, []);
      assert.deepStrictEqual(problems, []);
      await tab.close();
    }
  },
};

const launch = (...args) => puppeteer.launch({
  executablePath: process.env.WIDEPHASE_CHROMIUM,
  args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu-compositing", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...args],
});

(async () => {
  const browser = await launch();
  let failed = 0;
  for (const [name, test] of Object.entries(tests).filter(([its]) => its.includes(process.argv[4] ?? ""))) {
    const began = Date.now();
    try {
      await test(browser);
      console.log(`ok     ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      console.log(`FAILED ${name}\n${error.stack.slice(0, 3000)}`);
    }
    const kept = [...shared.values()].map(({ tab }) => tab);
    for (const tab of (await browser.pages()).slice(1)) if (!kept.includes(tab)) await tab.close();  // the browser began with the first
  }
  await browser.close();
  process.exitCode = failed === 0 ? 0 : 1;
})();
