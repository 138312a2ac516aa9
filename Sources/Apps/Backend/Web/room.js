// The room's data for the shell.

export const room = {
  id: 'apps',
  order: 90,
  items: '/apps/',
  settings: '/apps',
  right: 'apps.manage',
  icon: 'M9 3v5M15 3v5M6 8h12v3.5a6 6 0 0 1-12 0zM12 17.5V21',
  en: {
    name: 'Apps', short: 'Apps', setting: 'keys, quotas, webhooks',
    about: 'What an app needs behind it: channels, objects, keys.',
    choice: 'For your own apps', offer: 'Channels as Pusher and objects as Parse has them, on your own machine',
  },
  de: {
    name: 'Apps', short: 'Apps', setting: 'Schlüssel, Grenzen, Webhooks',
    about: 'Was eine App im Rücken braucht: Kanäle, Objekte, Schlüssel.',
    choice: 'Für eigene Apps', offer: 'Kanäle wie bei Pusher und Objekte wie bei Parse, auf dem eigenen Rechner',
  },
};

// The audit's actions.
export const audit = {
  en: {
    'apps.made': (who, name) => `${who} made the app ${name}`,
    'apps.changed': (who, name) => `${who} changed the app ${name}`,
    'apps.rotated': (who, name) => `${who} made a new secret for ${name}; the old one goes on for a day`,
    'apps.rotated-now': (who, name) => `${who} made a new secret for ${name}, and ended the old ones`,
    'apps.removed': (who, name) => `${who} deleted the app ${name}`,
  },
  de: {
    'apps.made': (who, name) => `${who} hat die App ${name} angelegt`,
    'apps.changed': (who, name) => `${who} hat die App ${name} geändert`,
    'apps.rotated': (who, name) => `${who} hat ${name} ein neues Geheimnis gegeben; das alte gilt noch einen Tag`,
    'apps.rotated-now': (who, name) => `${who} hat ${name} ein neues Geheimnis gegeben und die alten beendet`,
    'apps.removed': (who, name) => `${who} hat die App ${name} gelöscht`,
  },
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40060: ['So lässt sich das Ereignis nicht senden.', 'Ein Kanal heißt etwa „lobby“.'],
    40061: ['Diese Angabe gibt es hier nicht.', ''],
    40160: ['Die Signatur der Anfrage passt nicht.', ''],
    40360: ['Die App ist ausgeschaltet.', ''],
    40361: ['Die Tagesgrenze der App ist erreicht.', ''],
    40464: ['Diese App gibt es nicht.', ''],
    41360: ['Das Ereignis ist zu groß.', 'Bis 10 KB gehen.'],
    40480: ['Diese App gibt es nicht mehr.', ''],
    40980: ['Mehr Apps gehen nicht.', 'Lösche erst eine, die niemand mehr braucht.'],
    40981: ['Diese App hat schon vier gültige Geheimnisse.', 'Beende erst die alten.'],
    40080: ['So geht das mit diesen Objekten nicht.', ''],
    40380: ['Diese App oder ihr Schlüssel gilt hier nicht.', ''],
    40481: ['Dieses Objekt gibt es nicht mehr.', ''],
    50080: ['Das ging auf dem Server schief.', ''],
    40982: ['Die App ist ausgeschaltet, oder ihre Tagesgrenze ist erreicht.', ''],
  },
};
