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
    about: 'Sagt die Zeit mit einer vertrauten Stimme.',
    choice: 'Eine sprechende Uhr', offer: 'Sagt die Zeit mit einer vertrauten Stimme',
  },
};
