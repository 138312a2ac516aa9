// The words of the page on which owners write a notification.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    title: 'Ring somebody',
    back: 'Bells',
    lead: 'Write a notification, see how it will look, and send it.',
    onlyOwners: 'Here, those write who may ring everybody: the owners.',
    to: 'To', owners: 'All owners', members: 'All members', devices: 'One device',
    file: 'A file', choose: 'Choose', drop: 'Leave out',
    fileHint: 'A picture, a sound or a film is attached. A notification in JSON fills what is left empty here.',
    noPayload: 'There is no notification in the file: an object in JSON is accepted.',
    subject: 'Title', body: 'Text', url: 'What opens when it is pressed', category: 'Category',
    buttons: 'Buttons', buttonsHint: 'Four at most, with commas between: I open, I cannot',
    level: 'How loud',
    levels: { passive: 'quietly, into the list', '': 'as usual', 'time-sensitive': 'urgent', critical: 'alarm' },
    optional: 'may be left out',
    send: 'Send',
    sent: 'It is on its way.',
    way: 'Where it arrives',
    looks: 'How it will look',
    waiting: 'Begin with a title or a text.',
    size: (bytes, limit) => (limit ? `${bytes} of ${limit} bytes` : `${bytes} bytes`),
    rings: { true: 'It rings.', false: 'It does not ring.' },
    stays: 'It stays until somebody acts.',
    others: (titles) => `On the page alone: ${titles}`,
    platforms: {
      list: 'The page of the bells', agent: 'Agent', desktop: 'Browser on a computer', android: 'Browser on Android',
      apple: 'Browser on an iPhone, iPad or Mac', app: 'App on an iPhone', ntfy: 'ntfy', mail: 'Mail',
      webhook: 'Another program',
    },
    notes: {
      cut: 'The text is too long, and is cut at the end.',
      too_large: 'It is too large, even without its text, and is not sent there.',
      shows_nothing: 'Nothing is shown there.',
    },
  },
  de: {
    title: 'Jemanden anläuten',
    back: 'Glocken',
    lead: 'Schreib eine Mitteilung, sieh, wie sie aussehen wird, und schick sie ab.',
    onlyOwners: 'Hier schreibt, wer bei allen läuten darf: die Leitung.',
    to: 'An', owners: 'Alle aus der Leitung', members: 'Alle Mitglieder', devices: 'Ein Gerät',
    file: 'Eine Datei', choose: 'Auswählen', drop: 'Weglassen',
    fileHint: 'Bild, Ton oder Film wird angehängt. Eine Mitteilung in JSON füllt, was hier leer bleibt.',
    noPayload: 'In der Datei steht keine Mitteilung: Es muss ein Objekt in JSON sein.',
    subject: 'Titel', body: 'Text', url: 'Was sich beim Antippen öffnet', category: 'Kategorie',
    buttons: 'Knöpfe', buttonsHint: 'Höchstens vier, mit Kommas dazwischen: Ich schließe auf, Ich kann nicht',
    level: 'Wie laut',
    levels: { passive: 'leise, nur in die Liste', '': 'wie üblich', 'time-sensitive': 'eilig', critical: 'Alarm' },
    optional: 'kann frei bleiben',
    send: 'Abschicken',
    sent: 'Sie ist unterwegs.',
    way: 'Wo sie ankommt',
    looks: 'So wird sie aussehen',
    waiting: 'Fang mit einem Titel oder einem Text an.',
    size: (bytes, limit) => (limit ? `${bytes} von ${limit} Bytes` : `${bytes} Bytes`),
    rings: { true: 'Sie läutet.', false: 'Sie läutet nicht.' },
    stays: 'Sie bleibt stehen, bis jemand reagiert.',
    others: (titles) => `Nur auf der Seite: ${titles}`,
    platforms: {
      list: 'Die Seite der Glocken', agent: 'Agent', desktop: 'Browser am Computer', android: 'Browser auf Android',
      apple: 'Browser auf iPhone, iPad oder Mac', app: 'App auf dem iPhone', ntfy: 'ntfy', mail: 'Mail',
      webhook: 'Anderes Programm',
    },
    notes: {
      cut: 'Der Text ist zu lang und wird am Ende gekürzt.',
      too_large: 'Sie ist auch ohne Text zu groß und geht dorthin nicht.',
      shows_nothing: 'Dort wird nichts angezeigt.',
    },
  },
};

export const { language, locale } = choose(['en', 'de']);

export const words = dictionary[language];
