// Starts the page: the sign first, then, when it can be read, everything that may come a moment later.

import { effect } from '/ui.js';
import { ageWords, line, space, start } from '/space/model.js';
import { followAddress } from '/space/route.js';
import { language } from '/space/words.js';
import '/space/sign.js';

/** A style sheet that the sign does not need. Without it the page is plain, but complete. */
const styles = (address) => new Promise((resolve) => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.onload = resolve;
  link.onerror = resolve;
  link.href = address;
  document.head.append(link);
});

/** The sign is on the screen, or the hub gave none: now the rest may use the network. */
async function rest() {
  const { age, rules, rulesMissing } = await import('/space/days.js');
  const { loadRules } = await import('/rules.js');
  const navigation = import('/navigation.js');
  const loaded = loadRules().then((them) => {
    rules.set(them);
    ageWords.set(age);
  }, (error) => {
    console.error(error);
    rulesMissing.set(true);
  });
  const { followChoice } = await import('/space/choice.js');
  const { followPlace } = await import('/space/place.js');
  const { startFavourites } = await import('/space/favourites.js');
  const { startOpeners } = await import('/space/openers.js');
  followChoice();
  await Promise.all([
    styles('/space/programme.css'), styles('/space/sign-page.css'), followPlace(), startFavourites(), startOpeners(),
  ]);
  await Promise.all([
    loaded, navigation, import('/space/programme.js'), import('/space/month.js'), import('/space/event.js'),
    import('/space/subscribe.js'), import('/space/about.js'), import('/space/switch.js'), import('/space/hours.js'),
    import('/space/sensors.js'), import('/space/followed.js'),
  ]);
  import('/hints.js');
  const { refreshAppearance } = await import('/appearance.js');
  effect(() => { if (space()) refreshAppearance(); }); // its name, colour or logo may have changed
  const { keepPages, lookForUpdate } = await import('/offline.js');
  await keepPages();
  effect(() => { if (line() === 'live') lookForUpdate(); });
}

/** The next frame is on the screen; a page that nobody looks at draws none, and goes on without. */
const painted = () => new Promise((resolve) => {
  setTimeout(resolve, 200);
  requestAnimationFrame(() => setTimeout(resolve));
});

document.documentElement.lang = language;
followAddress();
await start();
await painted();
await rest();
