// The kinds of files that an album takes.

// Browsers know no type of some.
const NAMED = /\.(hei[cf]|dng|cr[23]|nef|arw|raf|orf|rw2)$/i;

export const isPicture = ({ type, name }) => /^(image|video)\//.test(type) || NAMED.test(name);
