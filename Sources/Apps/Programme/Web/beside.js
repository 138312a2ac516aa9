// What stands below the programme, and may come last.

import '/programme/freshness.js';
import '/programme/subscribe.js';
