// The colours of the picture are those of the page; they follow light and dark mode.

export const colours = {};
const names = ['paper', 'surface', 'ink', 'muted', 'rule', 'edge', 'accent', 'own', 'bad', 'bad-surface', 'warn',
  'warn-surface'];

/** "#0b5585" as the four bytes of a pixel, in memory order. */
function pixel(text) {
  const [red, green, blue] = [1, 3, 5].map((place) => parseInt(text.slice(place, place + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

export function readColours(changed) {
  const read = () => {
    const style = getComputedStyle(document.documentElement);
    for (const name of names) colours[name] = style.getPropertyValue(`--${name}`).trim();
    colours.mono = style.getPropertyValue('--mono').trim();
    colours.text = getComputedStyle(document.body).fontFamily;
    colours.pixels = Object.fromEntries(names.map((name) => [name, pixel(colours[name])]));
    changed();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', read);
  read();
}
