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
    errors: {
      40035: ['The passkey did not fit.', 'Try again; if it stays so, a link or a code lets you in.'],
      40036: ['There are no passkeys at this address.', 'They need HTTPS and a host name, not a number such as '
        + '192.168.1.10: open the hub by its name.'],
      40101: ['Nobody is signed in here any more.', 'Sign in again, with a link, a code or a passkey.'],
      40135: ['This hub does not know the passkey.', 'It may have been removed. A link or a code lets you in.'],
      40136: ['The passkey was not accepted.', 'A link or a code lets you in; then make a new one.'],
      40301: ['Your role does not allow it.', 'An owner can give you another one, on “People”.'],
      40420: ['This link or code is not known, or no longer good.', 'Look whether it is typed right; codes are good '
        + 'for ten minutes. An owner, or you on another device, can get a new one.'],
      40421: ['The device is signed out already.', ''],
      40422: ['This person is not here any more.', ''],
      40920: ['The last owner has to stay one.', 'Make somebody else an owner first.'],
      40936: ['You have 20 passkeys, which is as many as one can have.', 'Remove one that is not needed any more.'],
      41020: ['This link was used already.', 'Each is good for one device. If that was not you, tell an owner: '
        + 'somebody else may be signed in by it.'],
      41021: ['This link has expired.', 'Ask for a new one; it is made in a moment.'],
      42920: ['Too many wrong tries.', 'Wait some minutes, then try again, or ask for a new link.'],
    },
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
    offline: 'Der Server ist nicht erreichbar.',
    offlineHelp: 'Schau, ob dieses Gerät eine Verbindung hat, und versuche es noch einmal.',
    errors: {
      40035: ['Der Passkey passte nicht.', 'Versuche es noch einmal; sonst lässt dich ein Link oder ein Code herein.'],
      40036: ['An dieser Adresse gibt es keine Passkeys.', 'Sie brauchen HTTPS und einen Namen statt einer Nummer wie '
        + '192.168.1.10: Öffne den Server unter seinem Namen.'],
      40101: ['Hier ist niemand mehr angemeldet.', 'Melde dich wieder an: mit Link, Code oder Passkey.'],
      40135: ['Dieser Server kennt den Passkey nicht.',
        'Vielleicht wurde er entfernt. Ein Link oder Code lässt dich herein.'],
      40136: ['Der Passkey wurde nicht angenommen.', 'Ein Link oder Code lässt dich herein; leg dann einen neuen an.'],
      40301: ['Das erlaubt deine Rolle nicht.', 'Die Leitung kann dir unter „Leute“ eine andere geben.'],
      40420: ['Diesen Link oder Code gibt es nicht, oder nicht mehr.', 'Schau, ob er richtig getippt ist; Codes '
        + 'gelten zehn Minuten. Einen neuen holt die Leitung, oder du auf einem anderen Gerät.'],
      40421: ['Das Gerät ist schon abgemeldet.', ''],
      40422: ['Diese Person ist nicht mehr hier.', ''],
      40920: ['Die letzte Leitung muss es bleiben.', 'Mach erst jemand anderen dazu.'],
      40936: ['Du hast 20 Passkeys, mehr gehen nicht.', 'Entferne einen, den es nicht mehr braucht.'],
      41020: ['Dieser Link ist schon verbraucht.', 'Jeder gilt für ein Gerät. Warst du es nicht, sag es der Leitung: '
        + 'Jemand anderes ist vielleicht damit angemeldet.'],
      41021: ['Dieser Link ist abgelaufen.', 'Lass dir einen neuen geben; er ist schnell gemacht.'],
      42920: ['Zu viele falsche Versuche.', 'Warte ein paar Minuten, oder lass dir einen neuen Link geben.'],
    },
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
  const [title, help] = told.errors[error.code] ?? [error.message, error.help ?? ''];
  return { title, help };
}
