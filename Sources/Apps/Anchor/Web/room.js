// The room's data for the shell.

export const room = {
  id: 'anchor',
  order: 60,
  settings: '/anchor/arm',
  icon: 'M12 2.5a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM12 7v14M8.5 10.5h7M4 14.5c.5 3.8 3.6 6.5 8 6.5s7.5-2.7 8-6.5'
    + 'M2.5 16.5 4 14.2l2.3 1.4M21.5 16.5 20 14.2l-2.3 1.4',
  en: {
    name: 'Anchor watch', short: 'Anchor', setting: 'radius, who is rung',
    about: 'Does the anchor hold?',
    choice: 'An anchor watch', offer: 'Wakes you when the anchor drags, and when the watch itself falls silent',
  },
  de: {
    name: 'Ankerwache', short: 'Anker', setting: 'Radius, wer geweckt wird',
    about: 'Hält der Anker?',
    choice: 'Eine Ankerwache', offer: 'Weckt dich, wenn der Anker slippt, und auch, wenn die Wache selbst verstummt',
  },
};

// The audit's actions.
export const audit = {
  en: {
    'anchor.dropped': (who) => `${who} dropped the anchor`,
    'anchor.armed': (who) => `${who} started the anchor watch`,
    'anchor.changed': (who) => `${who} changed the anchor watch`,
    'anchor.acknowledged': (who) => `${who} is on the anchor alarm`,
    'anchor.weighed': (who) => `${who} weighed the anchor`,
    'anchor.drilled': (who) => `${who} tested the whole way of the anchor alarm`,
    'anchor.imported': (who) => `${who} imported an anchorage`,
    'anchor.phone.added': (who, about) => `${who} lets the phone ${about} report`,
    'anchor.phone.removed': (who, about) => `${who} removed the phone ${about}`,
  },
  de: {
    'anchor.dropped': (who) => `${who} hat den Anker fallen lassen`,
    'anchor.armed': (who) => `${who} hat die Ankerwache begonnen`,
    'anchor.changed': (who) => `${who} hat die Ankerwache geändert`,
    'anchor.acknowledged': (who) => `${who} kümmert sich um den Ankeralarm`,
    'anchor.weighed': (who) => `${who} hat den Anker gelichtet`,
    'anchor.drilled': (who) => `${who} hat den ganzen Weg des Ankeralarms geprobt`,
    'anchor.imported': (who) => `${who} hat einen Ankerplatz eingelesen`,
    'anchor.phone.added': (who, about) => `${who} lässt das Telefon ${about} melden`,
    'anchor.phone.removed': (who, about) => `${who} hat das Telefon ${about} entfernt`,
  },
};

// The data removed with a person.
export const removed = {
  en: ['phones of the anchor watch'],
  de: ['Telefone der Ankerwache'],
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {
    40450: ['The anchor is not down.', 'Drop it first.'],
  },
  de: {
    40450: ['Der Anker liegt nicht.', 'Lass erst den Anker fallen.'],
    40451: ['Diesen Ankerplatz oder dieses Gerät gibt es nicht mehr.', ''],
    40452: ['Dieses Telefon gibt es nicht, oder es gehört jemand anderem.', ''],
    40459: ['Dieses Stück der Karte gibt es nicht.', ''],
    40950: ['Der Anker liegt schon.', 'Lichte ihn erst, oder verschieb ihn.'],
    40951: ['Es gibt noch keine frische Position.', 'Warte auf ein Gerät, das seine Position meldet.'],
    40952: ['Mit „Anker lichten“ endet die Wache, und niemand wird mehr geweckt.', 'Bestätige es.'],
    40953: ['Mehr Telefone dürfen es nicht sein.', 'Entferne eins, das nicht mehr meldet.'],
    50359: ['Die Karte ist gerade nicht zu bekommen.', 'Der Plot braucht sie nicht.'],
  },
};
