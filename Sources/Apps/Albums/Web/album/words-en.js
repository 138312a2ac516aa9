// The words of a guest's page in English.

import { locale } from '/shell-words.js';

const pictures = (count) => (count === 1 ? '1 picture' : `${count.toLocaleString(locale)} pictures`);
const people = (count) => (count === 1 ? '1 person' : `${count.toLocaleString(locale)} people`);

export const english = {
  title: 'Album',
  join: {
    title: 'You are invited',
    text: 'People here share their pictures. No account, nothing to install.',
    textOf: (count) => `${people(count)} share their pictures. No account, nothing to install.`,
    textOfBox: 'Give the hosts your pictures. No account, nothing to install.',
    button: 'Join',
    small: 'Others here see your pictures. You can take yours back at any time. Only the hosts learn where, and with '
      + 'which camera, they were taken.',
    smallOfBox: 'Only the hosts see your pictures, and where, and with which camera, they were taken. You can take '
      + 'yours back at any time.',
    passphrase: 'Passphrase',
    passphraseHint: 'It stands beside the code; the hosts know it, too.',
  },
  asked: {
    title: 'A host lets you in',
    text: 'They see that you wait; if it takes long, tell one of them. This page opens by itself.',
    name: 'Your name',
    nameHint: 'So that they know who asks.',
    send: 'Send my name',
    told: (name) => `They see: ${name}.`,
    lost: 'There is no connection just now. The page goes on asking.',
  },
  over: {
    wrong: ['This link leads to no album', 'It may have been replaced by a new one. Scan the code again, or ask '
      + 'whoever sent you the link.'],
    none: ['Which album?', 'Open the whole link that you were given, or scan the code with the camera.'],
    closed: ['This album is closed', 'Nobody can join any more. Its hosts can open it again.'],
    gone: ['This album is not here any more', 'Its hosts have deleted it. What you took with your phone’s own camera '
      + 'is still there.'],
    removed: ['You are no longer in this album', 'A host has removed you, you have left, or this device was signed '
      + 'out. If that was a mistake, ask the hosts, and open the link again.'],
    refused: ['A host said no', 'If that was a mistake, talk to them, then open the link again.'],
    'signed-out': ['You are signed out', 'You see this album with your account. Sign in on this device, then open it '
      + 'again.'],
    signIn: 'Sign in', mine: 'Your albums',
    again: 'Try the link again',
    forget: 'Remove it from this device',
    forgetAsk: (count) => `${pictures(count)} that ${count === 1 ? 'was' : 'were'} not sent ${
      count === 1 ? 'goes' : 'go'} with it. What you took with this page’s camera is nowhere else.`,
    forgetYes: 'Remove all of it',
    others: 'Other albums on this device',
    left: (count) => `${pictures(count)} of yours ${count === 1 ? 'is' : 'are'} still on this device and ${
      count === 1 ? 'was' : 'were'} not sent.`,
  },
  head: {
    counts: (all, guests) => `${pictures(all)}, ${people(guests)}`,
    mine: (all) => `${pictures(all)} of yours`,
    guest: 'You are a guest',
    addName: 'Add your name',
    change: 'Change',
    switch: (count) => (count === 1 ? '1 other album' : `${count} other albums`),
    closed: 'This album is closed: you can look, and take yours back, but nothing new can be added.',
    offline: 'No connection. You see what was there last.',
    partly: (shown, all) => `No connection. You see what was there last, ${shown.toLocaleString(locale)} of ${
      pictures(all)}.`,
    uploadOnly: 'Only the hosts see what comes in. Here are your own.',
    review: 'A host looks at each picture before the others see it.',
  },
  me: {
    title: 'Your name',
    label: 'Name',
    hint: 'It stands beside your pictures. Leave it empty to stay a guest.',
    save: 'Save',
    leave: 'Leave this album',
    leaveText: 'Your pictures stay, and later you cannot take them back any more.',
    leaveBack: (count) => `Take ${count === 1 ? 'my picture' : `all my ${pictures(count)}`} back first`,
    leaveUnsent: (count) => `${pictures(count)} ${count === 1 ? 'was' : 'were'} not sent and ${
      count === 1 ? 'goes' : 'go'} from this device. What you took with this page’s camera is nowhere else.`,
    leaveYes: 'Leave',
  },
  albums: { title: 'Albums on this device', here: 'you are here', waiting: (count) => `${pictures(count)} not sent` },
  empty: {
    title: 'The first picture is yours.',
    text: 'Take one, or choose some. Whoever scans this code is in, too.',
    closed: 'There are no pictures here.',
    alt: 'QR code of this album’s link',
  },
  take: 'Take',
  choose: 'Choose',
  queue: {
    sending: (now, all) => (all === 1 ? 'Sending 1 picture' : `Sending ${now} of ${all}`),
    started: 'Sending pictures.',
    paused: (count) => (count === 1 ? '1 picture waits' : `${count} pictures wait`),
    left: (bytes) => `${bytes} left`,
    about: (seconds) => (seconds < 50 ? 'less than a minute' : `about ${Math.round(seconds / 60) || 1} min`),
    done: (count) => (count === 1 ? 'Your picture is there' : `All ${count} are there`),
    failed: (count) => (count === 1 ? '1 picture was not accepted' : `${count} pictures were not accepted`),
    states: { keeping: 'on its way', waits: 'waits', sent: 'sent', known: 'is there', failed: 'not sent' },
    percent: (share) => `${share}%`,
    keeping: 'Keep this page open: not all of them are stored on this device yet.',
    stay: 'Keep this page open while it sends. If you close it, it goes on where it stopped.',
    goesOn: 'You may close this page: this browser sends the rest by itself, as soon as there is a network.',
    fleeting: 'This browser keeps nothing for us (a private window, or a full device?). Keep the page open until all '
      + 'are sent.',
    pauses: {
      network: 'No connection. Your pictures wait on this device and go on by themselves.',
      busy: 'The server is busy. It goes on by itself in a moment.',
      full: 'The server is nearly full. Whoever runs it has to make room; your pictures wait on this device.',
      room: 'The album, or your share of it, is full. A host, or whoever runs the server, can make room; your pictures '
        + 'wait on this device, and go on by themselves then.',
      stopped: 'The album accepts nothing just now. Your pictures wait on this device.',
      elsewhere: 'Another tab of this album sends them.',
    },
    empty: 'This file is empty: there is nothing in it to send.',
    unkept: 'This device could not read it. Choose it again.',
    tooMany: (count) => `${count === 1 ? '1 was' : `${count} were`} left out: ${500} can wait at one time. `
      + 'Choose them again when these are sent.',
    notTaken: 'That did not work: nothing of it was taken. Reload the page, and choose again.',
    leftOut: (names, count) => (count === 1 ? `${names} is neither a picture nor a video, and was left out.`
      : `${count} files are neither pictures nor videos, and were left out: ${names}.`),
    backSent: 'Take it back',
    away: 'Put away', awayAsk: 'It was not sent. If you took it with this page’s camera, it is nowhere else.',
    awayYes: 'Put it away for good', keep: 'Keep it', save: 'Save to this device',
    saveReady: 'Ready: save now',
    retry: 'Try again', retryAll: 'Try all again',
    details: (name, state) => `${name || 'A picture'}: ${state}`,
    preparing: 'The phone gets your pictures ready …',
  },
  camera: {
    title: 'Camera',
    shutter: 'Take a picture',
    turn: 'Other camera',
    modes: 'Pictures or videos', photo: 'Picture', film: 'Video',
    record: 'Start the video',
    stop: 'Stop the video',
    left: (seconds) => `${seconds} s left`,
    silent: 'Without sound: the microphone may not be used here.',
    done: 'Done',
    taken: (count) => (count === 0 ? '' : pictures(count)),
    refused: 'The camera may not be used here. Allow it in the browser’s settings for this page, or use the phone’s '
      + 'own camera and choose the pictures afterwards.',
    missing: 'This device has no camera that can be used. Choose pictures instead.',
    failed: 'That was not taken. Try again, or use the phone’s own camera and choose it afterwards.',
    starting: 'One moment …',
  },
  sound: {
    add: 'Add a sound',
    stop: 'Stop',
    left: (seconds) => `${seconds} s`,
    added: 'With a sound',
    waits: 'Recorded. It is sent by itself.',
    refused: 'The microphone may not be used here. Allow it in the browser’s settings for this page.',
    failed: 'No sound was recorded. Try again: another app may have the microphone, or there is none.',
  },
};
