// Every word this page says, in German and English. A test holds the two against each other.

import { choose, moment } from '/words.js';

export const dictionary = {
  en: {
    state: { open: 'Open', closed: 'Closed', unknown: 'Unknown' },
    asking: 'One moment …',
    nothingKnown: 'No answer',
    help: {
      unknown: 'Nobody has turned the sign yet.',
      missing: 'The hub cannot be reached, and this device has no last known sign.',
    },
    lastKnown: (age) => `Last known, ${age}:`,
    since: (when) => `since ${when}`,
    until: (when) => `until ${when}`,
    untilPassed: (when) => `was meant to last until ${when}, which has passed`,
    by: (name) => `turned by ${name}`,
    when: {
      today: ({ time }) => time,
      yesterday: ({ time }) => `yesterday ${time}`,
      tomorrow: ({ time }) => `tomorrow ${time}`,
      week: ({ weekday, time }) => `${weekday} ${time}`,
      date: ({ date, time }) => `${date}, ${time}`,
      year: ({ dateWithYear }) => dateWithYear,
    },
    age: [
      () => 'just now',
      (n) => (n === 1 ? '1 minute ago' : `${n} minutes ago`),
      (n) => (n === 1 ? '1 hour ago' : `${n} hours ago`),
      (n) => (n === 1 ? '1 day ago' : `${n} days ago`),
    ],
    asOf: (when) => `as of ${when}`,
    lamp: { live: 'Live', lost: 'Offline', refused: 'Not live' },
    line: {
      liveAgain: 'Live again: this page is up to date.',
      lost: 'Offline: the hub cannot be reached.',
      lostHelp: (when) => `No answer since ${when}. What you see is the last known; this page keeps trying.`,
      refused: 'Not live: the hub turned this page away.',
      refusedHelp: (when) => `Since ${when} the sign is asked for every minute instead. Reloading the page may help.`,
    },
    announce: (name, state) => `${name}: ${state}`,
    firstSteps: {
      title: 'Ahoy! The hub is running.',
      text: 'It only does not know its space yet: the name, the address, the calendars. '
        + 'Whoever set the hub up can tell it now; this page fills in by itself.',
    },
    tonight: 'Tonight',
    today: 'Today',
    nothingTonight: 'Nothing on tonight.',
    nothingToday: 'Nothing on today.',
    nothingMore: 'Nothing else is in the programme so far.',
    next: 'Next:',
    thisWeek: 'This week',
    nextWeek: 'Next week',
    week: (number) => `Week ${number}`,
    tomorrow: 'Tomorrow',
    inText: { today: 'today', tomorrow: 'tomorrow' },
    showLater: (count) => (count === 1 ? 'Show one later event' : `Show ${count} later events`),
    allDay: 'all day',
    running: 'now',
    cancelled: 'cancelled',
    tentative: 'not certain yet',
    endsAt: (time) => `to ${time}`,
    lastsUntil: (when) => `until ${when}`,
    programmePending: 'The programme is on its way …',
    programmeMissing: 'The programme could not be fetched, and this device has no copy yet.',
    rulesMissing: 'The programme cannot be shown: this browser did not load the rules for its days.',
    programmeOld: 'Part of the programme may be out of date.',
    programmeOldLink: 'What is wrong',
    back: 'Programme',
    detail: { when: 'When', where: 'Where', link: 'More', calendar: 'Calendar' },
    fromTo: (from, to) => `${from} to ${to}`,
    addToCalendar: 'Add to calendar',
    needsNetwork: 'This needs a connection to the hub.',
    notFound: 'This event is not in the programme any more.',
    opensNewTab: '(opens in a new tab)',
    about: {
      title: 'About',
      address: 'Address',
      map: 'Show on a map',
      hours: 'Opening hours',
      contact: 'Contact',
      web: 'Web site',
      zone: (name) => `All times are those of the space (${name}).`,
      programme: 'Programme',
      programmeAsOf: (when) => `as of ${when}`,
      copyAsOf: (when) => `this device’s copy is of ${when}`,
      problem: ({ name, since, problem, copy }) =>
        `The calendar “${name}” could not be fetched${since ? ` since ${since}` : ''}: ${problem}; `
        + (copy ? `showing the copy of ${copy}.` : 'there is no copy of it yet.'),
      made: 'Kept by Eightbells',
    },
    contact: {
      email: 'E-mail', ml: 'Mailing list', issue_mail: 'Problems to', phone: 'Phone', sip: 'SIP', irc: 'IRC',
      matrix: 'Matrix', mastodon: 'Mastodon', xmpp: 'XMPP', twitter: 'Twitter', facebook: 'Facebook',
      mumble: 'Mumble', gopher: 'Gopher', foursquare: 'Foursquare', identica: 'Identica', google: 'Google',
    },
  },

  de: {
    state: { open: 'Offen', closed: 'Geschlossen', unknown: 'Unbekannt' },
    asking: 'Einen Moment …',
    nothingKnown: 'Keine Antwort',
    help: {
      unknown: 'Noch hat niemand das Schild gedreht.',
      missing: 'Der Server ist nicht erreichbar, und auf diesem Gerät ist kein letzter Stand.',
    },
    lastKnown: (age) => `Zuletzt bekannt, ${age}:`,
    since: (when) => `seit ${when}`,
    until: (when) => `bis ${when}`,
    untilPassed: (when) => `sollte bis ${when} so bleiben, das ist vorbei`,
    by: (name) => `gedreht von ${name}`,
    when: {
      today: ({ time }) => `${time} Uhr`,
      yesterday: ({ time }) => `gestern ${time} Uhr`,
      tomorrow: ({ time }) => `morgen ${time} Uhr`,
      week: ({ weekday, time }) => `${weekday} ${time} Uhr`,
      date: ({ date, time }) => `${date}, ${time} Uhr`,
      year: ({ dateWithYear }) => dateWithYear,
    },
    age: [
      () => 'gerade eben',
      (n) => (n === 1 ? 'vor 1 Minute' : `vor ${n} Minuten`),
      (n) => (n === 1 ? 'vor 1 Stunde' : `vor ${n} Stunden`),
      (n) => (n === 1 ? 'vor 1 Tag' : `vor ${n} Tagen`),
    ],
    asOf: (when) => `Stand ${when}`,
    lamp: { live: 'Live', lost: 'Offline', refused: 'Nicht live' },
    line: {
      liveAgain: 'Wieder live: Alles auf dem neuesten Stand.',
      lost: 'Offline: Der Server ist nicht erreichbar.',
      lostHelp: (when) =>
        `Keine Antwort seit ${when}. Du siehst den letzten bekannten Stand; die Seite versucht es weiter.`,
      refused: 'Nicht live: Der Server hat diese Seite abgewiesen.',
      refusedHelp: (when) =>
        `Seit ${when} wird das Schild stattdessen jede Minute abgefragt. Neu laden hilft vielleicht.`,
    },
    announce: (name, state) => `${name}: ${state}`,
    firstSteps: {
      title: 'Moin! Der Server läuft.',
      text: 'Er kennt nur seinen Space noch nicht: Name, Adresse, Kalender. '
        + 'Wer ihn eingerichtet hat, kann es ihm jetzt sagen; diese Seite füllt sich dann von selbst.',
    },
    tonight: 'Heute Abend',
    today: 'Heute',
    nothingTonight: 'Heute Abend ist nichts.',
    nothingToday: 'Heute ist nichts.',
    nothingMore: 'Sonst steht noch nichts im Programm.',
    next: 'Als Nächstes:',
    thisWeek: 'Diese Woche',
    nextWeek: 'Nächste Woche',
    week: (number) => `Woche ${number}`,
    tomorrow: 'Morgen',
    inText: { today: 'heute', tomorrow: 'morgen' },
    showLater: (count) => (count === 1 ? 'Einen späteren Termin zeigen' : `${count} spätere Termine zeigen`),
    allDay: 'ganztägig',
    running: 'läuft',
    cancelled: 'fällt aus',
    tentative: 'noch nicht sicher',
    endsAt: (time) => `bis ${time}`,
    lastsUntil: (when) => `bis ${when}`,
    programmePending: 'Das Programm kommt gleich …',
    programmeMissing: 'Das Programm war nicht zu bekommen, und auf diesem Gerät ist noch keine Kopie.',
    rulesMissing: 'Das Programm lässt sich nicht zeigen: Dieser Browser hat die Regeln für die Tage nicht geladen.',
    programmeOld: 'Ein Teil des Programms ist vielleicht veraltet.',
    programmeOldLink: 'Was nicht stimmt',
    back: 'Programm',
    detail: { when: 'Wann', where: 'Wo', link: 'Mehr', calendar: 'Kalender' },
    fromTo: (from, to) => `${from} bis ${to}`,
    addToCalendar: 'In den Kalender',
    needsNetwork: 'Dafür muss der Server erreichbar sein.',
    notFound: 'Dieser Termin steht nicht mehr im Programm.',
    opensNewTab: '(öffnet einen neuen Tab)',
    about: {
      title: 'Über uns',
      address: 'Adresse',
      map: 'Auf der Karte zeigen',
      hours: 'Öffnungszeiten',
      contact: 'Kontakt',
      web: 'Webseite',
      zone: (name) => `Alle Zeiten sind die des Space (${name}).`,
      programme: 'Programm',
      programmeAsOf: (when) => `Stand ${when}`,
      copyAsOf: (when) => `Kopie auf diesem Gerät: Stand ${when}`,
      problem: ({ name, since, problem, copy }) =>
        `Der Kalender „${name}“ ist${since ? ` seit ${since}` : ''} nicht zu bekommen: ${problem}; `
        + (copy ? `gezeigt wird die Kopie von ${copy}.` : 'es gibt noch keine Kopie.'),
      made: 'Gehütet von Eightbells',
    },
    contact: {
      email: 'E-Mail', ml: 'Mailingliste', issue_mail: 'Probleme an', phone: 'Telefon', sip: 'SIP', irc: 'IRC',
      matrix: 'Matrix', mastodon: 'Mastodon', xmpp: 'XMPP', twitter: 'Twitter', facebook: 'Facebook',
      mumble: 'Mumble', gopher: 'Gopher', foursquare: 'Foursquare', identica: 'Identica', google: 'Google',
    },
  },
};

export const { language, locale } = choose(['en', 'de']);

export const words = dictionary[language];

/** A moment as people say it: "18:40", "yesterday 21:10", "Tuesday 21:10", "3 November, 21:10". */
export function said(at, from, timeZone, { when } = words, tag = locale) {
  const told = moment(at, from, timeZone, tag);
  return when[told.near](told);
}
