// The room on the hub's own pages, in one file: what rings now, and the rules by which it is shown.

import '/bells/rules.js';
import '/bells/state.js';
