// The words of the page that asks for the album of shared pictures.

import { language, locale } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Which album?',
    here: (count) => (count === '1' ? 'One picture is here. Choose its album; it is sent from there.'
      : `${count} pictures are here. Choose their album; they are sent from there.`),
    strange: 'Not shared by you? Then another website has put them here, and you should not send them.',
    nothing: 'No picture waits here.',
    nothingText: 'Share pictures to Eightbells in your phone’s gallery, and this page asks for their album.',
    noAlbum: 'There is no album yet.',
    noAlbumText: 'Make one, or open one with its link or code; the pictures stay here until then.',
    toAlbums: 'To the albums', film: 'Video',
    discard: 'Do not send', discarded: 'The pictures are still in your phone’s gallery.',
    problems: {
      some: 'Not all that you shared were pictures or videos: the rest was left out.',
      none: 'What you shared was neither a picture nor a video.',
      many: 'Not all of it fitted: 500 pictures can wait here. Choose an album, then share the rest.',
      full: 'Your phone has no room for all of them. Those that are here can be sent; share the rest afterwards.',
      unread: 'Your phone could not read all of it. What is here can be sent; open the rest in your gallery, then '
        + 'share it again.',
      again: 'What you shared did not come through. Please share it once more.',
    },
    noRoom: (left) => `The album’s queue is full; ${left} are still here. Send them when it is through.`,
    full: (left) => `This device has no room for more; ${left} are still here. Make some, then choose the album again.`,
    failed: 'This album cannot be opened just now. The pictures stay here.',
  },
  de: {
    title: 'In welches Album?',
    here: (count) => (count === '1' ? 'Ein Bild ist da. Wähl sein Album, von dort wird es verschickt.'
      : `${count} Bilder sind da. Wähl ihr Album, von dort werden sie verschickt.`),
    strange: 'Nicht von dir geteilt? Dann hat eine andere Website sie hier abgelegt, und du solltest sie nicht '
      + 'verschicken.',
    nothing: 'Hier wartet kein Bild.',
    nothingText: 'Teile Bilder aus der Galerie deines Telefons mit Eightbells, dann fragt diese Seite nach dem Album.',
    noAlbum: 'Es gibt noch kein Album.',
    noAlbumText: 'Leg eins an, oder öffne eins mit Link oder Code. So lange bleiben die Bilder hier.',
    toAlbums: 'Zu den Alben', film: 'Video',
    discard: 'Nicht verschicken', discarded: 'In der Galerie deines Telefons sind die Bilder weiterhin.',
    problems: {
      some: 'Nicht alles, was du geteilt hast, waren Bilder oder Videos: Der Rest wurde weggelassen.',
      none: 'Was du geteilt hast, war weder ein Bild noch ein Video.',
      many: 'Nicht alles passte: 500 Bilder können hier warten. Wähl ein Album und teile danach den Rest.',
      full: 'Auf dem Telefon ist nicht genug Platz für alle. Was da ist, kannst du verschicken; den Rest danach.',
      unread: 'Das Telefon konnte nicht alles lesen. Was da ist, kannst du verschicken; öffne den Rest in der Galerie '
        + 'und teile ihn noch einmal.',
      again: 'Was du geteilt hast, ist nicht angekommen. Teile es bitte noch einmal.',
    },
    noRoom: (left) => `Im Album warten schon zu viele Bilder; ${left} sind noch hier. Verschick sie danach.`,
    full: (left) => `Auf diesem Gerät ist kein Platz mehr; ${left} sind noch hier. Schaff Platz und wähl noch einmal.`,
    failed: 'Dieses Album lässt sich gerade nicht öffnen. Die Bilder bleiben hier.',
  },
};

export const words = dictionary[language];
export const count = (number) => number.toLocaleString(locale);
