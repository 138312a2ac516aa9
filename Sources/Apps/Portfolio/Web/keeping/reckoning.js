// The reckoning of kept and missing files. Pure: galleries, rows and wishes are passed in.

import { keyOf } from '/portfolio/keeping/names.js';

/** The order in which sizes are kept: the wall is complete before the first large picture is. */
const SIZES = ['320', '2048', 'video'];

/**
 * Every file that should be on this device, once each, in the order in which they are wanted: small ones first, chosen
 * galleries first in each size. `galleries` are [{portfolio, id, pictures}] in the order of the wall; `first` is a Set
 * of `portfolio/gallery`.
 */
export function wanted(galleries, first = new Set()) {
  const isFirst = ({ portfolio, id }) => first.has(`${portfolio}/${id}`);
  const ordered = [...galleries.filter(isFirst), ...galleries.filter((one) => !isFirst(one))];
  const found = new Map();
  for (const size of SIZES) {
    for (const { portfolio, pictures } of ordered) {
      for (const picture of pictures) {
        const file = picture.sizes?.[size];
        const key = file && keyOf(portfolio, picture.id, size);
        if (!key || found.has(key)) continue;
        found.set(key, { key, size, picture, version: picture.version, ...file });
      }
    }
  }
  return [...found.values()];
}

/** True if the kept file is the one that the hub has. */
export const isKept = (row, { sha256, bytes }) => row !== undefined && row.sha256 === sha256 && row.bytes === bytes;

/**
 * {files, kept, bytes, missing, missingBytes, older}: how many files there should be, how many of them are kept and
 * their bytes, the missing ones in order with their bytes, and the keys of kept files that nothing asks for any more.
 */
export function reckon(files, rows) {
  const found = { files: files.length, kept: 0, bytes: 0, missing: [], missingBytes: 0, older: [] };
  for (const file of files) {
    if (isKept(rows.get(file.key), file)) {
      found.kept += 1;
      found.bytes += file.bytes;
    } else {
      found.missing.push(file);
      found.missingBytes += file.bytes;
    }
  }
  if (found.kept === rows.size) return found; // each row is one of these files
  const asked = new Set(files.map(({ key }) => key));
  for (const key of rows.keys()) if (!asked.has(key)) found.older.push(key);
  return found;
}

/** {kept, count, bytes} of one gallery: how many of its pictures are here in all their sizes, and the bytes here. */
export function keptOf({ portfolio, pictures }, rows) {
  const found = { kept: 0, count: pictures.length, bytes: 0 };
  for (const { id, sizes = {} } of pictures) {
    let isWhole = Object.keys(sizes).length > 0;
    for (const [size, file] of Object.entries(sizes)) {
      if (isKept(rows.get(keyOf(portfolio, id, size)), file)) found.bytes += file.bytes;
      else isWhole = false;
    }
    if (isWhole) found.kept += 1;
  }
  return found;
}

/**
 * The next files to fetch at once: several small ones, whose rows are written together, or one large one.
 */
export function nextOf(missing, most = { files: 24, bytes: 1_000_000 }) {
  const found = [];
  let bytes = 0;
  for (const file of missing) {
    if (found.length && (found.length === most.files || bytes + file.bytes > most.bytes)) break;
    found.push(file);
    bytes += file.bytes;
  }
  return found;
}

/** True on mobile data, or where data are to be saved, as far as the browser tells. */
export const isMobile = ({ saveData, type } = {}) => Boolean(saveData) || type === 'cellular';

/**
 * Why nothing is fetched now, or 'go': 'insecure' (the browser keeps pages only over HTTPS), 'off', 'offline', 'mobile'
 * (on mobile data, or with data saved, unless that is wished).
 */
export function mayKeep({ isOn, isMobileToo, isTrusted, isOnline, connection = {} }) {
  if (!isTrusted) return 'insecure';
  if (!isOn) return 'off';
  if (!isOnline) return 'offline';
  if (!isMobileToo && isMobile(connection)) return 'mobile';
  return 'go';
}
