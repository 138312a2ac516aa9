// What a reader looks for when the sign is read.

import '/programme/state.js';
import '/space/event.js';
import '/space/month.js';
import '/space/plate.js';
import '/space/programme.js';
import '/space/switch.js';
