// The words of the gallery and of the picture on the whole screen, in English and German. A test compares the two.

import { hubAhead } from '/keep.js';
import { language, locale } from '/shell-words.js';
import { momentOf, takenAt } from '/albums/album/gallery/groups.js';

export const dictionary = {
  en: {
    which: 'Which pictures',
    all: 'All', mine: 'Mine', hearts: 'Hearts',
    counted: (name, count) => (count ? `${name}, ${count}` : name),
    by: 'By', everybody: 'everybody',
    order: 'Sorted by', orders: { arrival: 'arrival', taken: 'time taken' }, untimed: 'Nobody knows when',
    at: 'When', anytime: 'any time', someone: 'A guest', live: 'Live',
    pictures: (count) => (count === '1' ? '1 picture' : `${count} pictures`),
    gallery: 'Pictures. The arrow keys go from one to the next, Enter opens one.',
    hours: (from, until) => `${from} to ${until}`,
    today: 'today', yesterday: 'yesterday', taken: (when) => `taken ${when}`,
    justNow: 'just now', waits: 'waits for a host', making: 'on its way',
    ahead: (number) => (number === 1 ? 'after one other' : `after ${number} others`), hidden: 'hidden by a host',
    failed: 'kept as it is',
    kinds: { photo: 'Picture', video: 'Video', raw: 'Raw picture', other: 'File' },
    label: (kind, who, when) => `${kind} by ${who ?? 'a guest'}, ${when}`,
    fresh: (count) => (count === 1 ? '1 new picture' : `${count} new pictures`),
    none: 'The first picture is yours.',
    noneText: 'Take one, or choose some that you have. Everybody here sees them a moment later.',
    noneCame: 'There are no pictures here.',
    noneMine: 'None of these is yours yet.',
    noneHearts: 'No picture has a heart yet. Open one that you like, and give it one.',
    noneBy: 'There is no picture of theirs here now.',
    noneAt: 'There is no such picture from that time.',
    viewer: {
      title: 'Pictures on the whole screen', place: (place, of) => `${place} of ${of}`,
      close: 'Close', zoom: 'Zoom', previous: 'Previous picture', next: 'Next picture',
      error: 'This picture cannot be shown. It is still there.',
      noSize: 'This one cannot be shown yet. Hosts have it as it was sent.',
      heart: 'Heart', hearts: (count) => (count === 1 ? '1 heart' : `${count} hearts`),
      reasons: {
        'not-a-picture': 'It is not a picture or video that can be read here.',
        'too-large': 'It has too many pixels.',
        'took-too-long': 'It took too long to be read.',
        'program-failed': 'The program that reads pictures failed at it.',
      },
      download: 'Original', yours: 'yours',
      withdraw: 'Take back', remove: 'Remove', hide: 'Hide',
      withdrawAsk: (mayErase) => `Nobody in the album will see it any more. It is deleted after 30 days${
        mayErase ? ', or at once' : ''}.`,
      removeAsk: 'Nobody in the album will see it any more. For 30 days you can bring it back.',
      keep: 'Keep it', sure: 'Take it out', atOnce: 'Delete it at once',
      play: 'Listen',
      live: 'Play the moment', liveHint: 'Live: hold the picture to see its moment.',
      filmComes: 'The video comes in a moment; this is its picture.',
      noFilm: 'This video cannot be played here. Hosts have it as it was sent.',
      sound: 'Add a sound', music: 'Sound',
      soundTitle: 'A sound for this picture',
      soundText: 'Say something, or name a piece of music that goes with it.',
      hasSound: 'It has a recorded sound. A new one takes its place.',
      musicTitle: 'Piece of music', musicHint: 'Its title, as you would say it.',
      musicAddress: 'Link to it', musicAddressHint: 'It may stay empty. With one, everybody can open it: https://…',
      musicSave: 'Save', musicRemove: 'No music',
    },
  },

  de: {
    which: 'Welche Bilder',
    all: 'Alle', mine: 'Meine', hearts: 'Herzen',
    counted: (name, count) => (count ? `${name}, ${count}` : name),
    by: 'Von', everybody: 'allen',
    order: 'Geordnet nach', orders: { arrival: 'Ankunft', taken: 'Aufnahmezeit' }, untimed: 'Niemand weiß, wann',
    at: 'Wann', anytime: 'egal', someone: 'Ein Gast', live: 'Live',
    pictures: (count) => (count === '1' ? '1 Bild' : `${count} Bilder`),
    gallery: 'Bilder. Die Pfeiltasten führen vom einen zum nächsten, Enter öffnet eins.',
    hours: (from, until) => `${from} bis ${until} Uhr`,
    today: 'heute', yesterday: 'gestern', taken: (when) => `aufgenommen ${when}`,
    justNow: 'gerade eben', waits: 'wartet auf ein Ja', making: 'kommt gleich',
    ahead: (number) => (number === 1 ? 'nach einem anderen' : `nach ${number} anderen`), hidden: 'ausgeblendet',
    failed: 'bleibt, wie es ist',
    kinds: { photo: 'Bild', video: 'Video', raw: 'Rohbild', other: 'Datei' },
    label: (kind, who, when) => `${kind} von ${who ?? 'einem Gast'}, ${when}`,
    fresh: (count) => (count === 1 ? '1 neues Bild' : `${count} neue Bilder`),
    none: 'Das erste Bild ist deins.',
    noneText: 'Nimm eins auf, oder wähl welche aus, die du hast. Alle hier sehen sie einen Moment später.',
    noneCame: 'Hier sind keine Bilder.',
    noneMine: 'Von dir ist hier noch keins.',
    noneHearts: 'Noch hat kein Bild ein Herz. Öffne eins, das dir gefällt, und gib ihm eins.',
    noneBy: 'Von dieser Person ist gerade keins da.',
    noneAt: 'Aus dieser Zeit ist keins da.',
    viewer: {
      title: 'Bilder auf dem ganzen Bildschirm', place: (place, of) => `${place} von ${of}`,
      close: 'Schließen', zoom: 'Vergrößern', previous: 'Voriges Bild', next: 'Nächstes Bild',
      error: 'Dieses Bild lässt sich nicht zeigen. Es ist aber noch da.',
      noSize: 'Das lässt sich noch nicht zeigen. Die Gastgeber haben es so, wie es kam.',
      heart: 'Herz', hearts: (count) => (count === 1 ? '1 Herz' : `${count} Herzen`),
      reasons: {
        'not-a-picture': 'Es ist kein Bild oder Video, das sich hier lesen lässt.',
        'too-large': 'Es hat zu viele Bildpunkte.',
        'took-too-long': 'Es zu lesen hat zu lange gedauert.',
        'program-failed': 'Das Programm, das Bilder liest, ist daran gescheitert.',
      },
      download: 'Original', yours: 'von dir',
      withdraw: 'Zurücknehmen', remove: 'Entfernen', hide: 'Ausblenden',
      withdrawAsk: (mayErase) => `Niemand im Album sieht es dann noch. Gelöscht wird es nach 30 Tagen${
        mayErase ? ', oder sofort' : ''}.`,
      removeAsk: 'Niemand im Album sieht es dann noch. 30 Tage lang kannst du es zurückholen.',
      keep: 'Behalten', sure: 'Herausnehmen', atOnce: 'Sofort löschen',
      play: 'Anhören',
      live: 'Moment abspielen', liveHint: 'Live: Halt das Bild gedrückt, dann siehst du seinen Moment.',
      filmComes: 'Das Video kommt gleich; das hier ist sein Bild.',
      noFilm: 'Dieses Video lässt sich hier nicht abspielen. Die Gastgeber haben es so, wie es kam.',
      sound: 'Ton dazu', music: 'Ton',
      soundTitle: 'Ein Ton zu diesem Bild',
      soundText: 'Sag etwas dazu, oder nenn ein Musikstück, das passt.',
      hasSound: 'Es hat eine Aufnahme. Eine neue tritt an ihre Stelle.',
      musicTitle: 'Musikstück', musicHint: 'Sein Titel, wie du ihn sagen würdest.',
      musicAddress: 'Link dazu', musicAddressHint: 'Darf leer bleiben. Mit Link können alle es öffnen: https://…',
      musicSave: 'Speichern', musicRemove: 'Keine Musik',
    },
  },
};

export const words = dictionary[language];

const formats = {
  time: new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  day: new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }),
  month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }),
  dayOfYear: new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
};

/** 18:04 */
export const timeOf = (at) => formats.time.format(at);

/** The length of a film: 1:05 */
export function clockOf(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** November 2026 */
export const monthOf = (at) => formats.month.format(at);

/** "today", "yesterday" or "Saturday 21 November", with the year if it is another one. */
export function dayOf(at, now = Date.now() + hubAhead()) {
  const days = Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0) return words.today;
  if (days === 1) return words.yesterday;
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? formats.day.format(at)
    : formats.dayOfYear.format(at);
}

/** When a picture was taken, for those who are told, and otherwise when it came. */
export function whenOf(picture) {
  const at = takenAt(picture);
  const said = (moment) => `${dayOf(moment)} ${timeOf(moment)}`;
  return at === null ? said(momentOf(picture)) : words.taken(said(at));
}

/** A picture in words. */
export const labelOf = (picture) => words.label(words.kinds[picture.kind] ?? words.kinds.other,
  picture.by?.name, whenOf(picture));

/** A number as the reader writes it. */
export const count = (number) => number.toLocaleString(locale);
