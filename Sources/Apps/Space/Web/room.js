// The room's data for the shell. bin/pack-web takes each export by itself: `room` goes into /rooms.js, which every page
// has; the words into /rooms-words.js, which is loaded when needed; `guide` into the style guide.

export const room = {
  id: 'space',
  order: 10,
  settings: '/settings/space',
  channel: 'space',
  icon: 'M5 21V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16M3 21h18M12 6.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM15.5 16v1.5',
  en: {
    name: 'Space', short: 'Space', setting: 'looks, contact, hours',
    about: 'Is the space open? And what is on tonight?',
    choice: 'A door', offer: 'A sign that says open or closed, and who opens next',
  },
  de: {
    name: 'Space', short: 'Space', setting: 'Aussehen, Kontakt, Zeiten',
    about: 'Ist der Space offen? Und was ist heute Abend los?',
    choice: 'Eine Tür', offer: 'Ein Schild, das offen oder geschlossen sagt, und wer als Nächstes aufschließt',
  },
};

// Its parts of pages, composed by the packer (bin/packing/rooms.py).
export const parts = {
  first: '/space/part.js',
  later: '/space/views.js',
  last: '/space/beside.js',
  style: '/space/space.css',
  lastStyle: '/space/sign-page.css',
  checklist: '/space/checklist.js',
  settings: '/space/settings/sections.js',
  settingsStyle: '/space/settings/sections.css',
  asks: ['/api/v1/space/state', '/api/v1/space'],
  screen: '/space/on-screen.js',
  screenStyle: '/space/on-screen.css',
  watch: ['space-sign', 'space-line', 'space-announcer.visually-hidden'],
};

// The audit's actions.
export const audit = {
  en: {
    'sign.turned': (who, state) => `${who} turned the sign: ${state}`,
    'sign.renewed': (who, state) => `${who} set the sign anew: ${state}`,
    'sign.undone': (who, state) => `${who} took a turn of the sign back: ${state}`,
    'settings.changed': (who) => `${who} changed the settings`,
    'picture.saved': (who, name) => `${who} changed a picture: ${name}`,
    'picture.removed': (who, name) => `${who} removed a picture: ${name}`,
    'followed.added': (who, url) => `${who} follows another space: ${url}`,
    'followed.changed': (who) => `${who} changed which spaces are followed`,
    'followed.removed': (who) => `${who} follows one space less`,
  },
  de: {
    'sign.turned': (who, state) => `${who} hat das Schild gedreht: ${state}`,
    'sign.renewed': (who, state) => `${who} hat das Schild neu gesetzt: ${state}`,
    'sign.undone': (who, state) => `${who} hat ein Drehen des Schilds zurückgenommen: ${state}`,
    'settings.changed': (who) => `${who} hat die Einstellungen geändert`,
    'picture.saved': (who, name) => `${who} hat ein Bild geändert: ${name}`,
    'picture.removed': (who, name) => `${who} hat ein Bild entfernt: ${name}`,
    'followed.added': (who, url) => `${who} folgt einem anderen Space: ${url}`,
    'followed.changed': (who) => `${who} hat geändert, welchen Spaces gefolgt wird`,
    'followed.removed': (who) => `${who} folgt einem Space weniger`,
  },
};

// The audit's words for the sign's states.
export const states = {
  en: { open: 'open', closed: 'closed', unknown: 'unknown' },
  de: { open: 'offen', closed: 'geschlossen', unknown: 'unbekannt' },
};

// The rights of roles, after "Keykeeper: …".
export const duties = {
  en: { keykeeper: ['turns the sign'], sensor: ['reports the door and the sensors'] },
  de: { keykeeper: ['dreht das Schild'], sensor: ['meldet die Tür und die Sensoren'] },
};

// The data removed with a person.
export const removed = {
  en: ['list of other spaces'],
  de: ['Liste anderer Spaces'],
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40404: ['Dieses Bild gibt es nicht.', ''],
    40445: ['Das Schild wurde so nicht gedreht.', ''],
    40446: ['Von der Tür hat sich noch kein Kontakt gemeldet.', ''],
    40447: ['Diese Art von Sensor gibt es nicht.', ''],
    40448: ['Diesem Space wird nicht gefolgt.', ''],
    40945: ['Inzwischen wurde das Schild gedreht.', ''],
    40946: ['Das lässt sich nicht mehr zurücknehmen.', 'Drehe das Schild stattdessen.'],
    40947: ['Mehr Sensoren gehen nicht.', 'Entferne erst einen, der nichts mehr meldet.'],
    40948: ['Mehr Spaces gehen nicht.', 'Entferne erst einen anderen.'],
    41501: ['Das ist kein Bild, das Browser zeigen.', 'PNG, JPEG, GIF, WebP und SVG gehen.'],
    41502: ['Das Bild ist nicht in Ordnung.', 'Schicke es noch einmal, ganz.'],
  },
};

// The German texts of reasons, by their codes.
export const reasons = {
  // Other spaces
  'no-json-object': 'Dort liegt kein JSON-Objekt',
  'no-spaceapi': 'Dort liegt kein SpaceAPI-Dokument: „space“ fehlt',
  // Pictures
  'picture-cut-off': 'Das Bild bricht ab.',
  'picture-empty': 'Das Bild hat keine Bildpunkte.',
  'picture-broken': 'Das Bild ist innen beschädigt.',
  'picture-headless': 'Dem Bild fehlt der Kopf.',
  'picture-segment': 'Dem Bild fehlt die Länge eines Abschnitts.',
  'picture-too-large': 'Das Bild hat {width} × {height} Bildpunkte; bis zu {millions} Millionen gehen, und {side} auf '
    + 'einer Seite.',
  // Fields of forms
  'field-no-pair': 'Es braucht beide Zahlen oder keine.',
  'field-unreachable': 'Mindestens ein Weg ist nötig: IRC, Telefon, E-Mail oder Twitter.',
  'field-no-mail': '„{seen}“ ist keine E-Mail-Adresse. So sieht eine aus: hallo@space.example.',
  'field-no-people': 'Hier geht eine Liste von 1 bis {limit} Leuten.',
  'followed-address': 'Es braucht die Adresse einer spaceapi.json, die mit https:// oder http:// beginnt.',
};

export const guide = {
  'space-sign': 'The sign, as large as the page allows, with what is known of it.',
  'space-line': 'Whether the page is live, and since when not.',
  'space-announcer': 'Tells a screen reader when the sign turns.',
  'space-switch': 'The keykeeper’s switch, with undo, message and time.',
  'space-first-steps': 'How to go on while the hub does not know its space.',
  'space-hours': 'When the space is usually open: a week by hours, and in words.',
  'space-sensors': 'What the sensors say, each with its age.',
  'space-followed': 'The signs of other spaces.',
  'space-follow': 'Where those who are signed in follow one more.',
  'space-about': 'Where the space is, how to reach it, and what is wrong with its calendars.',
};
