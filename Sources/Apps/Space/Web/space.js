// Starts the page: the sign first, then, when it can be read, the programme and the switch, then what stands below.

import { effect } from '/ui.js';
import { refreshAppearance } from '/appearance.js';
import { keepPages, lookForUpdate } from '/offline.js';
import { loadRules } from '/rules.js';
import { followChoice } from '/space/choice.js';
import { age, rules, rulesMissing } from '/space/days.js';
import { startFavourites } from '/space/favourites.js';
import {
  ageWords, line, programme, space, start, tellUsable, unreachable,
} from '/space/model.js';
import { startOpeners } from '/space/openers.js';
import { followPlace } from '/space/place.js';
import { followAddress } from '/space/route.js';
import { language } from '/space/words.js';
import '/shell.js';
import '/space/sign.js';

/** A module that is wanted in a moment begins to come. */
function preload(address) {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'modulepreload', href: address });
  document.head.append(link);
}

const PATIENCE = 2_000; // milliseconds for the programme: what is drawn with it at once does not jump about

/** The programme is known, from the hub or from this device, or will not come soon. */
const programmeThere = () => new Promise((resolve) => {
  setTimeout(resolve, PATIENCE);
  effect(() => { if (programme() !== undefined || space() === null || unreachable()) resolve(); });
});

/** The next frame is on the screen; a page that nobody looks at draws none, and goes on without. */
const painted = () => new Promise((resolve) => {
  setTimeout(resolve, 200);
  requestAnimationFrame(() => setTimeout(resolve));
});

/** The sign is on the screen, or the hub gave none: now the rest may use the network. */
async function rest() {
  preload('/space/views.js');
  const loaded = loadRules().then((them) => {
    rules.set(them);
    ageWords.set(age);
  }, (error) => {
    console.error(error);
    rulesMissing.set(true);
  });
  followChoice();
  await Promise.all([followPlace(), startFavourites(), startOpeners()]);
  await Promise.all([loaded, programmeThere()]);
  await import('/space/views.js');
  document.body.toggleAttribute('data-there', true);
  await painted();
  tellUsable();
  await import('/space/beside.js');
  effect(() => { if (space()) refreshAppearance(); }); // its name, colour or logo may have changed
  await keepPages();
  effect(() => { if (line() === 'live') lookForUpdate(); });
}

document.documentElement.lang = language;
followAddress();
await start();
await painted();
await rest();
