// What a reader looks for when the sign is read.

import '/space/plate.js';
import '/space/switch.js';
