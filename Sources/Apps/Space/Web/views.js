// The content below the sign.

import '/space/plate.js';
import '/space/switch.js';
