// The words about sharing a picture or a gallery, in English and German. A test compares the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Share', hub: 'As a page on this hub', source: 'As its page at the source',
    hubText: 'Whoever has the link sees the picture, its title and its caption, until you take it back.',
    isPrivate: 'This picture is private at its source: others will not see it, neither there nor here.',
    frame: 'This gallery on your web page',
    frameText: 'Put this into your page. What is private at its source is left out; Flickr allows 30 pictures at a '
      + 'time, the others come when one turns.',
    number: 'Pictures at a time', size: 'Size', sizes: { small: 'small', medium: 'medium', large: 'large' },
    text: 'To be copied', link: 'The link, to be copied', send: 'Send', copy: 'Copy', copied: 'Copied.',
    takeBack: 'Take it back', takenBack: 'Taken back. The link leads nowhere now.',
  },

  de: {
    title: 'Teilen', hub: 'Als Seite auf diesem Server', source: 'Als Seite bei der Quelle',
    hubText: 'Wer den Link hat, sieht das Bild, Titel und Beschreibung, bis du ihn zurücknimmst.',
    isPrivate: 'Dieses Bild ist bei seiner Quelle privat: Andere sehen es nicht, weder dort noch hier.',
    frame: 'Diese Galerie auf deiner Webseite',
    frameText: 'Setz das in deine Seite. Was bei der Quelle privat ist, fehlt darin; Flickr erlaubt 30 Bilder auf '
      + 'einmal, die übrigen kommen beim Blättern.',
    number: 'Bilder auf einmal', size: 'Größe', sizes: { small: 'klein', medium: 'mittel', large: 'groß' },
    text: 'Zum Kopieren', link: 'Der Link, zum Kopieren', send: 'Verschicken', copy: 'Kopieren', copied: 'Kopiert.',
    takeBack: 'Zurücknehmen', takenBack: 'Zurückgenommen. Der Link führt nirgends mehr hin.',
  },
};

export const said = dictionary[language];
