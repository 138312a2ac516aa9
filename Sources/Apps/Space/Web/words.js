// The words about the sign and the space, in German and English. A test compares the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    checklistSource: 'a contact on the door',
    state: { open: 'Open', closed: 'Closed', unknown: 'Unknown' },
    asking: 'One moment …',
    nothingKnown: 'No answer',
    help: {
      unknown: 'Nobody has turned the sign yet.',
      silent: 'The contact on the door does not report.',
      missing: 'The hub cannot be reached, and this device has no last known sign.',
    },
    lastKnown: (age) => `Last known, ${age}:`,
    since: (when) => `since ${when}`,
    until: (when) => `until ${when}`,
    opens: (when) => `opens ${when}`,
    untilPassed: (when) => `was meant to last until ${when}, which has passed`,
    by: (name) => `turned by ${name}`,
    byContact: 'reported by the contact on the door',
    asOf: (when) => `as of ${when}`,
    lamp: { live: 'Live', lost: 'Offline', asked: 'Not live', refused: 'Not live' },
    line: {
      liveAgain: 'Live again: this page is up to date.',
      lost: 'Offline: the hub cannot be reached.',
      lostHelp: (when) => `No answer since ${when}. What you see is the last known; this page keeps trying.`,
      asked: 'Not live: the hub answers, but no live connection gets through.',
      askedHelp: (when) => `Since ${when} the sign is asked for every minute instead. A web server in between may not `
        + 'pass WebSockets on.',
      refused: 'Not live: the hub turned this page away.',
      refusedHelp: (when) => `Since ${when} the sign is asked for every minute instead. Reloading the page may help.`,
    },
    announce: (name, state) => `${name}: ${state}`,
  },

  de: {
    checklistSource: 'einen Türkontakt',
    state: { open: 'Offen', closed: 'Geschlossen', unknown: 'Unbekannt' },
    asking: 'Einen Moment …',
    nothingKnown: 'Keine Antwort',
    help: {
      unknown: 'Noch hat niemand das Schild gedreht.',
      silent: 'Der Türkontakt meldet sich nicht.',
      missing: 'Der Server ist nicht erreichbar, und auf diesem Gerät ist kein letzter Stand.',
    },
    lastKnown: (age) => `Zuletzt bekannt, ${age}:`,
    since: (when) => `seit ${when}`,
    until: (when) => `bis ${when}`,
    opens: (when) => `öffnet ${when}`,
    untilPassed: (when) => `sollte bis ${when} so bleiben, das ist vorbei`,
    by: (name) => `gedreht von ${name}`,
    byContact: 'gemeldet vom Türkontakt',
    asOf: (when) => `Stand ${when}`,
    lamp: { live: 'Live', lost: 'Offline', asked: 'Nicht live', refused: 'Nicht live' },
    line: {
      liveAgain: 'Wieder live: Alles auf dem neuesten Stand.',
      lost: 'Offline: Der Server ist nicht erreichbar.',
      lostHelp: (when) =>
        `Keine Antwort seit ${when}. Du siehst den letzten bekannten Stand; die Seite versucht es weiter.`,
      asked: 'Nicht live: Der Server antwortet, aber eine Live-Verbindung kommt nicht zustande.',
      askedHelp: (when) => `Seit ${when} wird das Schild stattdessen jede Minute abgefragt. Vielleicht reicht ein `
        + 'Webserver dazwischen keine WebSockets durch.',
      refused: 'Nicht live: Der Server hat diese Seite abgewiesen.',
      refusedHelp: (when) =>
        `Seit ${when} wird das Schild stattdessen jede Minute abgefragt. Neu laden hilft vielleicht.`,
    },
    announce: (name, state) => `${name}: ${state}`,
  },
};

export const words = dictionary[language];
