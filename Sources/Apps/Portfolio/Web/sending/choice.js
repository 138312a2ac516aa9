// The pictures that go to a client: whole galleries, and single pictures of others. Pure: {gallery: true, or a Set of
// pictures}.

/** The galleries to choose from: those on the wall, and those of which something was sent `before`. */
export const offered = (galleries, before) => galleries.filter(({ id, hidden, favourites }) =>
  (!hidden && !favourites) || before?.galleries.includes(id));

/** True if private pictures were sent `before`. */
export function sendsPrivate(galleries, before, picturesOf) {
  const sent = new Set(before?.pictures);
  return galleries.some(({ id }) => picturesOf(id)?.some((one) => one.private && sent.has(one.id)));
}

/**
 * The choice at first: what was sent; for something new the only gallery, or none of several, which may be for several
 * clients. `before` has the ids of its galleries and pictures; `picturesOf(id)` gives a gallery's pictures, undefined
 * while they are not known.
 */
export function chosenAtFirst(galleries, before, picturesOf) {
  const sent = new Set(before?.pictures);
  const hasPrivate = sendsPrivate(galleries, before, picturesOf);
  const choice = {};
  for (const { id } of galleries) {
    // If none of them goes along, a private one is not missing.
    const own = picturesOf(id)?.filter((one) => hasPrivate || !one.private);
    if (!before) choice[id] = galleries.length === 1 || new Set();
    else if (!before.galleries.includes(id)) choice[id] = new Set();
    else choice[id] = !own || own.every((one) => sent.has(one.id)) || new Set(before.pictures);
  }
  return choice;
}

export const isIn = (choice, gallery, picture) => choice[gallery] === true || choice[gallery].has(picture);

/** The number of a gallery's chosen pictures; `all` are its pictures, undefined while they are not known. */
export const numberOf = (choice, { id, count }, all) => (choice[id] === true ? count
  : (all ?? []).filter((one) => choice[id].has(one.id)).length);

/** The choice with a gallery as a whole, or without it. */
export const withGallery = (choice, gallery, isChosen) => ({ ...choice, [gallery]: isChosen || new Set() });

/** The choice with one picture, or without it; `all` are its gallery's pictures. */
export function withPicture(choice, gallery, picture, isChosen, all) {
  const now = new Set(all.map(({ id }) => id).filter((id) => (id === picture ? isChosen : isIn(choice, gallery, id))));
  return { ...choice, [gallery]: now.size === all.length || now };
}

/** True if two choices among the same galleries are the same. */
export const isSame = (one, other) => Object.keys(one).every((id) => {
  if (one[id] === true || other[id] === true) return one[id] === other[id];
  return one[id].size === other[id].size && [...one[id]].every((picture) => other[id].has(picture));
});

/** {galleries, pictures} for the hub; null if nothing is chosen. */
export function idsOf(choice) {
  const galleries = Object.keys(choice).filter((id) => choice[id] === true);
  const pictures = [...new Set(Object.values(choice).flatMap((chosen) => (chosen === true ? [] : [...chosen])))];
  return galleries.length || pictures.length ? { galleries, pictures } : null;
}
