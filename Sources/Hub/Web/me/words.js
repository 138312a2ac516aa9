// The words of the page about oneself, in German and English.

import { language } from '/people/told.js';

export const dictionary = {
  en: {
    title: 'Me',
    renameMe: 'What are you called?',
    outTitle: 'Nobody is signed in here',
    outText: 'What is public can be read by everyone. Sign in to do what your role allows, and to have what is '
      + 'yours on all devices.',
    signIn: 'Sign in with a code or a link',
    passkeyIn: 'Sign in with a passkey',
    nothingChosen: 'Nothing was chosen. A passkey has to be made first, on a device that is signed in.',
    devices: 'My devices',
    devicesText: 'Each stays signed in for a year after it was last used.',
    thisOne: 'this one',
    seen: (age) => `last seen ${age}`,
    since: (day) => `since ${day}`,
    rename: 'Rename',
    renameDevice: 'What is this device called?',
    name: 'Name',
    save: 'Save',
    signOutDevice: 'Sign out',
    signOutTitle: (name) => `Sign out “${name}”?`,
    signOutText: 'It reads only what is public from then on, until it is signed in again.',
    madeOn: (what) => `Made on it: ${what}.`,
    madePasskey: (name) => `the passkey “${name}”`,
    madeToken: (name) => `the token “${name}”`,
    madeLink: (whom) => `an open link for ${whom}`,
    letIn: (devices) => `Signed in through it: ${devices}. That stays so; check whether it is right.`,
    endMade: 'End these, too: right for a device that is lost. Programs that use such a token or address need another.',
    add: 'Add another device',
    addText: 'A link, a QR code and a code to type, good for ten minutes and one device.',
    passkeys: 'Passkeys',
    passkeysText: 'With a passkey a finger, a face or the device’s PIN lets you in: also when every device was '
      + 'signed out '
      + 'or lost. It is made once for each of your devices, or comes along where these share theirs.',
    noPasskeys: 'You have none yet.',
    make: 'Make a passkey',
    made: 'The passkey is made. Next time it lets you in.',
    there: 'This device holds one of your passkeys already.',
    notMade: 'No passkey was made.',
    renamePasskey: 'What is this passkey called?',
    remove: 'Remove',
    removeTitle: (name) => `Remove the passkey “${name}”?`,
    removeText: 'The hub forgets it. Your device may still offer it; delete it there, too.',
    used: (age) => `last used ${age}`,
    unused: 'not used yet',
    synced: 'also on your other devices',
    forAddress: (host) => `for ${host}`,
    obstacle: {
      insecure: 'Passkeys need HTTPS and a host name. This address has a name, but no HTTPS: the hub’s guide says how '
        + 'to get it. Until then links and codes let you in.',
      number: 'Passkeys need HTTPS and a host name. This address is a number, for which browsers have no passkeys: '
        + 'open the hub by its name. Links and codes let you in here.',
      neither: 'Passkeys need HTTPS and a host name. This address is a number without HTTPS: the hub’s guide says how '
        + 'to get both. Until then links and codes let you in.',
      browser: 'This browser has no passkeys. Links and codes let you in.',
    },
    history: 'What happened here',
    manual: 'Manual',
    manualPage: '/docs/members',
    leave: 'Sign this device out',
    leaveTitle: 'Sign this device out?',
    leaveText: 'To come back you need a link, a code or a passkey.',
    leaveAlone: 'It is your only device that is signed in, and you have no passkey: without an owner’s help you '
      + 'do not get back in.',
    leaveAloneOwner: 'It is your only device that is signed in, and you have no passkey: another owner lets you in '
      + 'again, or the command eightbells link on the hub’s machine.',
    leaveHub: 'Leave for good',
    leaveHubTitle: 'Leave this hub for good?',
    leaveHubText: (gone) => `All your devices are signed out, and gone for good are: ${gone}. Only a new invitation `
      + 'lets you in again, as somebody new.',
    passkeysGone: 'passkeys',
    browsers: { passkey: (device) => `Passkey of ${device}` },
  },
  de: {
    title: 'Ich',
    renameMe: 'Wie heißt du?',
    outTitle: 'Hier ist niemand angemeldet',
    outText: 'Was öffentlich ist, kann jeder lesen. Melde dich an, um zu tun, was deine Rolle erlaubt, und um deine '
      + 'Sachen auf allen Geräten zu haben.',
    signIn: 'Mit Code oder Link anmelden',
    passkeyIn: 'Mit Passkey anmelden',
    nothingChosen: 'Es wurde nichts gewählt. Ein Passkey entsteht zuerst auf einem angemeldeten Gerät.',
    devices: 'Meine Geräte',
    devicesText: 'Jedes bleibt angemeldet, bis es ein Jahr lang nicht benutzt wurde.',
    thisOne: 'dieses hier',
    seen: (age) => `zuletzt ${age}`,
    since: (day) => `seit ${day}`,
    rename: 'Umbenennen',
    renameDevice: 'Wie heißt dieses Gerät?',
    name: 'Name',
    save: 'Speichern',
    signOutDevice: 'Abmelden',
    signOutTitle: (name) => `„${name}“ abmelden?`,
    signOutText: 'Es liest dann nur noch, was öffentlich ist, bis es wieder angemeldet wird.',
    madeOn: (what) => `Darauf entstanden: ${what}.`,
    madePasskey: (name) => `der Passkey „${name}“`,
    madeToken: (name) => `der Token „${name}“`,
    madeLink: (whom) => `ein offener Link für ${whom}`,
    letIn: (devices) => `Über dieses Gerät angemeldet: ${devices}. Das bleibt so; schau, ob es stimmt.`,
    endMade: 'Auch das beenden: richtig für ein Gerät, das verloren ist. Programme mit so einem Token oder so einer '
      + 'Adresse brauchen neue.',
    add: 'Weiteres Gerät anmelden',
    addText: 'Ein Link, ein QR-Code und ein Code zum Eintippen: zehn Minuten lang, für ein Gerät.',
    passkeys: 'Passkeys',
    passkeysText: 'Mit einem Passkey lässt dich ein Finger, ein Gesicht oder die PIN des Geräts herein: auch wenn alle '
      + 'Geräte abgemeldet oder verloren sind. Du legst ihn auf jedem Gerät einmal an, oder deine Geräte '
      + 'teilen ihn von selbst.',
    noPasskeys: 'Du hast noch keinen.',
    make: 'Passkey anlegen',
    made: 'Der Passkey ist angelegt. Nächstes Mal lässt er dich herein.',
    there: 'Dieses Gerät hat schon einen deiner Passkeys.',
    notMade: 'Es wurde kein Passkey angelegt.',
    renamePasskey: 'Wie heißt dieser Passkey?',
    remove: 'Entfernen',
    removeTitle: (name) => `Den Passkey „${name}“ entfernen?`,
    removeText: 'Der Server vergisst ihn. Dein Gerät bietet ihn vielleicht noch an; lösche ihn auch dort.',
    used: (age) => `zuletzt benutzt ${age}`,
    unused: 'noch nicht benutzt',
    synced: 'auch auf deinen anderen Geräten',
    forAddress: (host) => `für ${host}`,
    obstacle: {
      insecure: 'Passkeys brauchen HTTPS und einen Namen als Adresse. Einen Namen gibt es hier, aber kein HTTPS: Wie '
        + 'man es bekommt, steht in der Anleitung des Servers. Bis dahin lassen Links und Codes dich herein.',
      number: 'Passkeys brauchen HTTPS und einen Namen als Adresse. Diese Adresse ist eine Nummer, für die Browser '
        + 'keine Passkeys haben: Öffne den Server unter seinem Namen. Hier lassen Links und Codes dich herein.',
      neither: 'Passkeys brauchen HTTPS und einen Namen als Adresse. Diese Adresse ist eine Nummer ohne HTTPS: Wie '
        + 'man beides bekommt, steht in der Anleitung des Servers. Bis dahin lassen Links und Codes dich herein.',
      browser: 'Dieser Browser kennt keine Passkeys. Links und Codes lassen dich herein.',
    },
    history: 'Was hier geschah',
    manual: 'Handbuch',
    manualPage: '/docs/mitglieder',
    leave: 'Dieses Gerät abmelden',
    leaveTitle: 'Dieses Gerät abmelden?',
    leaveText: 'Zurück kommst du mit einem Link, einem Code oder einem Passkey.',
    leaveAlone: 'Es ist dein einziges angemeldetes Gerät, und du hast keinen Passkey: Ohne Hilfe der Leitung kommst du '
      + 'nicht wieder herein.',
    leaveAloneOwner: 'Es ist dein einziges angemeldetes Gerät, und du hast keinen Passkey: Wieder herein lässt dich '
      + 'jemand anderes aus der Leitung, oder der Befehl eightbells link auf dem Rechner des Servers.',
    leaveHub: 'Für immer gehen',
    leaveHubTitle: 'Für immer gehen?',
    leaveHubText: (gone) => `Alle deine Geräte werden abgemeldet, und für immer weg sind: ${gone}. Zurück kommst du `
      + 'nur mit einer neuen Einladung, und dann als neue Person.',
    passkeysGone: 'Passkeys',
    browsers: { passkey: (device) => `Passkey von ${device}` },
  },
};

export const words = dictionary[language];
