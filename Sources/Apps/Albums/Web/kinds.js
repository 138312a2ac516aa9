// The kinds of files that an album takes: of raw ones it keeps the originals.

import { isPicture, isRaw } from '/uploads/kinds.js';

export const isTaken = (file) => isPicture(file) || isRaw(file);
