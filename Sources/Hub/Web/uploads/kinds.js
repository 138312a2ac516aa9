// The files that rooms take: by the type that a browser knows, else by their endings, since browsers know no type of
// some. Pure.

const NAMED = /\.(jpe?g|jfif|png|gif|webp|hei[cf]|hif|avif|tiff?|mov|mp4|m4v|3gp|3g2|avi|mkv|webm|m2?ts)$/i;
const RAW = /\.(dng|gpr|cr[23]|nef|nrw|arw|sr2|raf|orf|rw2|pef|3fr|fff|iiq|erf|kdc|dcr|srw)$/i;
const NAMES = 3; // of files that are left out

/** True for a file that may be a picture or a video. */
export const isPicture = ({ type, name }) => /^(image|video)\//.test(type ?? '') || NAMED.test(name ?? '');

/** True for one that may be a camera's raw file. */
export const isRaw = ({ name }) => RAW.test(name ?? '');

/** The names of some files, as a sentence says them. */
export const namesOf = (files) => files.slice(0, NAMES).map(({ name }) => name)
  .concat(files.length > NAMES ? ['…'] : []).join(', ');
