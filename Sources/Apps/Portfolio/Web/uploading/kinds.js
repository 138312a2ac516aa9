// The files that are taken. Pure.

// Browsers know no type of some.
const NAMED = /\.(hei[cf]|avif|tiff?|mkv|mov|m4v)$/i;

/** True for a file that may be a picture or a video. */
export const isPicture = ({ type, name }) => /^(image|video)\//.test(type ?? '') || NAMED.test(name ?? '');
