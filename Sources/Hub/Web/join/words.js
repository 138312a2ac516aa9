// What the page that signs a device in says, in German and English.

import { language } from '/people/told.js';

export const dictionary = {
  en: {
    title: 'Sign in',
    looking: 'One moment …',
    setup: {
      title: 'Ahoy! This hub is yours.',
      text: 'Whoever presses the button becomes its owner: settings, people, everything.',
      button: 'Make me the owner',
    },
    invitation: {
      title: (space) => `Welcome to ${space}`,
      named: (name) => `This invitation is for ${name}.`,
      text: (role, duty) => `As ${role} one ${duty}.`,
      button: 'Come aboard',
    },
    device: {
      title: (name) => `Hello ${name}`,
      text: (space) => `This device will be signed in at ${space} as yours.`,
      button: 'Sign this device in',
    },
    once: 'The link is good for one time. It is used up by the button, not by opening it.',
    yourName: 'Your name',
    nameHelp: 'As the others know you. It stands beside what you do.',
    otherPerson: (name) => `This device is signed in as ${name}. With the button it changes hands.`,
    samePerson: 'You are signed in on this device already. The link is not needed here; take it to the other one.',
    codeTitle: 'Sign in',
    codeText: 'Somebody who is signed in gets you a code: on their page “Me” for another device of theirs, an owner on '
      + '“People” for anyone.',
    code: 'Code',
    codeHelp: 'Eight letters and digits. A whole link can be pasted, too.',
    codeButton: 'Next',
    codeShape: 'A code has eight letters and digits, such as ABCD-EFGH.',
    or: 'or',
    passkey: 'Sign in with a passkey',
    passkeyNone: 'Nothing was chosen. A passkey has to be made first, on “Me”, on a device that is signed in.',
    anotherCode: 'Type another code',
    done: (name) => `Welcome aboard, ${name}.`,
    doneText: 'This device stays signed in until you sign it out.',
    toSettings: 'Set the hub up',
    toFront: 'Have a look',
    toMe: 'My devices',
    passkeyOffer: 'Make a passkey on “Me”: with it you get in again without anybody’s help.',
    signedIn: (name) => `You are signed in as ${name}.`,
    app: 'For an app on the home screen, do not open the link in the browser: type the code in the app.',
  },
  de: {
    title: 'Anmelden',
    looking: 'Einen Moment …',
    setup: {
      title: 'Moin! Dieser Server gehört dir.',
      text: 'Wer den Knopf drückt, übernimmt die Leitung: Einstellungen, Leute, alles.',
      button: 'Leitung übernehmen',
    },
    invitation: {
      title: (space) => `Willkommen bei ${space}`,
      named: (name) => `Diese Einladung ist für ${name}.`,
      text: (role, duty) => `Die Rolle „${role}“ ${duty}.`,
      button: 'An Bord kommen',
    },
    device: {
      title: (name) => `Hallo ${name}`,
      text: (space) => `Dieses Gerät wird bei ${space} als deines angemeldet.`,
      button: 'Dieses Gerät anmelden',
    },
    once: 'Der Link gilt einmal. Verbraucht wird er vom Knopf, nicht vom Öffnen.',
    yourName: 'Dein Name',
    nameHelp: 'So, wie die anderen dich kennen. Er steht bei dem, was du tust.',
    otherPerson: (name) => `Auf diesem Gerät ist ${name} angemeldet. Mit dem Knopf wechselt es den Besitzer.`,
    samePerson: 'Du bist auf diesem Gerät schon angemeldet. Hier braucht es den Link nicht; nimm ihn zum anderen mit.',
    codeTitle: 'Anmelden',
    codeText: 'Wer schon angemeldet ist, holt dir einen Code: auf der Seite „Ich“ für ein weiteres eigenes Gerät, die '
      + 'Leitung unter „Leute“ für alle.',
    code: 'Code',
    codeHelp: 'Acht Buchstaben und Ziffern. Auch ein ganzer Link lässt sich einfügen.',
    codeButton: 'Weiter',
    codeShape: 'Ein Code hat acht Buchstaben und Ziffern, etwa ABCD-EFGH.',
    or: 'oder',
    passkey: 'Mit Passkey anmelden',
    passkeyNone: 'Es wurde nichts gewählt. Ein Passkey entsteht zuerst unter „Ich“, auf einem angemeldeten Gerät.',
    anotherCode: 'Einen anderen Code eintippen',
    done: (name) => `Willkommen an Bord, ${name}.`,
    doneText: 'Dieses Gerät bleibt angemeldet, bis du es abmeldest.',
    toSettings: 'Einrichten',
    toFront: 'Umsehen',
    toMe: 'Meine Geräte',
    passkeyOffer: 'Leg unter „Ich“ einen Passkey an: Damit kommst du auch ohne fremde Hilfe wieder herein.',
    signedIn: (name) => `Du bist als ${name} angemeldet.`,
    app: 'Für eine App auf dem Startbildschirm den Link nicht im Browser öffnen, sondern den Code in der App '
      + 'eintippen.',
  },
};

export const words = dictionary[language];
