// The words of the page that signs a device in, in German and English.

import { language } from '/people/told.js';

export const dictionary = {
  en: {
    title: 'Sign in',
    looking: 'One moment …',
    noCookies: 'This browser blocks cookies, so nobody can be signed in here. Allow them for this page, then load it '
      + 'again. A link is not used up by this.',
    setup: {
      title: 'Ahoy! This hub is yours.',
      text: 'Whoever presses the button becomes its owner: settings, people, everything.',
      button: 'Make me the owner',
    },
    invitation: {
      title: (space) => `Welcome to ${space}`,
      named: (name) => `This invitation is for ${name}.`,
      text: (role) => `The role “${role}”`,
      button: 'Come aboard',
    },
    device: {
      title: (name) => `Hello ${name}`,
      text: (space) => `This device will be signed in at ${space} as yours.`,
      button: 'Sign this device in',
    },
    once: 'The link works once. It is used up by the button, not by opening it.',
    inApp: 'This is the browser within another app. Open the page in your usual one, by the app’s menu, before you '
      + 'press the button: otherwise you are signed in here alone, and the link is used up.',
    yourName: 'Your name',
    nameHelp: 'As the others know you. It stands beside what you do.',
    otherPerson: (name) => `This device is signed in as ${name}. With the button it changes hands.`,
    samePerson: 'You are signed in on this device already. The link is not needed here; take it to the other one.',
    codeTitle: 'Sign in',
    codeText: 'You get a code on a device where you are signed in, under “Me”, or from an owner, under “People”.',
    code: 'Code',
    codeHelp: 'Eight letters and digits. A whole link can be pasted, too.',
    codeButton: 'Next',
    nameMissing: 'Your name is missing.',
    codeShape: 'A code has eight letters and digits, such as ABCD-EFGH.',
    or: 'or',
    passkey: 'Sign in with a passkey',
    passkeyNone: 'Nothing was chosen. A passkey has to be made first, on “Me”, on a device that is signed in.',
    done: (name) => `Welcome aboard, ${name}.`,
    doneText: 'This device stays signed in until you sign it out.',
    toSettings: 'Set the hub up',
    toFront: 'Have a look',
    look: 'Only look around',
    notMeant: 'Not meant for you? Close the page, nothing has happened.',
    toMe: 'My devices',
    passkeyTitle: 'Next time without a link',
    passkeyOffer: 'With a passkey your finger, your face or this device’s PIN lets you in, without anybody’s help.',
    makePasskey: 'Make a passkey',
    passkeyMade: 'The passkey is made. Next time it lets you in.',
    passkeyName: (device) => `Passkey of ${device}`,
    signedIn: (name) => `You are signed in as ${name}.`,
    app: 'For an app on the home screen, do not open the link in the browser: type the code in the app.',
  },
  de: {
    title: 'Anmelden',
    looking: 'Einen Moment …',
    noCookies: 'Dieser Browser blockiert Cookies, darum kann sich hier niemand anmelden. Erlaub sie für diese Seite, '
      + 'dann lade sie neu. Ein Link ist dadurch nicht verbraucht.',
    setup: {
      title: 'Moin! Dieser Server gehört dir.',
      text: 'Wer den Knopf drückt, übernimmt die Leitung: Einstellungen, Leute, alles.',
      button: 'Leitung übernehmen',
    },
    invitation: {
      title: (space) => `Willkommen bei ${space}`,
      named: (name) => `Diese Einladung ist für ${name}.`,
      text: (role) => `Die Rolle „${role}“`,
      button: 'An Bord kommen',
    },
    device: {
      title: (name) => `Hallo ${name}`,
      text: (space) => `Dieses Gerät wird bei ${space} als deines angemeldet.`,
      button: 'Dieses Gerät anmelden',
    },
    once: 'Der Link gilt einmal. Verbraucht wird er vom Knopf, nicht vom Öffnen.',
    inApp: 'Das ist der Browser einer anderen App. Öffne die Seite über deren Menü in deinem gewohnten, bevor du den '
      + 'Knopf drückst: Sonst bist du nur hier angemeldet, und der Link ist verbraucht.',
    yourName: 'Dein Name',
    nameHelp: 'So, wie die anderen dich kennen. Er steht bei dem, was du tust.',
    otherPerson: (name) => `Auf diesem Gerät ist ${name} angemeldet. Mit dem Knopf wechselt es den Besitzer.`,
    samePerson: 'Du bist auf diesem Gerät schon angemeldet. Hier braucht es den Link nicht; nimm ihn zum anderen mit.',
    codeTitle: 'Anmelden',
    codeText: 'Einen Code bekommst du auf einem Gerät, auf dem du schon angemeldet bist, unter „Ich“, oder von der '
      + 'Leitung, unter „Leute“.',
    code: 'Code',
    codeHelp: 'Acht Buchstaben und Ziffern. Auch ein ganzer Link lässt sich einfügen.',
    codeButton: 'Weiter',
    nameMissing: 'Dein Name fehlt noch.',
    codeShape: 'Ein Code hat acht Buchstaben und Ziffern, etwa ABCD-EFGH.',
    or: 'oder',
    passkey: 'Mit Passkey anmelden',
    passkeyNone: 'Es wurde nichts gewählt. Ein Passkey entsteht zuerst unter „Ich“, auf einem angemeldeten Gerät.',
    done: (name) => `Willkommen an Bord, ${name}.`,
    doneText: 'Dieses Gerät bleibt angemeldet, bis du es abmeldest.',
    toSettings: 'Einrichten',
    toFront: 'Umsehen',
    look: 'Nur umsehen',
    notMeant: 'Nicht für dich? Schließ die Seite, es ist nichts geschehen.',
    toMe: 'Meine Geräte',
    passkeyTitle: 'Nächstes Mal ohne Link',
    passkeyOffer: 'Mit einem Passkey lässt dich dein Finger, dein Gesicht oder die PIN dieses Geräts herein, ohne '
      + 'fremde Hilfe.',
    makePasskey: 'Passkey anlegen',
    passkeyMade: 'Der Passkey ist angelegt. Nächstes Mal lässt er dich herein.',
    passkeyName: (device) => `Passkey von ${device}`,
    signedIn: (name) => `Du bist als ${name} angemeldet.`,
    app: 'Für eine App auf dem Startbildschirm den Link nicht im Browser öffnen, sondern den Code in der App '
      + 'eintippen.',
  },
};

export const words = dictionary[language];
