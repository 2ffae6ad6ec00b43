// The parts of the page of `widephase view` that need no browser: node view_parts_test.mjs

import assert from "node:assert";
import { boundsOf, domainOf, roundLength } from "../view/images.js";
import { fragmentOf, stateOf, wholeOf } from "../view/state.js";
import { lowerBound, worldsInContact, worldsOf } from "../view/worlds.js";

const kNothing = { world: null, camera: null, shape: null, contact: null, ray: null, hide: [] };
const kWorlds = worldsOf({ worlds: 5, word: "world" });
/** The frames of a film that was looked at more and more often. */
const kFilm = worldsOf({ worlds: 4, word: "frame", frames: [0, 500, 2730, 2731] });

const tests = {
  "a state comes back from its fragment"() {
    const state = { world: 3, camera: [1.5, -2e-7, 1e21], shape: 17, contact: null, ray: null, hide: ["normals"] };
    const fragment = fragmentOf(state, kWorlds);
    assert.strictEqual(fragment, "world=3&camera=1.5,-2e-7,1e21&shape=17&hide=normals");
    assert.deepStrictEqual(stateOf(fragment, kWorlds, 2), state);
    assert.strictEqual(fragmentOf(kNothing, kWorlds), "");
  },

  "a ray is told by its row"() {
    const fragment = fragmentOf({ ...kNothing, ray: 65535, hide: ["rays"] }, kWorlds);
    assert.strictEqual(fragment, "ray=65535&hide=rays");
    assert.deepStrictEqual(stateOf(fragment, kWorlds, 3), { ...kNothing, ray: 65535, hide: ["rays"] });
  },

  "what is malformed in a fragment is as if it were not there"() {
    for (const fragment of ["", "world=", "world=-1", "world=5", "world=1.5", "world=1e0", "world=NaN", "world=0x1", "step=9",
      "shape=a", "ray=1.5", "contact=1;2", "contact=99999999999999999999", "camera=1,2", "camera=1,2,3,4", "camera=1,,3", "camera=1,2,Infinity",
      "camera=1,2,1e999", "camera=1,2,3 ", "hide=world", "%", "&&==", "__proto__=1"]) {
      assert.deepStrictEqual(stateOf(fragment, kWorlds, 2), kNothing, fragment);
    }
    // The rest of a fragment holds.
    assert.strictEqual(stateOf("camera=no&world=2&shape=", kWorlds, 2).world, 2);
    assert.strictEqual(stateOf("camera=1,2,3", kWorlds, 3).camera, null, "three numbers are not a camera in space");
    assert.deepStrictEqual(stateOf("camera=1,2,3,4,5,6", kWorlds, 3).camera, [1, 2, 3, 4, 5, 6]);
  },

  "whole numbers are plain digits"() {
    assert.deepStrictEqual(["0", "-3", "007", "9007199254740991"].map(wholeOf), [0, -3, 7, 9007199254740991]);
    assert.deepStrictEqual(["", " 1", "1.0", "1e3", "0x1", "9007199254740992", null].map(wholeOf), Array(7).fill(null));
  },

  "frames keep their numbers, in words and addresses"() {
    assert.strictEqual(kFilm.textOf(2), "frame 2730 (3 of 4)");
    assert.strictEqual(fragmentOf({ ...kNothing, world: 2 }, kFilm), "frame=2730");
    assert.strictEqual(stateOf("frame=2730", kFilm, 2).world, 2);
    assert.strictEqual(stateOf("step=500", kFilm, 2).world, 1);
    assert.strictEqual(stateOf("world=3", kFilm, 2).world, 3, "a world goes by its own number");
    assert.strictEqual(stateOf("frame=2", kFilm, 2).world, null, "no frame has the number 2");
    // 1600 is 1100 from 500 and 1130 from 2730.
    assert.deepStrictEqual([-7, 240, 260, 1600, 2730, 9999].map(kFilm.nearest), [0, 0, 1, 1, 2, 3]);
    assert.deepStrictEqual([-7, 2.7, 9].map(kWorlds.nearest), [0, 2, 4]);
  },

  "worlds of one frame are told apart by their numbers"() {
    const twice = worldsOf({ worlds: 3, word: "frame", frames: [10, 20, 10] });
    const fragment = fragmentOf({ ...kNothing, world: 2 }, twice);
    assert.strictEqual(fragment, "world=2");
    assert.strictEqual(stateOf(fragment, twice, 2).world, 2);
  },

  "steps without numbers of frames are the worlds"() {
    const steps = worldsOf({ worlds: 3247, word: "step" });
    assert.strictEqual(steps.textOf(3246), "step 3246 (3,247 of 3,247)");
    assert.strictEqual(stateOf("step=12", steps, 2).world, 12);
    assert.strictEqual(fragmentOf({ ...kNothing, world: 12 }, steps), "step=12");
  },

  "worlds in contact are those of shapes that touch"() {
    // Shapes 0 and 1 are in world 12, shape 2 in world 3, shapes 3 and 4 in all: 0 touches 1 and 3, 2 touches 3, 3 touches 4.
    const world = [12, 12, 3, -1, -1];
    assert.deepStrictEqual([...worldsInContact([0, 1, 0, 3, 2, 3, 3, 4], world)], [3, 12]);
    assert.deepStrictEqual([...worldsInContact([3, 4], world)], [], "two shapes of world -1 touch in no world");
    assert.deepStrictEqual([0, 3, 4, 12, 13].map((value) => lowerBound([3, 12], value)), [0, 0, 1, 1, 2]);
  },

  "images are where a box overlaps the domain"() {
    // Ten long along x and y, and periodic along x alone.
    const domain = domainOf([0, 0, 0], [10, 10, 0], [true, false, false], 1e-6);
    const imagesOf = (from, to) => {
      const found = [];
      domain.eachImage([from, -50, 0], [to, 50, 0], ([x]) => found.push(x));
      return found;
    };
    assert.deepStrictEqual(imagesOf(4, 6), [0]);
    assert.deepStrictEqual(imagesOf(-1, 1), [0, 1], "over the lower side: also at the upper one");
    assert.deepStrictEqual(imagesOf(9, 11), [-1, 0]);
    assert.deepStrictEqual(imagesOf(25, 26), [-2], "a file may keep shapes outside");
    assert.deepStrictEqual(imagesOf(8, 10), [0], "what ends at the side does not show beyond it");
    assert.deepStrictEqual(domain.shiftOf([-2, 0, 0]), [-20, 0, 0]);
    assert.deepStrictEqual(domain.inside([-0.5, 90, 0]), [1, 0, 0]);
    assert.deepStrictEqual(domain.inside([10, 90, 0]).map(Math.abs), [0, 0, 0]);
    assert.deepStrictEqual(domain.nearest([9.5, 0, 0], [0.5, 0, 0]), [-1, 0, 0]);
    let count = 0;
    domain.eachImage([-1e9, 0, 0], [1e9, 0, 0], () => ++count);
    assert(count <= 4, "a shape as wide as many domains has few images");
  },

  "a ball at a corner shows across it only if it reaches it"() {
    const domain = domainOf([0, 0, 0], [10, 10, 10], [true, true, true], 1e-6);
    // From (10.9, 10.9) to the corner (10, 10) it is 0.9 times the root of 2, 1.27.
    assert.strictEqual(domain.meetsBall([10.9, 10.9, 5], 1.2), false);
    assert.strictEqual(domain.meetsBall([10.9, 10.9, 5], 1.3), true);
  },

  "bounds of instances are their shapes'"() {
    const level = [1, 0, 0, 0, 2, 0, 0, 0, 3, 10, 20, 30];  // half axes 1, 2 and 3 about (10, 20, 30)
    assert.deepStrictEqual(boundsOf("ball", [1, 2, 3, 0.5], 0), [[0.5, 1.5, 2.5], [1.5, 2.5, 3.5]]);
    for (const mesh of ["box", "cylinder", "ellipsoid", "cone"]) {
      assert.deepStrictEqual(boundsOf(mesh, level, 0), [[9, 18, 27], [11, 22, 33]], mesh);
    }
    // About z by 45 degrees a square's half diagonal is the root of 2; an upright cylinder stays as wide.
    const s = Math.SQRT1_2, turned = [s, s, 0, -s, s, 0, 0, 0, 1, 0, 0, 0];
    const isNear = ([, most], ...expected) => expected.every((value, k) => Math.abs(most[k] - value) < 1e-12);
    assert(isNear(boundsOf("box", turned, 0), Math.SQRT2, Math.SQRT2, 1));
    assert(isNear(boundsOf("rounded cylinder", turned, 0.25), 1.25, 1.25, 1.25));
    // A cone along x, of radius 1, whose base is at -2 and apex at 2: across it reaches 1.
    const [least, most] = boundsOf("cone", [0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0], 0);
    assert.deepStrictEqual([least, most], [[-2, -1, -1], [2, 1, 1]]);
    const triangle = [0, 0, 0, 1, 0, 0, 0, 4, 0];
    assert.deepStrictEqual(boundsOf("hull", [1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5], 0, triangle), [[5, 5, 5], [6, 9, 5]]);
  },

  "a bar is 1, 2 or 5 times a power of ten long"() {
    assert.deepStrictEqual([1, 1.9, 2, 4.99, 5, 9.9, 10, 1234].map(roundLength), [1, 1, 2, 2, 5, 5, 10, 1000]);
    for (const [most, expected] of [[0.03, 0.02], [5e-13, 5e-13], [3e18, 2e18]]) {
      assert(Math.abs(roundLength(most) / expected - 1) < 1e-9, `${most}: ${roundLength(most)}`);
    }
  },
};

for (const [name, test] of Object.entries(tests)) {
  test();
  console.log(`ok     ${name}`);
}
