// What the page's address says after "#", so that a reload and a link come back to it:
// "step=2730&camera=1.5,2,10&shape=17&hide=normals". What is malformed there is as if it were not there.

const kHidden = ["shapes", "points", "normals", "rays"];

/** A whole number of plain digits, or null. */
export function wholeOf(text) {
  const isWhole = /^-?\d+$/.test(text ?? "");
  return isWhole && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

/** As many finite numbers between commas as the camera of a dimension has, or null. */
function cameraOf(text, dimension) {
  const parts = (text ?? "").split(",");
  const numbers = parts.map((part) => (/^[-+.\deE]+$/.test(part) ? Number(part) : NaN));
  return numbers.length === (dimension === 2 ? 3 : 6) && numbers.every(Number.isFinite) ? numbers : null;
}

/**
 * The state that a fragment tells, each part null where it does not. `worlds` says how worlds are called (worlds.js).
 * In 2D a camera is the middle and the length across the window's shorter side, in 3D the eye and what it looks at.
 */
export function stateOf(fragment, worlds, dimension) {
  const parts = new URLSearchParams(fragment);
  const byNumber = wholeOf(parts.get("world")), byLabel = wholeOf(parts.get("step") ?? parts.get("frame"));
  const world = byLabel !== null ? worlds.withLabel(byLabel) : byNumber;
  return {
    world: world !== null && world >= 0 && world < worlds.count ? world : null,
    camera: cameraOf(parts.get("camera"), dimension),
    shape: wholeOf(parts.get("shape")),
    contact: wholeOf(parts.get("contact")),
    ray: wholeOf(parts.get("ray")),
    hide: (parts.get("hide") ?? "").split(",").filter((id) => kHidden.includes(id)),
  };
}

/** The fragment that tells a state. */
export function fragmentOf({ world, camera, shape, contact, ray, hide }, worlds) {
  const parts = [];
  if (world !== null) parts.push(worlds.hasOwnLabels ? `${worlds.word}=${worlds.labelOf(world)}` : `world=${world}`);
  // A "+" in an address is read as a blank.
  if (camera !== null) parts.push(`camera=${camera.join(",").replaceAll("+", "")}`);
  if (shape !== null) parts.push(`shape=${shape}`);
  if (contact !== null) parts.push(`contact=${contact}`);
  if (ray !== null) parts.push(`ray=${ray}`);
  if (hide.length > 0) parts.push(`hide=${hide.join(",")}`);
  return parts.join("&");
}
