// The room's data for the shell.

export const room = {
  id: 'clock',
  order: 50,
  items: '/clock/',
  settings: '/clock',
  icon: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7.5V12l3 2',
  en: {
    name: 'Talking clock', short: 'Clock', setting: 'voice, hours, where it speaks',
    about: 'Says the time with a voice you know.',
    choice: 'A talking clock', offer: 'Says the time with a voice you know',
  },
  de: {
    name: 'Sprechende Uhr', short: 'Uhr', setting: 'Stimme, Zeiten, wo sie spricht',
    about: 'Sagt die Uhrzeit mit einer vertrauten Stimme an.',
    choice: 'Eine sprechende Uhr', offer: 'Sagt die Uhrzeit mit einer vertrauten Stimme an',
  },
};

// The audit's actions.
export const audit = {
  en: {
    'clock.changed': (who) => `${who} changed their clock`,
    'clock.device-on': (who, name) => `${who} has this device say the time: ${name}`,
    'clock.device-off': (who, name) => `${who} no longer has this device say the time: ${name}`,
    'clock.voice-made': (who, name) => `${who} began a voice: ${name}`,
    'clock.voice-removed': (who, name) => `${who} deleted a voice: ${name}`,
  },
  de: {
    'clock.changed': (who) => `${who} hat die eigene Uhr geändert`,
    'clock.device-on': (who, name) => `${who} lässt dieses Gerät die Uhrzeit ansagen: ${name}`,
    'clock.device-off': (who, name) => `${who} lässt dieses Gerät die Uhrzeit nicht mehr ansagen: ${name}`,
    'clock.voice-made': (who, name) => `${who} hat eine Stimme begonnen: ${name}`,
    'clock.voice-removed': (who, name) => `${who} hat eine Stimme gelöscht: ${name}`,
  },
};

// The data removed with a person.
export const removed = {
  en: ['clock', 'recorded voices'],
  de: ['Uhr', 'aufgenommene Stimmen'],
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40470: ['Dieses Gerät gibt es nicht, oder es kann nicht sprechen.', ''],
    40471: ['Diese Stimme gibt es nicht mehr.', ''],
    40472: ['Dieses Wort hat die Stimme nicht.', ''],
    40970: ['Mehr Stimmen gehen nicht.', 'Lösche erst eine, die du nicht mehr brauchst.'],
    40971: ['Der Stimme fehlen dafür Wörter.',
      'Nimm sie auf, oder lass die Einstellung, wie sie war, oder wähl eine andere Stimme, oder 12 Stunden mit einem '
      + 'Abstand von 15, 30 oder 60 Minuten.'],
    40972: ['Die Aufnahmen dieser Stimme sind zusammen zu lang.',
      'Sprich die Wörter kürzer; eine Sekunde reicht für jedes.'],
    41570: ['Diese Aufnahme geht nicht.', 'Sie darf höchstens zehn Sekunden lang sein.'],
  },
};
