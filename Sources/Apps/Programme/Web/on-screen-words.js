// The words of the programme on the screen in the room, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: { next: 'What’s on', now: 'Now', nothing: 'Nothing is planned.', wall: 'Everybody’s pictures' },
  de: { next: 'Was los ist', now: 'Jetzt', nothing: 'Nichts ist geplant.', wall: 'Bilder von allen' },
};

export const screenWords = dictionary[language];
