// The content below, which may be loaded last.

import '/space/about.js';
import '/space/followed.js';
import '/space/hours.js';
import '/space/sensors.js';
import '/space/way.js';
