// The words of what is loaded after the list: an event, favourites, the month, the facts at the foot of the page; in
// German and English. A test compares the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    event: {
      back: 'Programme',
      detail: { when: 'When', where: 'Where', link: 'More', calendar: 'Calendar' },
      addToCalendar: 'Add to calendar',
      share: 'Share',
      copied: 'The address is copied.',
      needsNetwork: 'This needs a connection to the hub.',
      notFound: 'This event is not in the programme any more.',
      map: 'Show on a map',
      whereYouAre: (when) => `Where you are: ${when}`,
      opensNewTab: '(opens in a new tab)',
    },
    facts: {
      title: 'Programme',
      asOf: (when) => `as of ${when}`,
      calendarNumber: (number) => `number ${number}`,
      copyAsOf: (when) => `this device’s copy is of ${when}`,
      problem: ({ name, since, problem, copy }) =>
        `The calendar “${name}” cannot be fetched${since ? `, since ${since}` : ''}${problem ? `: ${problem}` : ''}; `
        + (copy ? `showing the copy of ${copy}.` : 'there is no copy of it yet.'),
    },
    favourites: {
      empty: 'Nothing marked yet. The heart beside an event keeps it here.',
      over: 'All that you marked is over.',
      onDevice: 'Your favourites are kept on this device.',
      fleeting: 'This browser keeps nothing, or the device is full: your favourites last until the page is closed.',
      signIn: 'Sign in to have them on all your devices',
      unsent: (count) => (count === 1 ? 'One change waits for the hub.' : `${count} changes wait for the hub.`),
      remind: 'Remind me',
      wholeDays: 'All-day events remind you at nine in the morning.',
      before: (minutes) => {
        if (minutes === null) return 'never';
        if (minutes === 0) return 'when it begins';
        if (minutes % 1440 === 0) return minutes === 1440 ? 'a day before' : `${minutes / 1440} days before`;
        if (minutes % 60 === 0) return minutes === 60 ? 'an hour before' : `${minutes / 60} hours before`;
        return minutes === 1 ? 'a minute before' : `${minutes} minutes before`;
      },
      notSaved: (reason) => `Not saved: ${reason}`,
      gone: 'No longer in the programme',
      remove: (title) => `Remove ${title}`,
      removeWord: 'Remove',
      noticed: 'Got it',
      whatChanged: 'Changed since you marked it',
      leftTitle: 'You are signed out.',
      left: (count) => (count === 1 ? 'One favourite of yours is still on this device.'
        : `${count} favourites of yours are still on this device.`),
      leftUnsent: (count) => (count === 1 ? 'One change has not reached the hub yet.'
        : `${count} changes have not reached the hub yet.`),
      stay: 'Keep them here',
      go: 'Remove them',
    },
    changed: {
      cancelled: 'cancelled since you marked it',
      notCancelled: 'takes place after all',
      time: (now, was) => `now ${now}, was ${was}`,
      end: (now, was) => `now until ${now}, was until ${was}`,
      until: (now) => `now until ${now}`,
      endless: 'end no longer given',
      place: (now, was) => `place: now ${now || 'none'}, was ${was || 'none'}`,
      title: (was) => `was called “${was}”`,
    },
    month: {
      before: 'Previous month',
      after: 'Next month',
      today: 'Today',
      nothing: 'Nothing on this day.',
      count: (count) => (count === 0 ? 'no events' : count === 1 ? '1 event' : `${count} events`),
      more: (count) => `+${count}`,
      pending: 'This month is on its way …',
      missing: 'What is over is not kept on this device: it needs the hub, which cannot be reached.',
      end: 'The page turns back two years, as far as the calendars still have them.',
    },
  },

  de: {
    event: {
      back: 'Programm',
      detail: { when: 'Wann', where: 'Wo', link: 'Mehr', calendar: 'Kalender' },
      addToCalendar: 'In den Kalender',
      share: 'Teilen',
      copied: 'Die Adresse ist kopiert.',
      needsNetwork: 'Dafür muss der Server erreichbar sein.',
      notFound: 'Dieser Termin steht nicht mehr im Programm.',
      map: 'Auf der Karte zeigen',
      whereYouAre: (when) => `Bei dir: ${when}`,
      opensNewTab: '(öffnet einen neuen Tab)',
    },
    facts: {
      title: 'Programm',
      asOf: (when) => `Stand ${when}`,
      calendarNumber: (number) => `Nummer ${number}`,
      copyAsOf: (when) => `Kopie auf diesem Gerät: Stand ${when}`,
      problem: ({ name, since, problem, copy }) =>
        `Der Kalender „${name}“ ist${since ? ` seit ${since}` : ''} nicht zu bekommen${problem ? `: ${problem}` : ''}; `
        + (copy ? `gezeigt wird die Kopie von ${copy}.` : 'es gibt noch keine Kopie.'),
    },
    favourites: {
      empty: 'Noch nichts gemerkt. Das Herz neben einem Termin hebt ihn hier auf.',
      over: 'Alles Gemerkte ist vorbei.',
      onDevice: 'Was du dir merkst, bleibt auf diesem Gerät.',
      fleeting: 'Dieser Browser behält nichts, oder das Gerät ist voll: Was du dir merkst, bleibt nur, bis du die '
        + 'Seite schließt.',
      signIn: 'Anmelden, um es auf allen deinen Geräten zu haben',
      unsent: (count) => (count === 1 ? 'Eine Änderung wartet auf den Server.'
        : `${count} Änderungen warten auf den Server.`),
      remind: 'Erinnere mich',
      wholeDays: 'An ganztägige Termine wirst du um neun Uhr morgens erinnert.',
      before: (minutes) => {
        if (minutes === null) return 'nie';
        if (minutes === 0) return 'wenn es beginnt';
        if (minutes % 1440 === 0) return minutes === 1440 ? 'einen Tag vorher' : `${minutes / 1440} Tage vorher`;
        if (minutes % 60 === 0) return minutes === 60 ? 'eine Stunde vorher' : `${minutes / 60} Stunden vorher`;
        return minutes === 1 ? 'eine Minute vorher' : `${minutes} Minuten vorher`;
      },
      notSaved: (reason) => `Nicht gespeichert: ${reason}`,
      gone: 'Nicht mehr im Programm',
      remove: (title) => `${title} entfernen`,
      removeWord: 'Entfernen',
      noticed: 'Gesehen',
      whatChanged: 'Geändert, seit du es dir gemerkt hast',
      leftTitle: 'Du bist abgemeldet.',
      left: (count) => (count === 1 ? 'Ein Termin, den du dir gemerkt hast, ist noch auf diesem Gerät.'
        : `${count} Termine, die du dir gemerkt hast, sind noch auf diesem Gerät.`),
      leftUnsent: (count) => (count === 1 ? 'Eine Änderung hat den Server noch nicht erreicht.'
        : `${count} Änderungen haben den Server noch nicht erreicht.`),
      stay: 'Hier behalten',
      go: 'Entfernen',
    },
    changed: {
      cancelled: 'fällt inzwischen aus',
      notCancelled: 'findet doch statt',
      time: (now, was) => `jetzt ${now}, vorher ${was}`,
      end: (now, was) => `jetzt bis ${now}, vorher bis ${was}`,
      until: (now) => `jetzt bis ${now}`,
      endless: 'das Ende steht nicht mehr dabei',
      place: (now, was) => `Ort: jetzt ${now || 'keiner'}, vorher ${was || 'keiner'}`,
      title: (was) => `hieß „${was}“`,
    },
    month: {
      before: 'Voriger Monat',
      after: 'Nächster Monat',
      today: 'Heute',
      nothing: 'An diesem Tag ist nichts los.',
      count: (count) => (count === 0 ? 'keine Termine' : count === 1 ? '1 Termin' : `${count} Termine`),
      more: (count) => `+${count}`,
      pending: 'Dieser Monat kommt gleich …',
      missing: 'Was vorbei ist, liegt nicht auf diesem Gerät: Es braucht den Server, und der ist nicht erreichbar.',
      end: 'Zurück geht es zwei Jahre, soweit die Kalender sie noch haben.',
    },
  },
};

export const viewWords = dictionary[language];
