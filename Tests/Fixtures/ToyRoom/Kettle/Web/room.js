// The room's data for the shell.

export const room = {
  id: 'kettle',
  order: 90,
  settings: '/kettle',
  icon: 'M5 9h11v7a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4zM16 11l4-3M8 5.5V3M12 5.5V3',
  en: {
    name: 'Kettle', short: 'Kettle', setting: 'how hot it is',
    about: 'Is there hot water?',
    choice: 'A kettle', offer: 'Tells everybody when there is hot water',
  },
  de: {
    name: 'Wasserkocher', short: 'Kocher', setting: 'wie heiß es ist',
    about: 'Gibt es heißes Wasser?',
    choice: 'Einen Wasserkocher', offer: 'Sagt allen, wenn es heißes Wasser gibt',
  },
};

export const audit = {
  en: {
    'kettle.put-on': (who) => `${who} put the kettle on`,
    'kettle.tea': (who, tea) => `${who} chose ${tea}`,
  },
  de: {
    'kettle.put-on': (who) => `${who} hat Wasser aufgesetzt`,
    'kettle.tea': (who, tea) => `${who} hat ${tea} gewählt`,
  },
};

export const duties = {
  en: { member: ['puts the kettle on'] },
  de: { member: ['setzt Wasser auf'] },
};

export const errors = {
  en: {},
  de: {
    40999: ['Es gibt schon heißes Wasser.', 'Trink einen Tee.'],
  },
};
