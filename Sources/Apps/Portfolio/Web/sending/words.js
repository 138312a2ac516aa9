// The words of sending to clients, in English and German. A test compares the two.

import { language } from '/shell-words.js';

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const dictionary = {
  en: {
    title: 'Sent to clients', send: 'Send pictures', none: 'Nothing was sent from this portfolio yet.',
    noneText: 'A client opens a link, without an account, and marks what they like. It comes straight back to you.',
    heading: 'Send to a client', changing: (title) => `Change ${title}`, galleries: 'Galleries',
    pictures: (count) => many(count, 'picture', 'pictures'), name: 'Title', text: 'Cover text', optional: '(optional)',
    pin: 'PIN', pinHint: '4 to 12 digits. Tell it by phone, not in the e-mail.',
    until: 'Open until', untilHint: 'After that day the link shows nothing.',
    downloads: 'Downloads', download: { none: 'None', 2048: '2048 px', original: 'Originals' },
    originalHint: 'An original holds what its camera wrote into it, such as position, date and serial number.',
    dates: 'Date of each picture', details: 'Place and date of each picture',
    detailsHint: 'Camera data and positions leave within originals alone.',
    private: 'Private pictures too', privateHint: 'Otherwise pictures that are private at their source stay here.',
    make: 'Make the link', save: 'Save', cancel: 'Back', choose: 'Choose a gallery or a picture.',
    some: (chosen, all) => `${chosen} of ${many(all, 'picture', 'pictures')}`,
    updating: 'Clients then see what is chosen here.',
    link: 'Link', copy: 'Copy link', copied: 'Copied.', share: 'Share', look: 'Look at it', change: 'Change',
    to: 'E-mail to', toHint: 'One address, or several with commas. The PIN is not in it. '
      + 'Answers come to your own address if you have confirmed one under Bells.',
    sendMail: 'Send the e-mail', mailed: 'The e-mail is on its way.',
    withdraw: 'Withdraw',
    withdrawAsk: (title) => `Withdraw ${title}? The link shows nothing any more. A client’s own device gives up `
      + 'what it keeps when it opens the link next with a network; what was saved cannot be taken back.',
    withdrawYes: 'Withdraw', keep: 'Keep it',
    states: { open: '', ended: 'Its time is over', withdrawn: 'Withdrawn' },
    locked: 'Locked after too many wrong PINs: set another one.',
    opened: (count) => (count === '0' ? 'Not opened yet' : `Opened by ${many(count, 'client', 'clients')}`),
    favourites: (count) => many(count, 'favourite', 'favourites'), remarks: (count) => many(count, 'remark', 'remarks'),
    wishes: (count) => many(count, 'wish for a large one', 'wishes for large ones'),
    back: 'What came back', nothingBack: 'Nothing yet. You are rung when something comes.',
    client: (number) => `Client ${number}`, kinds: { favourite: 'Favourite', remark: 'Remark', large: 'Large, please' },
    shared: 'Open to everybody who has the address', sharedText: 'Shared one by one, or in a frame on a web page.',
    sharedPicture: 'Picture', sharedGallery: 'Gallery on a web page', takeBack: 'Take it back',
    oneFile: {
      title: 'As one file', text: 'One file with all pictures, for a stick or a download: it opens without a network. '
        + 'On an iPhone or iPad it does not, there the link is the way. Hearts and remarks stay in it.',
      large: 'It is large: it opens slowly on phones, and no e-mail takes it. Smaller pictures help.',
      sizes: 'Pictures', size: (edge, bytes) => `${edge} px, about ${bytes}`, passphrase: 'Passphrase',
      why: '12 characters or more, best four words: the passphrase of a file can be guessed at home, where nobody '
        + 'counts the tries. Four digits fall in a quarter of an hour.', make: 'Make the file',
    },
    names: 'Copy file names', namesCopied: 'The names of the files are copied, one a line.',
  },

  de: {
    title: 'An Kunden geschickt', send: 'Bilder schicken',
    none: 'Aus diesem Portfolio ging noch nichts an Kunden.',
    noneText: 'Kunden öffnen einen Link, ohne Konto, und merken an, was ihnen gefällt. Das kommt direkt zu dir zurück.',
    heading: 'An Kunden schicken', changing: (title) => `${title} ändern`, galleries: 'Galerien',
    pictures: (count) => many(count, 'Bild', 'Bilder'), name: 'Titel', text: 'Begleittext',
    optional: '(kann frei bleiben)',
    pin: 'PIN', pinHint: '4 bis 12 Ziffern. Sag sie am Telefon, nicht in der E-Mail.',
    until: 'Offen bis', untilHint: 'Nach diesem Tag zeigt der Link nichts mehr.',
    downloads: 'Herunterladen', download: { none: 'Nichts', 2048: '2048 px', original: 'Originale' },
    originalHint: 'Ein Original enthält, was die Kamera hineingeschrieben hat: etwa Ort, Datum und Seriennummer.',
    dates: 'Datum jedes Bildes', details: 'Ort und Datum jedes Bildes',
    detailsHint: 'Kameradaten und Koordinaten gehen nur mit Originalen mit.',
    private: 'Auch private Bilder', privateHint: 'Sonst bleiben Bilder hier, die bei ihrer Quelle privat sind.',
    make: 'Link anlegen', save: 'Speichern', cancel: 'Zurück', choose: 'Wähl eine Galerie oder ein Bild.',
    some: (chosen, all) => `${chosen} von ${many(all, 'Bild', 'Bildern')}`,
    updating: 'Kunden sehen dann, was hier gewählt ist.',
    link: 'Link', copy: 'Link kopieren', copied: 'Kopiert.', share: 'Teilen', look: 'Ansehen', change: 'Ändern',
    to: 'E-Mail an', toHint: 'Eine Adresse oder mehrere mit Komma. Die PIN steht nicht darin. '
      + 'Antworten kommen an deine eigene Adresse, wenn du eine unter Glocken bestätigt hast.',
    sendMail: 'E-Mail schicken', mailed: 'Die E-Mail ist unterwegs.',
    withdraw: 'Zurückziehen',
    withdrawAsk: (title) => `${title} zurückziehen? Der Link zeigt dann nichts mehr. Ein Gerät, `
      + 'das die Bilder behalten hat, gibt sie beim nächsten Öffnen mit Netz her; Gespeichertes kommt nicht zurück.',
    withdrawYes: 'Zurückziehen', keep: 'Behalten',
    states: { open: '', ended: 'Abgelaufen', withdrawn: 'Zurückgezogen' },
    locked: 'Gesperrt nach zu vielen falschen PINs: Vergib eine neue.',
    opened: (count) => (count === '0' ? 'Noch nicht geöffnet'
      : `Von ${count === '1' ? 'einem' : count} Kunden geöffnet`),
    favourites: (count) => many(count, 'Favorit', 'Favoriten'),
    remarks: (count) => many(count, 'Anmerkung', 'Anmerkungen'),
    wishes: (count) => many(count, 'Wunsch nach einem großen Bild', 'Wünsche nach großen Bildern'),
    back: 'Rückmeldungen', nothingBack: 'Noch nichts. Sobald etwas kommt, läutet es bei dir.',
    client: (number) => `Kunde ${number}`, kinds: { favourite: 'Favorit', remark: 'Anmerkung', large: 'Bitte groß' },
    shared: 'Offen für alle, die die Adresse haben', sharedText: 'Einzeln geteilt oder im Rahmen auf einer Webseite.',
    sharedPicture: 'Bild', sharedGallery: 'Galerie auf einer Webseite', takeBack: 'Zurücknehmen',
    oneFile: {
      title: 'Als eine Datei', text: 'Eine Datei mit allen Bildern, für einen Stick oder zum Herunterladen: Sie öffnet '
        + 'sich ohne Netz. Auf iPhone und iPad geht das nicht, dort ist der Link der Weg. Herzen und Anmerkungen '
        + 'bleiben in ihr.',
      large: 'Sie wird groß: Telefone öffnen sie langsam, und keine E-Mail nimmt sie. Kleinere Bilder helfen.',
      sizes: 'Bilder', size: (edge, bytes) => `${edge} px, etwa ${bytes}`, passphrase: 'Kennwort',
      why: 'Mindestens 12 Zeichen, am besten vier Wörter: Das Kennwort einer Datei lässt sich zu Hause erraten, wo '
        + 'niemand die Versuche zählt. Vier Ziffern sind nach einer Viertelstunde gefunden.', make: 'Datei erstellen',
    },
    names: 'Dateinamen kopieren', namesCopied: 'Die Dateinamen sind kopiert, einer je Zeile.',
  },
};

export const said = dictionary[language];
