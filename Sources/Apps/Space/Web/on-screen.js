// The sign on the screen in the room.

import { start } from '/space/model.js';
import '/space/sign.js';

export const element = 'space-sign';

start();
