// What stands below the programme, and may come last.

import '/programme/checklist.js';
import '/programme/freshness.js';
import '/programme/subscribe.js';
