// The space's own colour, made readable: text and buttons need a contrast of 4.5 to their background, in light and in
// dark mode (WCAG 2.2, 1.4.3). Its hue and chroma stay, its lightness changes, in OKLab, where equal steps of lightness
// look equal for every hue. Björn Ottosson: "A perceptual color space", 2020.

const NEEDED = 4.6; // a little more than 4.5, since colours are rounded to steps of 255
/** The backgrounds in each scheme: page and cards, as in shell.css. */
const GROUNDS = { light: ['#f4f1ea', '#fffdf8'], dark: ['#0b1722', '#122334'] };

/** "#rrggbb" as three numbers from 0 to 1; null for anything else. */
export function parseColor(text) {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '');
  return found ? found.slice(1).map((part) => parseInt(part, 16) / 255) : null;
}

const hex = (rgb) => `#${rgb.map((part) => Math.round(part * 255).toString(16).padStart(2, '0')).join('')}`;
const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const encoded = (part) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055);

function luminance(rgb) {
  const [red, green, blue] = rgb.map(linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, 1 to 21. */
export function contrast(one, other) {
  const [low, high] = [luminance(parseColor(one)), luminance(parseColor(other))].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function toLab(rgb) {
  const [r, g, b] = rgb.map(linear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => encoded(Math.max(0, part)));
}

/** The colour with a lightness, as saturated as a screen can show it. */
function shade([, a, b], lightness) {
  for (let strength = 1; ; strength -= 0.05) {
    const rgb = fromLab([lightness, a * strength, b * strength]);
    const isShown = rgb.every((part) => part <= 1.001 && part >= 0);
    if (strength <= 0 || isShown) return hex(rgb.map((part) => Math.min(1, part)));
  }
}

/** What is marked with the colour itself: --accent-surface in shell.css. */
const tinted = (color, ground) => {
  const parts = parseColor(ground);
  return hex(parseColor(color).map((part, index) => 0.11 * part + 0.89 * parts[index]));
};

/** The nearest shade of a colour that is readable on the backgrounds of a scheme, 'light' or 'dark'. */
export function readable(color, scheme) {
  const lab = toLab(parseColor(color));
  const enough = (shown) => [...GROUNDS[scheme], tinted(shown, GROUNDS[scheme][1])]
    .every((ground) => contrast(shown, ground) >= NEEDED);
  if (enough(color)) return color.toLowerCase();
  const step = scheme === 'light' ? -0.01 : 0.01;
  let lightness = lab[0];
  let shown;
  do {
    lightness = Math.min(1, Math.max(0, lightness + step));
    shown = shade(lab, lightness);
  } while (!enough(shown) && lightness > 0 && lightness < 1);
  return shown;
}

/** Black or white, whichever is more readable on a colour. */
export const inkOn = (color) => (contrast(color, '#ffffff') >= contrast(color, '#0b1722') ? '#ffffff' : '#0b1722');

/** True for a colour that could be taken for that of errors: more than twice as red as anything else. */
export function isRed(color) {
  const [red, ...others] = parseColor(color) ?? [0];
  return red > 0.5 && red > 2 * Math.max(...others);
}

/** Makes a colour the accent of this page; anything else restores the default. */
export function applyAccent(color, { style, dataset } = document.documentElement) {
  if (isRed(color)) dataset.red = '';
  else delete dataset.red;
  for (const scheme of ['light', 'dark']) {
    const shown = parseColor(color) && readable(color, scheme);
    const values = { [`--accent-${scheme}`]: shown, [`--on-accent-${scheme}`]: shown && inkOn(shown) };
    for (const [name, value] of Object.entries(values)) {
      if (value) style.setProperty(name, value);
      else style.removeProperty(name);
    }
  }
}
