// The room's data for the shell.

export const room = {
  id: 'albums',
  order: 80,
  icon: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 8.5h.01',
  en: {
    name: 'Albums', short: 'Albums', setting: 'shared pictures',
    about: 'Everyone’s pictures, in one place.',
    choice: 'Shared albums', offer: 'Guests add pictures without an account, and everybody sees them at once',
  },
  de: {
    name: 'Alben', short: 'Alben', setting: 'gemeinsame Bilder',
    about: 'Die Bilder von allen, an einem Ort.',
    choice: 'Gemeinsame Alben', offer: 'Gäste geben Bilder dazu, ohne Konto, und alle sehen sie sofort',
  },
};
