// The words for what a browser needs to be rung, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    needs: {
      insecure: {
        text: 'Browsers ring only for pages that came over HTTPS. Whoever runs this hub finds the way in '
          + 'the manual, at /docs/https.',
      },
      iphone: {
        text: 'An iPhone or iPad rings only for pages on its home screen:',
        steps: ['In Safari touch “…” if it is there, then the share button.',
          'Choose “Add to Home Screen”, further down in the list, then “Add”.',
          'Open the page from there, sign in once more, and come back to Bells.'],
      },
      'iphone-other': { text: 'On an iPhone or iPad: open this page in Safari, and put it on the home screen there.' },
      unsupported: {
        text: 'This browser cannot be rung while the page is closed. Another one, or another device, can.',
      },
      blocked: {
        text: 'This browser has been told not to let this page ring. You can change that:',
        where: {
          iphone: 'Open Settings, then Notifications, then the name of this page, and allow them there.',
          android: 'Touch the icon to the left of the address, then Permissions, then Notifications.',
          firefox: 'Press the icon to the left of the address, and remove the block on notifications.',
          safari: 'Safari’s Settings, then Websites, then Notifications: allow this page.',
          chromium: 'Press the icon to the left of the address, allow notifications, then load the page again.',
        },
      },
    },
    noPushService: 'The browser’s push service cannot be reached. Some browsers are made without one. If yours '
      + 'has one, check whether this device is connected to the Internet.',
    noWorker: 'The browser has not stored this page yet, which it needs to be rung. Try again in a minute. If it stays '
      + 'so, the certificate of this hub was perhaps accepted by hand: the manual has a better way, at /docs/https.',
  },
  de: {
    needs: {
      insecure: {
        text: 'Browser läuten nur bei Seiten, die über HTTPS kommen. Wer diesen Server betreibt, findet die '
          + 'Anleitung im Handbuch unter /docs/https.',
      },
      iphone: {
        text: 'Auf iPhone und iPad können nur Seiten läuten, die auf dem Home-Bildschirm liegen:',
        steps: ['Tippe in Safari auf „…“, falls es da ist, dann auf den Teilen-Knopf.',
          'Wähle „Zum Home-Bildschirm“, weiter unten in der Liste, dann „Hinzufügen“.',
          'Öffne die Seite von dort, melde dich noch einmal an und komm zurück zu den Glocken.'],
      },
      'iphone-other': {
        text: 'Auf einem iPhone oder iPad: Öffne diese Seite in Safari und leg sie dort auf den Home-Bildschirm.',
      },
      unsupported: {
        text: 'In diesem Browser kann es nicht läuten, wenn die Seite zu ist. In einem anderen oder auf einem anderen '
          + 'Gerät geht es.',
      },
      blocked: {
        text: 'In diesem Browser ist eingestellt, dass diese Seite nicht läuten darf. Das kannst du ändern:',
        where: {
          iphone: 'Öffne die Einstellungen, dann „Mitteilungen“, dann den Namen dieser Seite, und erlaube sie dort.',
          android: 'Tippe auf das Zeichen links neben der Adresse, dann auf „Berechtigungen“ und „Benachrichtigungen“.',
          firefox: 'Klick auf das Zeichen links neben der Adresse und heb die Sperre der Benachrichtigungen auf.',
          safari: 'Öffne in Safaris Einstellungen „Websites“, dann „Mitteilungen“, und erlaube diese Seite.',
          chromium: 'Klick auf das Zeichen links neben der Adresse, erlaube Benachrichtigungen und lade die Seite neu.',
        },
      },
    },
    noPushService: 'Der Push-Dienst des Browsers ist nicht zu erreichen. Manche Browser haben keinen. Wenn deiner '
      + 'einen hat, prüfe, ob dieses Gerät mit dem Internet verbunden ist.',
    noWorker: 'Der Browser hat diese Seite noch nicht gespeichert; erst dann kann sie läuten. Versuch es in einer '
      + 'Minute noch einmal. Bleibt es so, wurde das Zertifikat dieses Servers vielleicht von Hand bestätigt: Wie es '
      + 'besser geht, steht im Handbuch unter /docs/https.',
  },
};

export const pushWords = dictionary[language];
