// The words of the small board below the sign, in German and English.

import { language, locale } from '/shell-words.js';
import { listed } from '/words.js';

export const plateDictionary = {
  en: {
    until: (time) => `Until about ${time}`,
    now: 'On now',
    opens: (when) => `Opens ${when}`,
    you: 'you',
    opener: (what, names, tag = locale) => `${what}, ${listed(names, tag)} will open`,
    nobody: (what) => `${what}. Nobody opens yet`,
    comeIn: (what) => `${what}, come in and look`,
  },
  de: {
    until: (time) => `Bis etwa ${time}`,
    now: 'Gerade',
    opens: (when) => `Öffnet ${when}`,
    you: 'du',
    opener: (what, names, tag = locale) => {
      if (names.length > 1) return `${what}, es schließen auf: ${listed(names, tag)}`;
      return names[0] === 'du' ? `${what}, du schließt auf` : `${what}, ${names[0]} schließt auf`;
    },
    nobody: (what) => `${what}. Noch schließt niemand auf`,
    comeIn: (what) => `${what}, komm herein und schau`,
  },
};

/**
 * The two lines about a room's next event (/room-states.js), depending on the sign: {when, what}. They say that the
 * space opens then only if somebody has volunteered.
 */
export function plateLines(isOpen, { when, what, isNow, until, by, isWanted }, isGuest,
                           words = plateDictionary[language]) {
  if (isNow && isOpen) {
    return { when: until ? words.until(until) : words.now, what: isGuest ? words.comeIn(what) : what };
  }
  if (isNow) return { when: words.now, what };
  if (!isOpen && by.length) {
    return { when: words.opens(when), what: words.opener(what, by.map((name) => name ?? words.you)) };
  }
  return { when: when.charAt(0).toUpperCase() + when.slice(1), what: !isOpen && isWanted ? words.nobody(what) : what };
}
