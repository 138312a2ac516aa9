// The words about what is kept on this device, in English and German. A test compares the two.

import { language } from '/shell-words.js';

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const dictionary = {
  en: {
    title: 'On this device',
    here: (files, size) => `${many(files, 'file', 'files')} here, ${size}`,
    left: (files, size) => `${many(files, 'file', 'files')} to go, ${size}`,
    nothingLeft: 'Nothing is missing.',
    free: (used, quota) => `The browser gives this hub up to ${quota}; ${used} are in use.`,
    persisted: 'The browser keeps this until you remove it.',
    notPersisted: 'The browser may remove this when the device runs out of space.',
    persist: 'Ask it not to', refused: 'It did not agree. Adding the hub to the home screen helps.',
    isKept: 'Keep pictures in the background', isMobileToo: 'Also on mobile data',
    fullText: 'This device is full. What is here stays. Make room, or choose which galleries come first.',
    insecureText: 'Browsers keep pictures only for addresses with HTTPS. The wall works as long as the hub is reached.',
    again: 'Try again', check: 'Count and check all', checking: (done, all) => `Checked ${done} of ${all}`,
    checked: (small, large) => `All there: ${small} small and ${large} large ones counted, and none is damaged.`,
    galleries: 'Which galleries come first', first: (title) => `${title} first`,
    ofGallery: (kept, count, size) => `${kept} of ${count}, ${size}`,
    failed: (count) => many(count, 'file could not be kept', 'files could not be kept'),
    why: { gone: 'the hub does not have it any more', wrong: 'what arrived was not what the hub has' },
    sizes: { 320: 'small', 2048: 'large', video: 'video' },
    remove: 'Remove from this device', removeAsk: 'All kept pictures leave this device. The hub has them still.',
    keep: 'Keep them',
    shows: 'Beneath a picture', show: { title: 'Title', caption: 'Caption', place: 'Place', date: 'Date' },
    seconds: 'Seconds per picture in a slide show',
  },

  de: {
    title: 'Auf diesem Gerät',
    here: (files, size) => `${many(files, 'Datei', 'Dateien')} hier, ${size}`,
    left: (files, size) => `${many(files, 'Datei fehlt', 'Dateien fehlen')} noch, ${size}`,
    nothingLeft: 'Nichts fehlt.',
    free: (used, quota) => `Der Browser gibt bis zu ${quota}; ${used} sind belegt.`,
    persisted: 'Der Browser behält alles, bis du es entfernst.',
    notPersisted: 'Der Browser darf das entfernen, wenn das Gerät voll wird.',
    persist: 'Bitte ihn, es zu lassen',
    refused: 'Er wollte nicht. Es hilft, die Seite zum Startbildschirm hinzuzufügen.',
    isKept: 'Bilder im Hintergrund holen', isMobileToo: 'Auch mit mobilen Daten',
    fullText: 'Dieses Gerät ist voll. Was hier ist, bleibt. Mach Platz, oder wähl, welche Galerien zuerst kommen.',
    insecureText: 'Browser behalten Bilder nur bei Adressen mit HTTPS. Die Wand geht, solange der Server da ist.',
    again: 'Noch einmal versuchen', check: 'Alles zählen und prüfen',
    checking: (done, all) => `${done} von ${all} geprüft`,
    checked: (small, large) => `Alles da: ${small} kleine und ${large} große gezählt, keins ist beschädigt.`,
    galleries: 'Welche Galerien zuerst kommen', first: (title) => `${title} zuerst`,
    ofGallery: (kept, count, size) => `${kept} von ${count}, ${size}`,
    failed: (count) => many(count, 'Datei kam nicht an', 'Dateien kamen nicht an'),
    why: { gone: 'der Server hat sie nicht mehr', wrong: 'was kam, war nicht, was der Server hat' },
    sizes: { 320: 'klein', 2048: 'groß', video: 'Video' },
    remove: 'Von diesem Gerät entfernen',
    removeAsk: 'Alle Bilder verlassen dieses Gerät. Der Server hat sie weiterhin.',
    keep: 'Behalten',
    shows: 'Unter einem Bild', show: { title: 'Titel', caption: 'Text', place: 'Ort', date: 'Datum' },
    seconds: 'Sekunden je Bild in der Diaschau',
  },
};

export const said = dictionary[language];
