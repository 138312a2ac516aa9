// The room's data for the shell. bin/pack-web takes each export by itself: `room` goes into /rooms.js, which every page
// has; the words into /rooms-words.js, which is loaded when needed; `guide` into the style guide.

export const room = {
  id: 'programme',
  order: 20,
  items: '/programme/',
  settings: '/settings/programme',
  channel: 'space',
  icon: 'M5 5h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 10h18M8 2.5V6M16 2.5V6M7.5 14h3'
    + 'M7.5 17.5h6',
  en: {
    name: 'Programme', short: 'Programme', setting: 'calendars',
    about: 'What is on, tonight and in the coming weeks.',
    choice: 'A programme', offer: 'Your calendars, read every few minutes, with favourites',
  },
  de: {
    name: 'Programm', short: 'Programm', setting: 'Kalender',
    about: 'Was los ist, heute Abend und in den nächsten Wochen.',
    choice: 'Ein Programm', offer: 'Eure Kalender, alle paar Minuten gelesen, mit Merkliste',
  },
};

// Its parts of pages, composed by the packer (bin/packing/rooms.py).
export const parts = {
  first: '/programme/part.js',
  main: '/programme/programme.js',
  later: '/programme/views.js',
  last: '/programme/beside.js',
  style: '/programme/programme.css',
  lastStyle: '/programme/subscribe.css',
  course: [
    'space-event', 'space-favourites-question', 'space-programme-tools', 'space-programme', 'space-month',
    'space-subscribe',
  ],
  screen: '/programme/on-screen.js',
  screenStyle: '/programme/on-screen.css',
  tells: '/programme/state.js',
  checklist: '/programme/checklist.js',
  settings: '/programme/settings/calendars.js',
  settingsStyle: '/programme/settings/calendars.css',
  search: '/programme/searching.js',
};

// The audit's actions.
export const audit = {
  en: {
    'calendar.uploaded': (who, name) => `${who} uploaded a calendar: ${name}`,
    'calendar.removed': (who, name) => `${who} removed a calendar: ${name}`,
    'favourites.subscribed': (who) => `${who} made an address for their favourites`,
    'favourites.unsubscribed': (who) => `${who} ended the address of their favourites`,
    'opener.wanted': (who, event) => `${who} asked for somebody to open: ${event}`,
    'opener.unwanted': (who, event) => `${who} asks for nobody to open any more: ${event}`,
    'opener.volunteered': (who, event) => `${who} opens: ${event}`,
    'opener.withdrew': (who, event) => `${who} does not open after all: ${event}`,
  },
  de: {
    'calendar.uploaded': (who, name) => `${who} hat einen Kalender hochgeladen: ${name}`,
    'calendar.removed': (who, name) => `${who} hat einen Kalender entfernt: ${name}`,
    'favourites.subscribed': (who) => `${who} hat eine Adresse für die eigene Merkliste angelegt`,
    'favourites.unsubscribed': (who) => `${who} hat die Adresse der eigenen Merkliste beendet`,
    'opener.wanted': (who, event) => `${who} sucht jemanden, der aufschließt: ${event}`,
    'opener.unwanted': (who, event) => `${who} sucht niemanden mehr, der aufschließt: ${event}`,
    'opener.volunteered': (who, event) => `${who} schließt auf: ${event}`,
    'opener.withdrew': (who, event) => `${who} schließt doch nicht auf: ${event}`,
  },
};

// The rights of roles, after "Keykeeper: …".
export const duties = {
  en: { keykeeper: ['opens for events'] },
  de: { keykeeper: ['schließt für Termine auf'] },
};

// The kinds of things that end with a lost device, as `belongings` of the plan name them.
export const belongings = {
  en: { favourites: 'the secret address of your favourites’ calendar' },
  de: { favourites: 'die geheime Adresse für das, was du dir gemerkt hast' },
};

// The data removed with a person.
export const removed = {
  en: ['favourites', 'promises to open'],
  de: ['gemerkte Termine', 'Zusagen aufzuschließen'],
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40403: ['Diesen Termin gibt es nicht mehr.', ''],
    40461: ['Auf diesem Server gibt es keine Alben.', 'Die Leitung kann sie einschalten.'],
    40460: ['Diesen Kalender gibt es nicht.', ''],
    40960: ['Mehr Dateien gehen nicht.', 'Entferne erst eine, die nicht mehr gebraucht wird.'],
    40961: ['Mehr Termine kannst du dir nicht merken.', 'Entferne erst welche.'],
    40962: ['Für so viele Termine lässt sich das nicht festhalten.', ''],
    40963: ['Der Termin ist vorbei oder findet nicht statt.', ''],
    41560: ['Die Datei ist nicht zu gebrauchen.', 'Was vorher da war, bleibt.'],
    50360: ['Der Kalender ist zu groß zum Abonnieren.', 'Abonniere einzelne Kalender.'],
  },
};

// The German texts of reasons, by their codes.
export const reasons = {
  // Files on the hub's machine
  'not-uploaded': 'Dafür wurde noch keine Datei hochgeladen',
  'no-file-here': 'Die Adresse nennt keine Datei auf diesem Rechner',
  'file-outside': 'Die Datei liegt weder im Datenordner noch in einem Ordner von calendar_folders',
  'no-regular-file': 'Das ist keine gewöhnliche Datei',
  'file-too-large': 'Die Datei hat {bytes} Bytes; bis zu {limit} gehen',
  'file-missing': 'Die Datei gibt es nicht',
  'file-forbidden': 'Der Benutzer, unter dem der Server läuft, darf die Datei nicht lesen',
  'file-hidden': 'Die Datei ist nicht zu lesen: Der Dienst sieht nichts unterhalb von /home (ProtectHome)',
  'file-unreadable': 'Die Datei ist nicht zu lesen: {words}',
  // Google
  'google-late': 'Nach {seconds} s war noch nicht alles da',
  'google-too-large': 'Die Teile sind zusammen größer als {megabytes} MB',
  'google-circle': 'Die Seiten verweisen im Kreis aufeinander',
  'google-too-many-pages': 'Es sind mehr als {limit} Seiten',
  'google-too-old': 'Der letzte Stand ist zu alt, um von ihm aus weiterzumachen',
  'google-too-often': 'Google möchte seltener gefragt werden',
  'google-unknown-key': 'Google kennt den Schlüssel nicht',
  'google-forbidden': 'Mit diesem Schlüssel lässt Google ihn nicht lesen',
  'google-no-calendar': 'Google hat keinen öffentlichen Kalender mit dieser ID',
  'caldav-no-calendar': 'Dort ist kein Kalender, den CalDAV liest',
  'caldav-no-sync': 'Der Server sagt nicht, was sich geändert hat (RFC 6578)',
  'caldav-incomplete': 'Der Server hat nicht alle Termine geschickt, die er nennt',
  'caldav-denied': 'Der Server nimmt Benutzer und Passwort nicht an',
  'caldav-no-basic': 'Der Server will das Passwort per {scheme}, hier geht es nur per Basic hinaus: Stelle dort Basic '
    + 'ein',
  'caldav-plain': 'Ein Passwort geht nur per https: hinaus, oder per http: an eine Adresse in reachable_networks',
  'caldav-unusable': 'Die Adresse kann keine eines Kalenders bei einem CalDAV-Server sein',
  'google-redirect': 'Der Server leitet an eine andere Adresse weiter',
  'google-status': '{reason} (Status {status})',
  'google-said': '{reason} (Status {status}: {words})',
  'google-no-list': 'Die Antwort ist keine Liste von Terminen, wie events.list der Google-Calendar-API sie gibt',
  'google-too-many-events': 'Er hat mehr als {limit} Termine',
  // Calendars
  'calendar-empty': 'Der Kalender ist leer. Es braucht eine iCalendar-Datei (sie beginnt mit BEGIN:VCALENDAR)',
  'calendar-emptied': 'Er kam ohne einen einzigen Termin; die bisherigen bleiben, bis er beim nächsten Mal wieder '
    + 'leer ist',
  'calendar-other': 'Das ist kein Kalender, sondern etwas anderes. Es braucht eine iCalendar-Datei in UTF-8 (sie '
    + 'beginnt mit BEGIN:VCALENDAR)',
  'calendar-cut-off': 'Der Kalender bricht ab: Was in Zeile {line} beginnt ({component}), hat kein Ende',
  'calendar-too-large': 'Der Kalender hat {bytes} Bytes; bis zu {limit} gehen',
  'calendar-too-many-events': 'Der Kalender hat mehr als {limit} Termine (bis Zeile {line})',
  // Parts left out of a calendar
  'event-left-out': '„{title}“ (UID {uid}, Zeile {line}) wurde weggelassen: {reason}',
  'event-problem': '„{title}“ (UID {uid}, Zeile {line}): {reason}',
  'file-left-out': 'Die Datei „{file}“ wurde weggelassen. {reason}',
  'file-refused': 'Die Datei „{file}“ gibt der Server nicht heraus (403). Was zuletzt von ihr bekannt war, bleibt',
  'line-left-out': 'Zeile {line} wurde weggelassen: Sie ist keine Eigenschaft',
  'charset-guessed': 'Der Kalender ist nicht in UTF-8; gelesen wird er als Windows-1252',
  'component-open': 'Zeile {line} beendet {component}, während darin {inner} noch offen ist',
  'component-unended': 'In Zeile {line} beginnt ein Termin, während {component} noch offen ist; das gilt dort als '
    + 'beendet',
  'one-private': '1 Termin ist als privat gekennzeichnet und wird nicht gezeigt',
  'some-private': '{count} Termine sind als privat gekennzeichnet und werden nicht gezeigt',
  'more-warnings': 'Weitere Hinweise zu diesem Kalender, die hier nicht stehen: {count}',
  'series-cut-short': '„{title}“ (UID {uid}) wiederholt sich zu oft: Es stehen nicht alle Termine da, höchstens '
    + '{limit} von einer Reihe',
  'answer-full': 'Der Kalender „{calendar}“ wurde nicht zu Ende gelesen: Es sind mehr Termine, als eine Antwort fasst',
  // One event
  'unreadable-property': '{name} ist „{value}“ und nicht zu lesen',
  'left-out-from-there': '{reason}; das wird von da an weggelassen',
  'too-many-properties': 'er hat zu viele Eigenschaften, die übrigen fehlen',
  'no-start': 'DTSTART fehlt',
  'no-value': '{name} hat keinen Wert',
  'no-time': '{name} ist „{value}“, und das ist weder Datum noch Zeit der Jahre {first} bis {last}',
  'too-many-dates': 'er hat mehr als {limit} Werte in RDATE und EXDATE',
  'rule-left-out': '{reason}; die Regel wird weggelassen',
  'dates-left-out': '{reason}; Termine fehlen darum',
  'exceptions-left-out': '{reason}; Ausnahmen fehlen darum',
  'length-left-out': '{reason}; die Dauer fehlt darum',
  'duration-too-long': 'DURATION ist länger als {days} Tage',
  // Its rule
  'rule-too-long': 'die Regel „{rule}“ ist zu lang; bis zu {limit} Bytes gehen',
  'rule-unreadable': 'die Regel „{rule}“ ist nicht zu lesen',
  'rule-too-often': 'die Regel „{rule}“ wiederholt zu oft; bei ganzen Tagen geht höchstens täglich',
  'rule-not-yearly': 'in der Regel „{rule}“ gehen BYWEEKNO und BYYEARDAY nicht, nur in solchen, die jährlich, '
    + 'stündlich oder öfter wiederholen',
  'rule-weekly': 'die Regel „{rule}“ ist wöchentlich, und mit BYMONTHDAY geht das nicht',
  'rule-scale': 'die Regel „{rule}“ braucht RSCALE=GREGORIAN und SKIP=OMIT, oder keines von beiden',
  'rule-number': 'in der Regel „{rule}“ ist eine Zahl zu groß',
  'rule-number-limit': 'in der Regel „{rule}“ ist {name} zu groß; bis zu {limit} geht',
  'rule-weekdays': 'in der Regel „{rule}“ gehen neben BYYEARDAY nur Wochentage ohne Zahl',
  'rule-times': 'die Regel „{rule}“ zählt {count} Zeiten auf; bis zu {limit} gehen an einem Tag',
  'rule-never': 'die Regel „{rule}“ trifft auf keinen Tag zu',
  // Its zone
  'zone-unknown': 'die Zeitzone „{zone}“ ist nicht bekannt; es gehen IANA-Namen wie Europe/Berlin, Abstände '
    + 'wie UTC+02:00, und was der Kalender selbst in VTIMEZONE beschreibt',
  'zone-replaced': '{reason}; gelesen wird die Zeit als eine von {zone}',
  'zone-empty': 'VTIMEZONE „{zone}“ hat weder STANDARD noch DAYLIGHT',
  'zone-incomplete': 'in VTIMEZONE „{zone}“ fehlt DTSTART, TZOFFSETFROM oder TZOFFSETTO',
  'zone-restless': 'VTIMEZONE „{zone}“ wechselt zu oft',
  'zone-problem': 'VTIMEZONE „{zone}“ {reason}',
  'zone-part-unreadable': 'hat {name} „{value}“, und das ist nicht zu lesen',
  'zone-part-date': 'hat ein RDATE, das nicht zu lesen ist',
  'zone-part-rule': 'hat eine Regel, die nicht geht: {reason}',
  // Fields of forms
  'calendars-too-many': 'Es sind {count} Kalender; höchstens {limit} gehen.',
  'calendar-twice': 'Diesen Kalender gibt es in der Liste schon.',
  'calendar-address': 'Es braucht eine Adresse, die mit https://, http:// oder file: beginnt.',
  'calendar-folder': 'Diese Datei darf der Server nicht lesen, nur welche im Datenordner (file:NAME.ics) und in den '
    + 'Ordnern von calendar_folders.',
  'no-daily-time': '{seen} ist keine Uhrzeit; es geht eine wie 16:00, oder off für nie.',
  'google-word': 'Hier gehen höchstens {limit} Buchstaben, Ziffern und Zeichen, ohne Leerzeichen.',
};

export const guide = {
  'space-programme-tools': 'List, month or favourites; search, calendars, a date.',
  'space-programme': 'Tonight, then the weeks ahead.',
  'space-favourites': 'What has changed in one’s favourites, and where they are kept.',
  'space-favourites-question': 'Asks whose this device’s favourites are when somebody signs in.',
  'space-month': 'A month at a glance, and the events of one day.',
  'space-event': 'One event, by its address.',
  'space-subscribe': 'Addresses for one’s own calendar.',
};
