// What stands below, and may come last.

import '/checklist.js';
import '/hints.js';
import '/watch.js';
import '/space/about.js';
import '/space/checklist.js';
import '/space/followed.js';
import '/space/hours.js';
import '/space/sensors.js';
import '/space/way.js';
