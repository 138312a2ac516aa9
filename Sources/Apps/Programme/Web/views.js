// Further views of the programme (a month, one event, favourites), its search, and its state elsewhere.

import { startOpeners } from '/programme/openers.js';
import '/programme/event.js';
import '/programme/favourites-view.js';
import '/programme/finder.js';
import '/programme/hearts.js';
import '/programme/month.js';
import '/programme/programme.js';
import '/programme/state.js';

startOpeners();
