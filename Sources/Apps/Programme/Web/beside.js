// The content below the programme, which may be loaded last.

import '/programme/freshness.js';
import '/programme/paper.js';
import '/programme/subscribe.js';
