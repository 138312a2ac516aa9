// The sent portfolio as the player shows it. Pure.

import { plateOf } from '/portfolio/view/plate.js';

const FLICKR = /^https:\/\/([\w-]+\.)?flickr\.com\//;
const FLICKR_PICTURES = 30; // of Flickr's on one page: its terms

/** The sizes of a picture: the player's two, and a film's file. */
const SIZES = ['320', '2048', 'video'];

/**
 * {title, text, from, until, download, galleries: [{id, title, first, count}], pictures, turn}: all pictures one after
 * the other, each with its gallery; `turn` is how many are shown at a time, Infinity without Flickr's.
 */
export function bookOf(told) {
  const pictures = [];
  const galleries = (told.galleries ?? []).map(({ id, title, name, text = '', pictures: own = [] }) => {
    const first = pictures.length;
    for (const one of own) pictures.push({ ...one, gallery: id, galleryTitle: title ?? name ?? '' });
    return { id, title: title ?? name ?? '', text, first, count: own.length };
  }).filter(({ count }) => count > 0);
  const isFlickr = pictures.some(({ page }) => FLICKR.test(page ?? ''));
  return {
    title: told.title ?? '', text: told.text ?? '', from: told.from ?? '', until: told.until ?? null,
    photographer: told.photographer ?? '',
    download: told.download ?? 'none', galleries, pictures, isFlickr, turn: isFlickr ? FLICKR_PICTURES : Infinity,
  };
}

/** The number of different pictures: one may be in two galleries. */
export const different = ({ pictures }) => new Set(pictures.map(({ id }) => id)).size;

/** The pictures that are shown together with the one at a place: [first, end]. */
export function turnOf({ pictures, turn }, place) {
  if (pictures.length <= turn) return [0, pictures.length];
  const first = Math.floor(place / turn) * turn;
  return [first, Math.min(pictures.length, first + turn)];
}

/** The place of a picture within a gallery; -1 if it is not there any more. */
export const placeOf = ({ pictures }, gallery, picture) =>
  pictures.findIndex((one) => one.id === picture && one.gallery === gallery);

/** A picture's name in words: its title, or its number. */
export const nameOf = (picture, place, said) => picture.title || said.picture(place + 1);

/** The lines beneath a picture: the photographer has chosen which there are; whose it is stands last. */
export function linesOf(picture, dayOf) {
  const { title, rest } = plateOf(picture, ['title', 'caption', 'place', 'date'], dayOf);
  return { title, rest: picture.owner ? [...rest, { kind: 'owner', text: picture.owner }] : rest };
}

const ENDINGS = { 'image/png': 'png', 'image/heic': 'heic', 'image/webp': 'webp', 'image/tiff': 'tif',
  'image/avif': 'avif', 'image/gif': 'gif', 'image/x-canon-cr3': 'cr3', 'video/mp4': 'mp4', 'video/quicktime': 'mov',
  'video/webm': 'webm', 'video/x-msvideo': 'avi', 'video/mp2t': 'mts' };

/** The file of a picture that one saves: an original that may be had, or the largest; `hasFilms` as for the stage. */
export function savedSize({ sizes = {} }, { download }, hasFilms) {
  if (download === 'original' && sizes.original) return 'original';
  return hasFilms && sizes.video ? 'video' : '2048';
}

/** The name under which a picture is saved. */
export const fileName = (name, type) => `${name.replace(/[\\/:*?"<>|]/g, '-')}.${ENDINGS[type] ?? 'jpg'}`;

/** Every file that is to be kept: [{key, id, size, version, bytes, sha256, url}], all small ones first. */
export function filesOf({ pictures }) {
  const files = new Map();
  for (const size of SIZES) {
    for (const { id, version, sizes = {} } of pictures) {
      const file = sizes[size];
      if (file?.sha256) files.set(`${id}/${size}`, { key: `${id}/${size}`, id, size, version, ...file });
    }
  }
  return [...files.values()];
}

/** What is missing of all that is to be kept, by the rows of what is here. */
export const missingOf = (files, rows) => files.filter(({ key, sha256 }) => rows.get(key)?.sha256 !== sha256);

/**
 * What is here and not in the portfolio any more: {keys, pictures}: their files, and how many pictures they are of that
 * are gone altogether. A file of another version is none of these: it is fetched over the old one.
 */
export function withdrawnOf({ pictures }, files, rows) {
  const [named, ids] = [new Set(files.map(({ key }) => key)), new Set(pictures.map(({ id }) => id))];
  const keys = [...rows.keys()].filter((key) => !named.has(key));
  return { keys, pictures: new Set(keys.map((key) => key.split('/')[0]).filter((id) => !ids.has(id))).size };
}
