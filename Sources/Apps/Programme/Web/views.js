// The views of the programme: a list, a month, or one event.

import '/programme/event.js';
import '/programme/month.js';
import '/programme/programme.js';
import '/programme/state.js';
