// The words of the calendars' settings, in German and English. A test compares the two.

import { words as ofForm } from '/settings/place/words.js';
import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Calendars',
    ringTitle: 'When the programme rings',
    tonightAt: 'What is on tonight', newsAt: 'What is new',
    ringHint: 'Those who have subscribed to the programme are rung at this time, if there is something. Empty: never.',
    lead: 'Where the events come from.',
    none: 'There is no calendar yet, so the programme is empty.',
    address: 'Address', addressHint: 'The iCalendar address (it ends in .ics), such as Google’s “public address in '
      + 'iCal format”. webcal: is taken too.',
    addressWrong: 'An address that begins with https://, http:// or file: is needed.',
    name: 'Name', nameHint: 'Instead of its own.', color: 'Colour', ownColor: 'Own colour',
    id: 'Calendar ID', idHint: 'In Google Calendar’s settings, such as abc@group.calendar.google.com',
    key: 'API key', keyHint: 'From the Google Cloud console. It stays on the hub.',
    user: 'User', userHint: 'At that server.',
    password: 'Password', passwordHint: 'Best one for this app alone. It stays on the hub.',
    collectionHint: 'The calendar’s own address at its server: at Nextcloud its “internal link”.',
    collectionWrong: 'An address that begins with https:// or http:// is needed.',
    missing: 'This is needed.',
    remove: 'Remove this calendar',
    kinds: { ics: 'Address', google: 'Google Calendar', caldav: 'CalDAV', upload: 'File' },
    add: 'Add a calendar:',
    addIcs: 'By its address', addUpload: 'Upload a file', addGoogle: 'Google Calendar with a key',
    addCalDAV: 'CalDAV (Nextcloud, Radicale)',
    replace: 'Upload a newer file',
    sending: (share) => `${Math.round(share * 100)}% sent`,
    uploadFailed: 'The file was not taken:',
    uploaded: (events) => (events === 1 ? 'One event was found.' : `${events} events were found.`),
    notYet: 'The calendar is used as soon as you save.',
    state: {
      good: (when, events) => `Good, as of ${when}${events === null ? '' : `; ${events === 1 ? '1 event'
        : `${events} events`}`}.`,
      failing: (problem) => `It cannot be read: ${problem}`,
      new: 'It has not been fetched yet.',
      looking: 'It is being fetched …',
    },
    warnings: (count) => `${count} notes about what it has`,
    look: 'Look now',
  },

  de: {
    title: 'Kalender',
    ringTitle: 'Wann das Programm läutet',
    tonightAt: 'Was es heute Abend gibt', newsAt: 'Was neu ist',
    ringHint: 'Wer das Programm abonniert hat, bei dem läutet es um diese Zeit, falls es etwas gibt. Leer: nie.',
    lead: 'Woher die Termine kommen.',
    none: 'Noch gibt es keinen Kalender, darum ist das Programm leer.',
    address: 'Adresse', addressHint: 'Die iCalendar-Adresse (sie endet auf .ics), etwa Googles „öffentliche Adresse '
      + 'im iCal-Format“. webcal: geht auch.',
    addressWrong: 'Es braucht eine Adresse, die mit https://, http:// oder file: beginnt.',
    name: 'Name', nameHint: 'Statt seines eigenen.', color: 'Farbe', ownColor: 'Eigene Farbe',
    id: 'Kalender-ID', idHint: 'In den Einstellungen von Google Kalender, etwa abc@group.calendar.google.com',
    key: 'API-Schlüssel', keyHint: 'Aus der Google Cloud Console. Er bleibt auf dem Server.',
    user: 'Benutzer', userHint: 'Bei diesem Server.',
    password: 'Passwort', passwordHint: 'Am besten eines nur für diese App. Es bleibt auf dem Server.',
    collectionHint: 'Die Adresse des Kalenders selbst bei seinem Server: bei Nextcloud der „interne Link“.',
    collectionWrong: 'Es braucht eine Adresse, die mit https:// oder http:// beginnt.',
    missing: 'Das wird gebraucht.',
    remove: 'Diesen Kalender entfernen',
    kinds: { ics: 'Adresse', google: 'Google Kalender', caldav: 'CalDAV', upload: 'Datei' },
    add: 'Kalender hinzufügen:',
    addIcs: 'Mit seiner Adresse', addUpload: 'Datei hochladen', addGoogle: 'Google Kalender mit Schlüssel',
    addCalDAV: 'CalDAV (Nextcloud, Radicale)',
    replace: 'Neuere Datei hochladen',
    sending: (share) => `${Math.round(share * 100)} % gesendet`,
    uploadFailed: 'Die Datei wurde nicht angenommen:',
    uploaded: (events) => (events === 1 ? 'Ein Termin wurde gefunden.' : `${events} Termine wurden gefunden.`),
    notYet: 'Der Kalender gilt, sobald du speicherst.',
    state: {
      good: (when, events) => `Gut, Stand ${when}${events === null ? '' : `; ${events === 1 ? '1 Termin'
        : `${events} Termine`}`}.`,
      failing: (problem) => `Er ist nicht zu lesen: ${problem}`,
      new: 'Er wurde noch nicht abgerufen.',
      looking: 'Er wird gerade abgerufen …',
    },
    warnings: (count) => `${count} Hinweise zu seinem Inhalt`,
    look: 'Jetzt nachsehen',
  },
};

/** With those that all of the form's sections have. */
export const words = { ...ofForm, ...dictionary[language] };
