// Readable messages for errors, in German and English: by the hub's error codes, and by the codes of reasons. In
// English the hub's own sentence is used where there is no better one, without help for programs; a test checks that
// German is complete.

import { HubError } from '/keep.js';
import { reasons } from '/reasons.js';
import { errors as ofRooms } from '/rooms-words.js';
import { language } from '/shell-words.js';

const own = {
  en: {
    offline: ['The hub cannot be reached.', 'Look whether this device has a connection, then try again.'],
    denied: ['The browser does not let this page do that.', ''],
    answered: (status) => [`The hub answered ${status}.`, status < 500 && status !== 404 ? ''
      : 'It may be starting: try again in a minute.'],
    tooLarge: ['That is too large for the web server before the hub.', 'Whoever runs it can have it take more; the '
      + 'manual tells how, at /docs/https.'],
    errors: {
      40035: ['The passkey did not fit.', 'Try again; if it stays so, a link or a code lets you in.'],
      40036: ['There are no passkeys at this address.', 'They need HTTPS and a host name, not a number such as '
        + '192.168.1.10: open the hub by its name.'],
      40101: ['Nobody is signed in here any more.', 'Sign in again, with a link, a code or a passkey.'],
      40135: ['This hub does not know the passkey.', 'It may have been removed. A link or a code lets you in.'],
      40136: ['The passkey was not accepted.', 'A link or a code lets you in; then make a new one.'],
      40301: ['Your role does not allow it.', 'An owner can give you another one, on “People”.'],
      40420: ['This link or code is not known, or no longer good.', 'Look whether it is typed right; codes are good '
        + 'for ten minutes. An owner, or you on another device, can make a new one.'],
      40421: ['The device is signed out already.', ''],
      40422: ['This person is not here any more.', ''],
      40801: ['The request came too slowly.', 'Try again with a better connection.'],
      40920: ['The last owner has to stay one.', 'Make somebody else an owner first.'],
      40936: ['You have 20 passkeys, which is as many as one can have.', 'Remove one that is not needed any more.'],
      41020: ['This link was used already.', 'Each is good for one device, and the browser within a chat counts as '
        + 'one. If that was not you, tell an owner: somebody else may be signed in by it.'],
      41021: ['This link has expired.', 'Ask for a new one; it is made in a moment.'],
      41201: ['Somebody else has changed it meanwhile.', 'Reload the page.'],
      41301: ['This is too large.', ''],
      42901: ['Too many connections from where you are.', 'Close some pages of the hub, then try again.'],
      42902: ['Too many requests in a short time.', 'Wait a moment, then try again; nothing was changed.'],
      42920: ['Too many wrong tries.', 'Wait some minutes, then try again, or ask for a new link.'],
    },
  },
  de: {
    offline: ['Der Server ist nicht erreichbar.', 'Schau, ob dieses Gerät eine Verbindung hat, und versuche es noch '
      + 'einmal.'],
    denied: ['Der Browser erlaubt das dieser Seite nicht.', ''],
    answered: (status) => [`Der Server hat mit ${status} geantwortet.`, status < 500 && status !== 404 ? ''
      : 'Vielleicht startet er gerade: Versuch es in einer Minute noch einmal.'],
    tooLarge: ['Das ist dem Webserver zu groß, der davor steht.', 'Wer ihn betreibt, kann mehr zulassen; wie, steht im '
      + 'Handbuch unter /docs/https.'],
    errors: {
      40001: ['Die Anfrage war nicht zu verstehen.', 'Lade die Seite neu und versuche es noch einmal.'],
      40002: ['Die Anfrage war nicht zu verstehen.', 'Lade die Seite neu und versuche es noch einmal.'],
      40003: ['Etwas davon geht so nicht.', ''],
      40004: ['Danach lässt sich so nicht fragen.', ''],
      40035: ['Der Passkey passte nicht.', 'Versuche es noch einmal; sonst lässt dich ein Link oder ein Code herein.'],
      40036: ['An dieser Adresse gibt es keine Passkeys.', 'Sie brauchen HTTPS und einen Namen statt einer Nummer wie '
        + '192.168.1.10: Öffne den Server unter seinem Namen.'],
      40101: ['Hier ist niemand mehr angemeldet.', 'Melde dich wieder an: mit Link, Code oder Passkey.'],
      40102: ['Diesen Token kennt der Server nicht.', ''],
      40135: ['Dieser Server kennt den Passkey nicht.',
        'Vielleicht wurde er entfernt. Ein Link oder Code lässt dich herein.'],
      40136: ['Der Passkey wurde nicht angenommen.', 'Ein Link oder Code lässt dich herein; leg dann einen neuen an.'],
      40301: ['Das erlaubt deine Rolle nicht.', 'Die Leitung kann dir unter „Leute“ eine andere geben.'],
      40320: ['Die Anfrage kam von einer anderen Seite.',
        'Öffne den Server unter seiner eigenen Adresse. Steht ein Webserver davor, muss er Host '
        + 'weitergeben oder in trusted_proxies stehen.'],
      40321: ['Das geht nur als Person, nicht mit einem Token.', 'Melde ein Gerät an.'],
      40375: ['Dieser Kanal ist nicht für dich.', ''],
      40401: ['Dort gibt es nichts.', ''],
      40402: ['Es gibt noch keine Einstellungen.', 'Die Leitung kann sie festlegen.'],
      40420: ['Diesen Link oder Code gibt es nicht, oder nicht mehr.', 'Schau, ob er richtig getippt ist; Codes '
        + 'gelten zehn Minuten. Einen neuen macht dir die Leitung, oder du selbst auf einem anderen Gerät.'],
      40421: ['Das Gerät ist schon abgemeldet.', ''],
      40422: ['Diese Person ist nicht mehr hier.', ''],
      40423: ['Diesen Token gibt es nicht mehr.', ''],
      40435: ['Diesen Passkey gibt es nicht mehr.', ''],
      40501: ['Das geht an dieser Adresse nicht.', ''],
      40801: ['Die Anfrage kam zu langsam an.', 'Versuche es mit einer besseren Verbindung noch einmal.'],
      40920: ['Jemand muss die Leitung behalten.', 'Gib erst jemand anderem diese Rolle.'],
      40921: ['Mehr davon gehen nicht.', 'Entferne erst etwas, das nicht mehr gebraucht wird.'],
      40922: ['Das wurde schon einmal anders geschickt.', 'Lade die Seite neu und versuch es noch einmal.'],
      40935: ['Diesen Passkey gibt es schon.', ''],
      40936: ['Du hast 20 Passkeys, mehr gehen nicht.', 'Entferne einen, den es nicht mehr braucht.'],
      41020: ['Dieser Link ist schon verbraucht.', 'Jeder gilt für ein Gerät, und der Browser in einer Chat-App '
        + 'zählt als eines. Warst du es nicht, sag es der Leitung: Jemand anderes ist vielleicht damit angemeldet.'],
      41021: ['Dieser Link ist abgelaufen.', 'Lass dir einen neuen geben; er ist schnell gemacht.'],
      41201: ['Inzwischen hat es jemand anderes geändert.', 'Lade die Seite neu.'],
      41301: ['Das ist zu groß.', ''],
      41401: ['Die Adresse ist zu lang.', ''],
      41601: ['Diesen Teil gibt es nicht.', ''],
      42601: ['Diese Adresse ist für andere Programme.', ''],
      42901: ['Zu viele Verbindungen von hier aus.', 'Schließ ein paar Seiten des Servers und versuch es noch einmal.'],
      42902: ['Zu viele Anfragen in kurzer Zeit.', 'Warte kurz und versuch es noch einmal; geändert ist nichts.'],
      42920: ['Zu viele falsche Versuche.', 'Warte ein paar Minuten, oder lass dir einen neuen Link geben.'],
      43101: ['Der Browser schickt zu viel mit.', 'Lösche die Cookies dieser Seite.'],
      50001: ['Der Server konnte seine Daten nicht lesen oder schreiben.',
        'Warum, steht in seinem Protokoll. Was du geschickt hast, ist nicht gespeichert.'],
      50101: ['Das kann der Server nicht.', ''],
      50301: ['Der Server kam nicht dazu.', 'Versuche es später noch einmal; vielleicht geschieht es noch.'],
      50302: ['Dem Server geht es nicht gut.', 'Was ihm fehlt, steht in seinem Protokoll.'],
      50303: [
        'Der Speicher für große Dateien antwortet nicht, wie er soll.',
        'Was du geschickt hast, ist nicht gespeichert. Versuch es nachher noch einmal.'],
      50304: [
        'Der Server erreicht seine Datenbank nicht und sucht sie.',
        'Was du geschickt hast, ist wahrscheinlich nicht gespeichert: Sieh nach, und schick es gleich noch einmal.'],
      50501: ['Diese Sprache spricht der Server nicht.', ''],
      50701: ['Auf dem Server ist kein Platz mehr.',
        'Was du geschickt hast, ist nicht gespeichert. Die Leitung muss Platz schaffen.'],
    },
  },
};

/** With the rooms' messages for their own errors. */
export const dictionary = Object.fromEntries(Object.entries(own).map(([to, { errors, ...rest }]) =>
  [to, { ...rest, errors: { ...errors, ...ofRooms[to] } }]));

/** A reason {code, text, values} in the reader's language. A value may be another reason. */
export function said(reason, to = language) {
  const words = to === 'de' ? reasons[reason.code] : undefined;
  if (!words) return reason.text;
  return words.replace(/\{(\w+)\}/g, (place, name) => {
    const value = reason.values[name];
    // A size is the hub's "9.5 GB".
    return value?.code ? said(value, to) : String(value ?? place).replace(/^(\d+)\.(\d) GB$/, '$1,$2 GB');
  });
}

/** Help with requests in it is for programs, and tells a reader of the page nothing. */
const isForPrograms = (help) => /\/api\/|\{"|Authorization|\b(?:GET|POST|PUT|PATCH|DELETE)\b/.test(help);

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

const LOST = ['AbortError', 'NetworkError', 'TimeoutError']; // of a request; others are the browser's own refusals

/** An error's message for the reader: {title, help}. */
export function explained(error, to = language) {
  if (!(error instanceof HubError)) {
    console.error(error);
    const { denied, offline } = dictionary[to];
    const [title, help] = error instanceof DOMException && !LOST.includes(error.name) ? denied : offline;
    return { title, help };
  }
  if (!error.code) { // by a web server in front of the hub
    const { answered, tooLarge } = dictionary[to];
    const [title, help] = error.status === 413 ? tooLarge : answered(error.status);
    return { title, help };
  }
  const known = dictionary[to].errors[error.code];
  if (!known) return { title: error.message, help: error.help && !isForPrograms(error.help) ? error.help : '' };
  const faults = error.reason ? [said(error.reason, to)] : Object.values(explainedFields(error, to));
  const why = faults.map(sentence).join(' ');
  return { title: known[0], help: [why, known[1]].filter(Boolean).join(' ') };
}

/** The messages of single fields, by name. */
export const explainedFields = ({ fields = {}, fieldReasons = {} }, to = language) => Object.fromEntries(
  Object.entries(fields).map(([name, text]) => [name, fieldReasons[name] ? said(fieldReasons[name], to) : text]));
