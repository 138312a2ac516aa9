// Shortens the names of types, least important parts first. Pure functions, without a page.

// Matches words with dots in between, "Foundation.URL", but neither "…" nor "3.5" nor "a.swift:7".
const chain = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)+/gu;

/** A type's name without modules: "Array<Victim.Trial> storage" becomes "Array<Trial> storage". */
export const withoutModules = (name) => name.replace(chain, (words) => words.slice(words.indexOf('.') + 1));

/** A name and shorter ones: without modules, without what it lies in, without what its generics are made of.
 * That it is a collection's storage, its brackets say, too. */
export function shorterNames(name) {
  const all = [name];
  const add = (text) => { if (text.length < all.at(-1).length) all.push(text); };
  add(withoutModules(name));
  add(name.replace(chain, (words) => words.slice(words.lastIndexOf('.') + 1)));
  add(withoutInsides(all.at(-1)));
  add(all.at(-1).replace(/ storage$/, ''));
  return all;
}

/** "Dictionary<String, [Int]> storage" becomes "Dictionary<…> storage"; arrows are not brackets. */
function withoutInsides(name) {
  let depth = 0;
  let text = '';
  for (let place = 0; place < name.length; place += 1) {
    const sign = name[place];
    const isArrow = sign === '>' && name[place - 1] === '-';
    if (sign === '<') {
      depth += 1;
      if (depth === 1) text += '<…>';
    } else if (sign === '>' && depth > 0 && !isArrow) depth -= 1;
    else if (depth === 0) text += sign;
  }
  return depth === 0 ? text : name;
}

const known = new Map();

/**
 * A name shortened to the room there is: the longest of its shorter forms that fits, or the last of them without its
 * middle; '' if that says nothing.
 * @param widthOf a text's width, in the unit of `room`.
 */
export function fittedName(name, widthOf, room) {
  if (!known.has(name)) known.set(name, shorterNames(name));
  const all = known.get(name);
  return all.find((one) => widthOf(one) <= room) ?? withoutMiddle(all.at(-1), widthOf, room);
}

/** The beginning and the end of a text, as many characters as fit; with few characters the beginning alone. */
function withoutMiddle(text, widthOf, room) {
  const part = (letters) => {
    const before = letters < 8 ? letters : Math.ceil(letters * 0.6);
    return `${text.slice(0, before)}…${text.slice(text.length - letters + before)}`.replace(/…{2,}/, '…');
  };
  let [least, most] = [0, text.length - 1];
  while (least < most) {
    const middle = (least + most + 1) >> 1;
    if (widthOf(part(middle)) <= room) least = middle;
    else most = middle - 1;
  }
  return least > 1 ? part(least) : '';
}
