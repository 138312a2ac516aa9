// The words that the pages of people share: roles, ages and devices, in German and English.

import { hubAhead } from '/keep.js';
import { now, zone } from '/place.js';
import { choose, civil, dateWithYear } from '/words.js';

export const dictionary = {
  en: {
    roles: { owner: 'Owner', keykeeper: 'Keykeeper', member: 'Member', reader: 'Reader', sensor: 'Sensor' },
    duties: {
      owner: 'may do everything, also settings and people',
      member: 'sees what only members see',
      reader: 'reads what only members see',
    },
    you: 'you',
    never: 'never',
    justNow: 'just now',
    cancel: 'Cancel',
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Not copied',
    device: 'Device',
    deviceOn: (browser, system) => `${browser} on ${system}`,
  },
  de: {
    roles: { owner: 'Leitung', keykeeper: 'Schlüsselwart', member: 'Mitglied', reader: 'Leser', sensor: 'Sensor' },
    duties: {
      owner: 'darf alles, auch Einstellungen und Leute',
      member: 'sieht, was nur Mitglieder sehen',
      reader: 'liest, was nur Mitglieder sehen',
    },
    you: 'du',
    never: 'nie',
    justNow: 'gerade eben',
    cancel: 'Abbrechen',
    close: 'Schließen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    notCopied: 'Nicht kopiert',
    device: 'Gerät',
    deviceOn: (browser, system) => `${browser} ${/^(i|Mac)/.test(system) ? 'auf dem' : 'unter'} ${system}`,
  },
};

export const { language, locale } = choose(['en', 'de']);

export const told = dictionary[language];

const relative = new Intl.RelativeTimeFormat(locale); // what was a day ago need not have been yesterday
const MINUTE = 60_000;
const steps = [['minute', MINUTE], ['hour', 60 * MINUTE], ['day', 24 * 60 * MINUTE], ['month', 30.4 * 24 * 60 * MINUTE],
  ['year', 365 * 24 * 60 * MINUTE]];

/** The age of a time of the hub's in words, which goes on: "3 hours ago". */
export function ago(timestamp, at) {
  if (!timestamp) return told.never;
  now(); // read, so that it is said anew
  const distance = (at ?? Date.now() + hubAhead()) - Date.parse(timestamp);
  const [unit, length] = steps.findLast(([, length]) => distance >= length) ?? [];
  return unit ? relative.format(-Math.floor(distance / length), unit) : told.justNow;
}

/** The day of a time of the hub's: "20 November 2026". */
export const onDay = (timestamp) => dateWithYear(civil(Date.parse(timestamp), zone()).days, locale);

// The hub's default names of devices (DeviceName.swift).
const BROWSERS = 'Edge|Opera|Samsung Internet|Firefox|Chrome|Safari';
const SYSTEMS = 'iPhone|iPad|Android|ChromeOS|Windows|Mac|Linux';
const MADE = new RegExp(`(^|: |, |→ )(?:(${BROWSERS}) on (${SYSTEMS})|Device)(?=$| →)`, 'g');

/** A device's name in the reader's language, unless somebody has chosen it; also within a text about one. */
export const deviceName = (name, words = told) => name.replace(MADE, (all, before, browser, system) =>
  before + (browser ? words.deviceOn(browser, system) : words.device));
