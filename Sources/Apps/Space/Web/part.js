// The sign on a page, shown first; bin/packing/rooms.py puts it beside the parts of other rooms.

import { start } from '/space/model.js';
import '/space/sign.js';

export const part = { start, tellsPlace: true };
