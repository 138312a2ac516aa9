// The pictures that go to a client: whole galleries, and single pictures of others. Pure: {gallery: true, or a Set of
// pictures}.

/**
 * The choice at first: all galleries for something new, else what was sent. `before` has the ids of its galleries and
 * pictures; `picturesOf(id)` gives a gallery's pictures, undefined while they are not known.
 */
export function chosenAtFirst(galleries, before, picturesOf) {
  const sent = new Set(before?.pictures);
  const choice = {};
  for (const { id } of galleries) {
    const own = picturesOf(id)?.filter((one) => !one.private || sent.has(one.id));
    if (!before) choice[id] = true;
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

/** {galleries, pictures} for the hub; null if nothing is chosen. */
export function idsOf(choice) {
  const galleries = Object.keys(choice).filter((id) => choice[id] === true);
  const pictures = [...new Set(Object.values(choice).flatMap((chosen) => (chosen === true ? [] : [...chosen])))];
  return galleries.length || pictures.length ? { galleries, pictures } : null;
}
