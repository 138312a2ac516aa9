// What stands below, and may come last.

import '/checklist.js';
import '/hints.js';
import { followRooms } from '/room-choice.js';
import '/watch.js';
import '/space/about.js';
import '/space/checklist.js';
import '/space/followed.js';
import '/space/hours.js';
import { live } from '/space/model.js';
import '/space/sensors.js';
import '/space/subscribe.js';
import '/space/way.js';

followRooms(live);
