// ThumbHash (https://evanw.github.io/thumbhash): a picture in about 21 bytes, as the hub makes it of each. Pure; it
// never throws: of bytes that are none, it makes a picture of nothing much.

const SIDE = 24; // pixels of the longer side that is made: there are seven waves in it at most

/** The bytes of a placeholder as the API has it, or null. */
export function bytesOf(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    return bytes.length >= 5 ? bytes : null;
  } catch {
    return null;
  }
}

/** The numbers at its beginning: the picture's mean, and how much of each wave there is. */
function header(hash) {
  const one = hash[0] | (hash[1] << 8) | (hash[2] << 16);
  const two = hash[3] | (hash[4] << 8);
  const hasAlpha = Boolean(one >> 23);
  const isWide = Boolean(two >> 15);
  const few = Math.max(1, two & 7);
  const many = hasAlpha ? 5 : 7;
  return {
    light: (one & 63) / 63,
    yellow: ((one >> 6) & 63) / 31.5 - 1,
    red: ((one >> 12) & 63) / 31.5 - 1,
    lightScale: ((one >> 18) & 31) / 31,
    yellowScale: ((two >> 3) & 63) / 63,
    redScale: ((two >> 9) & 63) / 63,
    hasAlpha,
    wavesX: isWide ? many : few,
    wavesY: isWide ? few : many,
  };
}

const byte = (share) => Math.max(0, Math.min(255, Math.round(share * 255)));

/** Three bytes of a colour from its lightness and its two differences: yellow to blue, red to green. */
function rgb(light, yellow, red) {
  const blue = light - (2 / 3) * yellow;
  const redder = (3 * light - blue + red) / 2;
  return [byte(redder), byte(redder - red), byte(blue)];
}

/** The mean colour, as [red, green, blue]; it needs no waves. */
export function meanOf(hash) {
  const { light, yellow, red } = header(hash);
  return rgb(light, yellow, red);
}

/** The colour of a picture that is not there yet; '' without a placeholder. */
export function colourOf({ placeholder }) {
  const hash = placeholder ? bytesOf(placeholder) : null;
  return hash ? `rgb(${meanOf(hash).join()})` : '';
}

/** The amount of each wave: those of few turns only, four bits each, from the nibble `at` on. */
function waves(hash, at, wide, high, scale) {
  const found = [];
  for (let y = 0; y < high; y += 1) {
    for (let x = y ? 0 : 1; x * high < wide * (high - y); x += 1) {
      const nibble = (hash[at >> 1] ?? 0) >> ((at & 1) << 2) & 15;
      found.push({ x, y, amount: (nibble / 7.5 - 1) * scale * 2 });
      at += 1;
    }
  }
  return { found, at };
}

/** cos(π / count · (place + ½) · turns), of each place and turn. */
function cosines(count) {
  const table = [];
  for (let turns = 0; turns < 7; turns += 1) {
    table.push(Float32Array.from({ length: count }, (_, place) => Math.cos((Math.PI / count) * (place + 0.5) * turns)));
  }
  return table;
}

const tables = new Map();

function tableOf(count) {
  if (!tables.has(count)) tables.set(count, cosines(count));
  return tables.get(count);
}

/** The picture of a hash: {width, height, pixels} with four bytes each, never transparent. */
export function decode(hash, side = SIDE) {
  const head = header(hash);
  const ratio = head.wavesX / head.wavesY;
  const width = Math.max(1, Math.round(ratio > 1 ? side : side * ratio));
  const height = Math.max(1, Math.round(ratio > 1 ? side / ratio : side));
  const light = waves(hash, head.hasAlpha ? 12 : 10, Math.max(3, head.wavesX), Math.max(3, head.wavesY),
    head.lightScale);
  // Quantised colours look pale: the format's own decoder makes them a quarter stronger.
  const yellow = waves(hash, light.at, 3, 3, head.yellowScale * 1.25);
  const red = waves(hash, yellow.at, 3, 3, head.redScale * 1.25);
  const [alongX, alongY] = [tableOf(width), tableOf(height)];
  const at = ({ found }, mean, x, y) => {
    let sum = mean;
    for (const one of found) sum += one.amount * alongX[one.x][x] * alongY[one.y][y];
    return sum;
  };
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0, place = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, place += 4) {
      pixels.set(rgb(at(light, head.light, x, y), at(yellow, head.yellow, x, y), at(red, head.red, x, y)), place);
      pixels[place + 3] = 255;
    }
  }
  return { width, height, pixels };
}
