// Live photos: a picture and the film of its moment, which are shown as one. Pure.

const FILM = 'video';

/** {films, hidden}: the films by the ids of their pictures, and the ids of these films. `pictures` are in any order. */
export function halves(pictures) {
  const films = new Map();
  const hidden = new Set();
  let byID = null; // most albums have no live photos
  for (const one of pictures) {
    if (!one.pair) continue;
    byID ??= new Map(pictures.map((each) => [each.id, each]));
    const other = byID.get(one.pair);
    if (!other || (one.kind === FILM) === (other.kind === FILM)) continue;
    const [film, picture] = one.kind === FILM ? [one, other] : [other, one];
    films.set(picture.id, film);
    hidden.add(film.id);
  }
  return { films, hidden };
}

const KINDS = /\.(heic|heif|jpe?g)$/i;
const MOVIE = /\.mov$/i;
const LONGEST = 30_000_000; // bytes of a film of three seconds, with room to spare: a longer one is a film by itself

const isMovie = ({ name, size }) => size <= LONGEST && MOVIE.test(name);
const stem = ({ name }) => name.replace(/\.\w+$/, '').toLowerCase();

/**
 * The words by which files that were chosen together are called halves, by the files: one picture and one film of the
 * same name. `word()` makes a new one. The hub believes the identifiers in the files more.
 */
export function pairsOf(files, word) {
  const byName = new Map();
  for (const file of files) {
    if (!KINDS.test(file.name) && !isMovie(file)) continue;
    byName.set(stem(file), [...byName.get(stem(file)) ?? [], file]);
  }
  const pairs = new Map();
  for (const [one, other, ...rest] of byName.values()) {
    if (!other || rest.length || isMovie(one) === isMovie(other)) continue;
    const said = word();
    pairs.set(one, said);
    pairs.set(other, said);
  }
  return pairs;
}
