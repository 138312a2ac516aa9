// The room's data for the shell.

export const room = {
  id: 'bells',
  order: 30,
  // Beside another room it is not proposed as the one that is seen first.
  isAside: true,
  items: '/bells/',
  settings: '/bells',
  icon: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2.5h-15zM10 21.5h4M12 5V3',
  en: {
    name: 'Bells', short: 'Bells', setting: 'topics, devices, quiet hours',
    about: 'What has rung, and what rings for whom.',
    choice: 'Bells', offer: 'Rings every device, and says why one did not ring',
  },
  de: {
    name: 'Glocken', short: 'Glocken', setting: 'Themen, Geräte, Ruhezeiten',
    about: 'Was geläutet hat und was bei wem läutet.',
    choice: 'Glocken', offer: 'Läutet auf jedem Gerät und sagt, warum eines nicht geläutet hat',
  },
};

// Its parts of pages, composed by the packer (bin/packing/rooms.py), and of the service worker.
export const parts = {
  last: '/bells/stranger.js',
  lastStyle: '/bells/stranger.css',
  strangers: ['bells-stranger'],
  tells: '/bells/state.js',
  rings: '/bells/rings.js',
  worker: '/bells/worker.js',
  extension: '/bells/media.js',
  categories: ['*'],
  search: '/bells/searching.js',
};

// The audit's actions.
export const audit = {
  en: {
    'bell.sent': (who, to) => `${who} sent a notification: ${to}`,
    'bell.changed': (who) => `${who} changed a notification`,
    'bell.withdrawn': (who) => `${who} took a notification back`,
    'bell.drilled': (who, what) => `${who} tried who would hear it: ${what}`,
    'bell.device-made': (who, name) => `${who} added a device that can be rung: ${name}`,
    'bell.provider-made': (who, name) => `${who} added a provider that may send: ${name}`,
    'bell.provider-removed': (who, name) => `${who} removed a provider: ${name}`,
    'bell.apple-added': (who, name) => `${who} added a key from Apple: ${name}`,
    'bell.apple-removed': (who, name) => `${who} removed a key from Apple: ${name}`,
    'bell.device-apple': (who, name) => `${who} has a device rung by Apple: ${name}`,
    'bell.device-apple-ended': (who, name) => `${who} no longer has a device rung by Apple: ${name}`,
    'bell.device-secret': (who, name) => `${who} gave a device another secret: ${name}`,
    'bell.device-topics': (who, name) => `${who} changed the topics of a device: ${name}`,
    'bell.device-removed': (who, name) => `${who} removed a device that could be rung: ${name}`,
    'bell.topic-made': (who, name) => `${who} made a topic: ${name}`,
    'bell.topic-removed': (who, name) => `${who} removed a topic: ${name}`,
    'bell.webhook-made': (who, name) => `${who} made a webhook: ${name}`,
    'bell.webhook-removed': (who, name) => `${who} removed a webhook: ${name}`,
    'bell.key-revoked': (who, id) => `${who} revoked a key of private messages: ${id}`,
    'bell.hook-made': (who, name) => `${who} made a hook for another program: ${name}`,
    'bell.hook-removed': (who, name) => `${who} removed a hook for another program: ${name}`,
    'bell.view-made': (who, name) => `${who} registered a view of notifications: ${name}`,
    'bell.view-removed': (who, name) => `${who} removed a view of notifications: ${name}`,
  },
  de: {
    'bell.sent': (who, to) => `${who} hat eine Mitteilung geschickt: ${to}`,
    'bell.changed': (who) => `${who} hat eine Mitteilung geändert`,
    'bell.withdrawn': (who) => `${who} hat eine Mitteilung zurückgenommen`,
    'bell.drilled': (who, what) => `${who} hat geprobt, wer es hören würde: ${what}`,
    'bell.device-made': (who, name) => `${who} hat ein Gerät zum Läuten hinzugefügt: ${name}`,
    'bell.provider-made': (who, name) => `${who} hat einen Sender (Provider) hinzugefügt: ${name}`,
    'bell.provider-removed': (who, name) => `${who} hat einen Sender (Provider) entfernt: ${name}`,
    'bell.apple-added': (who, name) => `${who} hat einen Schlüssel von Apple hinzugefügt: ${name}`,
    'bell.apple-removed': (who, name) => `${who} hat einen Schlüssel von Apple entfernt: ${name}`,
    'bell.device-apple': (who, name) => `${who} lässt ein Gerät über Apple läuten: ${name}`,
    'bell.device-apple-ended': (who, name) => `${who} lässt ein Gerät nicht mehr über Apple läuten: ${name}`,
    'bell.device-secret': (who, name) => `${who} hat einem Gerät ein neues Geheimnis gegeben: ${name}`,
    'bell.device-topics': (who, name) => `${who} hat die Themen eines Geräts geändert: ${name}`,
    'bell.device-removed': (who, name) => `${who} hat ein Gerät zum Läuten entfernt: ${name}`,
    'bell.topic-made': (who, name) => `${who} hat ein Thema angelegt: ${name}`,
    'bell.topic-removed': (who, name) => `${who} hat ein Thema entfernt: ${name}`,
    'bell.webhook-made': (who, name) => `${who} hat einen Webhook angelegt: ${name}`,
    'bell.webhook-removed': (who, name) => `${who} hat einen Webhook entfernt: ${name}`,
    'bell.key-revoked': (who, id) => `${who} hat einen Schlüssel privater Mitteilungen widerrufen: ${id}`,
    'bell.hook-made': (who, name) => `${who} hat eine Adresse für ein anderes Programm angelegt: ${name}`,
    'bell.hook-removed': (who, name) => `${who} hat die Adresse für ein anderes Programm entfernt: ${name}`,
    'bell.view-made': (who, name) => `${who} hat eine Ansicht für Mitteilungen angemeldet: ${name}`,
    'bell.view-removed': (who, name) => `${who} hat eine Ansicht für Mitteilungen entfernt: ${name}`,
  },
};

// The kinds of things that end with a lost device, as `belongings` of the plan name them.
export const belongings = {
  en: { agents: 'agents that ring', webhooks: 'webhooks', hooks: 'hooks for other programs' },
  de: { agents: 'Agenten, die läuten', webhooks: 'Webhooks', hooks: 'Adressen für andere Programme' },
};

// The data removed with a person.
export const removed = {
  en: ['agents', 'e-mail address', 'notifications', 'planned notifications'],
  de: ['Agenten', 'E-Mail-Adresse', 'Mitteilungen', 'geplante Mitteilungen'],
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40310: ['An dieses Thema darfst du nichts schicken.', 'Die Leitung kann es erlauben.'],
    40410: ['Diese Mitteilung gibt es nicht.', ''],
    40411: ['Dieses Thema gibt es nicht.', ''],
    40412: ['Dieses Gerät gibt es nicht.', ''],
    40413: ['Dieser Raum läutet nicht.', ''],
    40416: ['Diesen Webhook gibt es nicht.', ''],
    40417: ['Diese Adresse gibt es nicht.', 'Vielleicht wurde sie entfernt.'],
    40418: ['Diese Ansicht gibt es nicht.', ''],
    40918: ['Für diese Kategorie gibt es schon eine Ansicht.', 'Entferne erst diese, oder nimm eine andere Kategorie.'],
    40910: ['Mehr Geräte gehen nicht.', 'Entferne erst eines.'],
    40912: ['Diese Mitteilung ist vorbei.', 'Sie wurde beantwortet oder zurückgenommen, oder ihre Zeit ist um.'],
    40911: ['Mehr Themen gehen nicht.', 'Entferne erst eines.'],
    40913: ['Mehr Mitteilungen lassen sich nicht planen.', 'Sag erst andere ab.'],
    40419: ['Diesen Anhang gibt es nicht.', 'Er bleibt so lange wie die Mitteilungen, zu denen er gehört.'],
    40919: ['Für mehr Anhänge ist kein Platz.', 'Sie gehen mit den Mitteilungen, zu denen sie gehören.'],
    41519: ['Diese Datei geht nicht als Anhang.', 'Bilder bis 10 MB, Töne bis 5 MB und Videos bis 50 MB gehen.'],
    40916: ['Mehr davon gehen nicht.', 'Entferne erst einen.'],
    40914: ['Dieser Schlüssel wurde widerrufen.', 'Erzeuge einen neuen und gib ihn den Geräten.'],
    40917: ['Dieser Server verschickt keine E-Mails.', 'Die Leitung kann einen Mailserver einstellen.'],
    50311: ['Diese Datei ließ sich nicht holen.', 'Der Server holt sie nur über HTTPS und nicht aus privaten Netzen.'],
    50310: ['Der Mailserver hat die E-Mail nicht genommen.', 'Versuch es später noch einmal, oder prüf die Adresse.'],
  },
};
