// The words about private messages, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Private messages',
    about: 'Only devices with your key can read them; the hub cannot. Make a key on one device, and show it '
      + 'to the others.',
    insecure: 'Browsers open private messages only for pages that came over HTTPS. Whoever runs this hub finds the way '
      + 'in the manual, at /docs/https.',
    make: 'Make a key',
    have: (id) => `This device has the key ${id}.`,
    none: 'There is no current key on this device; the older ones still open what comes.',
    kept: 'Signing out here forgets it: have it on a second device.',
    hand: 'Show it to another device',
    hide: 'Hide it',
    rotate: 'New key',
    rotateTitle: 'Make a new key?',
    rotateText: 'Give it to your other devices and to whoever sends you private messages. The old key still opens what '
      + 'comes with it.',
    older: 'Older keys',
    forget: 'Forget',
    forgetTitle: (id) => `Forget the key ${id}?`,
    forgetText: 'This device will not be able to read what is sealed with it any more.',
    revoke: 'Revoke',
    revokeTitle: (id) => `Revoke the key ${id}?`,
    revokeText: 'Nobody can send anything with it any more, and this device will not read what came with it. Do that '
      + 'when somebody else may have it, such as with a lost phone.',
    offered: (id) => `A key was handed to this device: ${id}.`,
    offeredText: 'Take it only if it comes from one of your own devices, or from whoever sends you private messages.',
    take: 'Take this key',
    decline: 'No, thanks',
    signInFirst: 'Sign in first; then scan the code or open the link once more.',
    bad: 'This link holds no key. Perhaps a part of it is missing.',
    refused: {
      revoked: 'This key was revoked.',
      full: 'There are too many keys on this device: forget an old one.',
      unkept: 'Nothing can be stored on this device, so the key would be lost.',
    },
    scan: 'Scan it with the other device’s camera, or copy the link. Whoever has it can read your private messages.',
    qr: 'QR code with the key',
    copy: 'Copy the link',
    noQR: 'The QR code could not be drawn; the link does the same.',
    noKey: 'Private: this device does not have the key.',
    otherFile: 'A file that cannot be shown here',
    opening: 'Opening …',
    notOpened: 'The file could not be opened.',
    picture: 'Picture',
    show: { image: 'Show the picture', audio: 'Play the sound', video: 'Show the video' },
  },
  de: {
    title: 'Private Mitteilungen',
    about: 'Nur Geräte mit deinem Schlüssel können sie lesen, der Server kann es nicht. Erzeuge auf einem Gerät einen '
      + 'Schlüssel und zeig ihn den anderen.',
    insecure: 'Browser öffnen private Mitteilungen nur bei Seiten, die über HTTPS kommen. Wer diesen Server betreibt, '
      + 'findet die Anleitung im Handbuch unter /docs/https.',
    make: 'Schlüssel erzeugen',
    have: (id) => `Dieses Gerät hat den Schlüssel ${id}.`,
    none: 'Auf diesem Gerät ist kein aktueller Schlüssel; ältere öffnen weiterhin, was mit ihnen kommt.',
    kept: 'Beim Abmelden wird er hier vergessen: Gib ihn auch einem zweiten Gerät.',
    hand: 'Einem anderen Gerät zeigen',
    hide: 'Verbergen',
    rotate: 'Neuer Schlüssel',
    rotateTitle: 'Einen neuen Schlüssel erzeugen?',
    rotateText: 'Gib ihn deinen anderen Geräten und allen, die dir private Mitteilungen schicken. Der alte öffnet '
      + 'weiterhin, was mit ihm kommt.',
    older: 'Ältere Schlüssel',
    forget: 'Vergessen',
    forgetTitle: (id) => `Den Schlüssel ${id} vergessen?`,
    forgetText: 'Dieses Gerät kann dann nicht mehr lesen, was damit verschlossen ist.',
    revoke: 'Widerrufen',
    revokeTitle: (id) => `Den Schlüssel ${id} widerrufen?`,
    revokeText: 'Niemand kann mehr etwas damit schicken, und dieses Gerät liest nicht mehr, was damit kam. Mach das, '
      + 'wenn ihn jemand anderes haben könnte, etwa weil ein Telefon verloren ging.',
    offered: (id) => `Diesem Gerät wurde ein Schlüssel gegeben: ${id}.`,
    offeredText: 'Nimm ihn nur, wenn er von einem deiner Geräte kommt oder von jemandem, der dir private Mitteilungen '
      + 'schickt.',
    take: 'Schlüssel nehmen',
    decline: 'Nein, danke',
    signInFirst: 'Melde dich erst an; dann scanne den Code oder öffne den Link noch einmal.',
    bad: 'In diesem Link ist kein Schlüssel. Vielleicht fehlt ein Stück.',
    refused: {
      revoked: 'Dieser Schlüssel wurde widerrufen.',
      full: 'Auf diesem Gerät sind zu viele Schlüssel: Vergiss einen alten.',
      unkept: 'Auf diesem Gerät lässt sich nichts speichern, der Schlüssel ginge verloren.',
    },
    scan: 'Scanne ihn mit der Kamera des anderen Geräts, oder kopiere den Link. Wer ihn hat, kann deine privaten '
      + 'Mitteilungen lesen.',
    qr: 'QR-Code mit dem Schlüssel',
    copy: 'Link kopieren',
    noQR: 'Der QR-Code ließ sich nicht zeichnen; der Link tut dasselbe.',
    noKey: 'Privat: Dieses Gerät hat den Schlüssel nicht.',
    otherFile: 'Eine Datei, die sich hier nicht zeigen lässt',
    opening: 'Wird geöffnet …',
    notOpened: 'Die Datei ließ sich nicht öffnen.',
    picture: 'Bild',
    show: { image: 'Bild zeigen', audio: 'Ton abspielen', video: 'Video zeigen' },
  },
};

export const privateWords = dictionary[language];
