// The room's data for the shell.

export const room = {
  id: 'bells',
  order: 30,
  items: '/bells/',
  settings: '/bells',
  icon: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2.5h-15zM10 21.5h4M12 5V3',
  en: {
    name: 'Bells', short: 'Bells', setting: 'topics, devices, quiet hours',
    about: 'What has rung, and what rings whom.',
    choice: 'Bells', offer: 'Rings every device, and says why one did not ring',
  },
  de: {
    name: 'Glocken', short: 'Glocken', setting: 'Themen, Geräte, Ruhezeiten',
    about: 'Was geläutet hat, und was wen läutet.',
    choice: 'Glocken', offer: 'Läutet bei jedem Gerät, und sagt, warum eines nicht geläutet hat',
  },
};

// Its parts of pages, composed by the packer (bin/packing/rooms.py), and of the service worker.
export const parts = {
  last: '/bells/stranger.js',
  lastStyle: '/bells/stranger.css',
  course: ['bells-stranger'],
  tells: '/bells/state.js',
  worker: '/bells/worker.js',
};

// The audit's actions.
export const audit = {
  en: {
    'bell.sent': (who, to) => `${who} sent a notification: ${to}`,
    'bell.changed': (who) => `${who} changed a notification`,
    'bell.withdrawn': (who) => `${who} took a notification back`,
    'bell.device-made': (who, name) => `${who} added a device that can be rung: ${name}`,
    'bell.device-removed': (who, name) => `${who} removed a device that could be rung: ${name}`,
    'bell.topic-made': (who, name) => `${who} made a topic: ${name}`,
    'bell.topic-removed': (who, name) => `${who} removed a topic: ${name}`,
  },
  de: {
    'bell.sent': (who, to) => `${who} hat eine Mitteilung geschickt: ${to}`,
    'bell.changed': (who) => `${who} hat eine Mitteilung geändert`,
    'bell.withdrawn': (who) => `${who} hat eine Mitteilung zurückgenommen`,
    'bell.device-made': (who, name) => `${who} hat ein Gerät zum Läuten dazugenommen: ${name}`,
    'bell.device-removed': (who, name) => `${who} hat ein Gerät zum Läuten entfernt: ${name}`,
    'bell.topic-made': (who, name) => `${who} hat ein Thema angelegt: ${name}`,
    'bell.topic-removed': (who, name) => `${who} hat ein Thema entfernt: ${name}`,
  },
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40310: ['An dieses Thema darfst du nichts schicken.', 'Die Leitung kann es erlauben.'],
    40410: ['Diese Mitteilung gibt es nicht.', ''],
    40411: ['Dieses Thema gibt es nicht.', ''],
    40412: ['Dieses Gerät gibt es nicht.', ''],
    40910: ['Mehr Geräte gehen nicht.', 'Entferne erst eines.'],
    40912: ['Diese Mitteilung ist vorbei.', 'Sie wurde beantwortet, zurückgenommen, oder ihre Zeit ist um.'],
    40911: ['Mehr Themen gehen nicht.', 'Entferne erst eines.'],
    40912: ['Diese Mitteilung ist erledigt.', 'Jemand hat geantwortet, sie wurde zurückgenommen, oder ihre Zeit ist um.'],
  },
};

// The German texts of reasons, by their codes: the room has none of its own yet.
export const reasons = {
};
