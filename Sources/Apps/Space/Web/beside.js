// What stands below, and may come last.

import '/space/about.js';
import '/space/followed.js';
import '/space/hours.js';
import '/space/sensors.js';
import '/space/way.js';
