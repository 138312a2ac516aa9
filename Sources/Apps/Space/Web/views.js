// What a reader looks for when the sign is read.

import '/space/switch.js';
