// What the pages of people have in common to say: roles, ages, and what went wrong, in German and English.

import { choose } from '/words.js';
import { HubError } from '/keep.js';

export const dictionary = {
  en: {
    roles: { owner: 'Owner', keykeeper: 'Keykeeper', member: 'Member', reader: 'Reader', sensor: 'Sensor' },
    duties: {
      owner: 'may do everything, also settings and people',
      keykeeper: 'turns the sign and opens for events',
      member: 'sees what only members see',
      reader: 'reads what only members see',
      sensor: 'reports the door and the sensors',
    },
    you: 'you',
    never: 'never',
    justNow: 'just now',
    cancel: 'Cancel',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    tryAgain: 'Try again',
    offline: 'The hub cannot be reached.',
    offlineHelp: 'Look whether this device has a connection, then try again.',
    errors: {},
  },
  de: {
    roles: { owner: 'Leitung', keykeeper: 'Schlüsselwart', member: 'Mitglied', reader: 'Leser', sensor: 'Sensor' },
    duties: {
      owner: 'darf alles, auch Einstellungen und Leute',
      keykeeper: 'dreht das Schild und schließt für Termine auf',
      member: 'sieht, was nur Mitglieder sehen',
      reader: 'liest, was nur Mitglieder sehen',
      sensor: 'meldet die Tür und die Sensoren',
    },
    you: 'du',
    never: 'nie',
    justNow: 'gerade eben',
    cancel: 'Abbrechen',
    close: 'Schließen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    tryAgain: 'Noch einmal',
    offline: 'Der Hub ist nicht zu erreichen.',
    offlineHelp: 'Schau, ob dieses Gerät eine Verbindung hat, und versuche es noch einmal.',
    errors: {},
  },
};

export const { language, locale } = choose(['en', 'de']);

export const told = dictionary[language];

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const MINUTE = 60_000;
const steps = [['minute', MINUTE], ['hour', 60 * MINUTE], ['day', 24 * 60 * MINUTE], ['month', 30.4 * 24 * 60 * MINUTE],
  ['year', 365 * 24 * 60 * MINUTE]];

/** How long ago a time of the hub's was, as people say it: "3 hours ago". */
export function ago(timestamp, now = Date.now()) {
  if (!timestamp) return told.never;
  const distance = now - Date.parse(timestamp);
  const [unit, length] = steps.findLast(([, length]) => distance >= length) ?? [];
  return unit ? relative.format(-Math.floor(distance / length), unit) : told.justNow;
}

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

export const onDay = (timestamp) => days.format(Date.parse(timestamp));
export const atTime = (timestamp) => moments.format(Date.parse(timestamp));

/** An error as the reader can use it: {title, help}. The hub's own words stand in where we have none. */
export function explained(error) {
  if (!(error instanceof HubError)) {
    console.error(error);
    return { title: told.offline, help: told.offlineHelp };
  }
  return told.errors[error.code] ?? { title: error.message, help: error.help ?? '' };
}
