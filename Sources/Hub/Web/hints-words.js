// The words of the hints about a device and of the checklist, in German and English. A test compares the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    checklist: {
      title: 'Then you are under way', done: 'done', count: (done, all) => `${done} of ${all} done`, or: ', or ',
      name: ['Say whose this is', 'a name is enough to begin with'],
      source: ['Connect something', ''],
      https: ['Reach it by HTTPS', 'so phones can keep it, sign in with a passkey, and ring while they are locked'],
      people: ['Let somebody in', 'a link for one person; it is used up when they join'],
    },
    hints: {
      title: {
        insecure: () => 'Without HTTPS, this page can do less',
        prompt: (name) => `Install ${name} on this device`,
        iphone: (name) => `Put ${name} on your home screen`,
        'iphone-other': (name) => `Put ${name} on your home screen`,
      },
      insecureText: 'You opened it over plain HTTP. Browsers then allow a page less, and others on the same network '
        + 'can read along. What does not work:',
      insecureList: ['installing it on the home screen', 'working without a network', 'signing in with a passkey'],
      httpsTitle: 'How whoever runs the hub gets HTTPS',
      https: [
        'With a name of its own, the hub behind Caddy: two lines, and Caddy fetches the certificate.',
        'Behind an nginx that is there already, with certbot’s certificate.',
        'By itself: eightbells serve --certificate FILE --key FILE.',
        'Step by step: in the manual of this hub, at /docs/https.',
      ],
      promptText: 'It then opens in a window of its own, at once, and without a network too.',
      install: 'Install',
      share: 'Share',
      iphone: ['Touch “…” if it is there, then the share button',
        'Choose “Add to Home Screen”, further down in the list.', 'Touch “Add”.'],
      iphoneWhy: 'From there it opens at once, and without a network too. It asks you to sign in once more, since it '
        + 'does not share Safari’s cookies.',
      iphoneOther: 'Open this page in Safari; there the share button has “Add to Home Screen”.',
      putAway: 'Not now',
    },
  },
  de: {
    checklist: {
      title: 'Dann seid ihr unterwegs', done: 'fertig', count: (done, all) => `${done} von ${all} fertig`,
      or: ' oder ',
      name: ['Sagen, wem das hier gehört', 'ein Name genügt für den Anfang'],
      source: ['Etwas anschließen', ''],
      https: ['Über HTTPS erreichbar machen',
        'damit Telefone alles behalten, Passkeys gehen und auch gesperrte Telefone läuten'],
      people: ['Jemanden hereinlassen', 'ein Link für eine Person; er ist verbraucht, wenn sie da ist'],
    },
    hints: {
      title: {
        insecure: () => 'Ohne HTTPS kann diese Seite weniger',
        prompt: (name) => `${name} auf diesem Gerät installieren`,
        iphone: (name) => `${name} auf den Home-Bildschirm`,
        'iphone-other': (name) => `${name} auf den Home-Bildschirm`,
      },
      insecureText: 'Du hast sie über einfaches HTTP geöffnet. Browser erlauben einer Seite dann weniger, und andere '
        + 'im selben Netz können mitlesen. Das geht dann nicht:',
      insecureList: ['auf dem Startbildschirm installieren', 'ohne Netz benutzen',
        'mit einem Passkey anmelden'],
      httpsTitle: 'So bekommt HTTPS, wer den Server betreibt',
      https: [
        'Mit eigenem Namen, der Server hinter Caddy: zwei Zeilen, und Caddy holt das Zertifikat.',
        'Hinter einem nginx, das schon da ist, mit dem Zertifikat von certbot.',
        'Allein: eightbells serve --certificate DATEI --key DATEI.',
        'Schritt für Schritt: im Handbuch dieses Servers unter /docs/https.',
      ],
      promptText: 'Dann öffnet es sich in einem eigenen Fenster, sofort und auch ohne Netz.',
      install: 'Installieren',
      share: 'Teilen',
      iphone: ['Tippe auf „…“, falls es da ist, dann auf den Teilen-Knopf',
        'Wähle „Zum Home-Bildschirm“, weiter unten in der Liste.', 'Tippe auf „Hinzufügen“.'],
      iphoneWhy: 'Von dort öffnet es sich sofort, und auch ohne Netz. Es bittet dich, dich noch einmal anzumelden, '
        + 'denn Safaris Cookies teilt es nicht.',
      iphoneOther: 'Öffne diese Seite in Safari; dort hat der Teilen-Knopf „Zum Home-Bildschirm“.',
      putAway: 'Jetzt nicht',
    },
  },
};

export const words = dictionary[language];
