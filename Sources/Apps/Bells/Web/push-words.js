// The words for what a browser needs to be rung, in German and English.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    needs: {
      insecure: {
        text: 'Browsers ring only for pages that came over HTTPS. Whoever runs this hub finds the way in '
          + 'Docs/https.md.',
      },
      iphone: {
        text: 'An iPhone or iPad rings only for pages on its home screen:',
        steps: ['Touch the share button of Safari.', 'Choose “Add to Home Screen”, then “Add”.',
          'Open the page from there, sign in once more, and come back to Bells.'],
      },
      'iphone-other': { text: 'On an iPhone or iPad: open this page in Safari, and put it on the home screen there.' },
      unsupported: {
        text: 'This browser cannot be rung while the page is closed. Another one, or another device, can.',
      },
      blocked: {
        text: 'This browser has been told not to let this page ring. You can change that:',
        where: {
          iphone: 'Settings, then Notifications, then the name of this page: allow them there.',
          android: 'Touch the sign left of the address, then Permissions, then Notifications.',
          firefox: 'Press the sign left of the address, and take the block of notifications away.',
          safari: 'Safari’s Settings, then Websites, then Notifications: allow this page.',
          chromium: 'Press the sign left of the address, and allow notifications; then load the page again.',
        },
      },
    },
    noPushService: 'The browser’s push service cannot be reached. Some browsers are made without one; else look '
      + 'whether this device has a connection.',
  },
  de: {
    needs: {
      insecure: {
        text: 'Browser läuten nur für Seiten, die über HTTPS kamen. Wer diesen Server betreibt, findet den Weg in '
          + 'Docs/https.md.',
      },
      iphone: {
        text: 'Ein iPhone oder iPad läutet nur für Seiten auf seinem Home-Bildschirm:',
        steps: ['Tippe in Safari auf den Teilen-Knopf.', 'Wähle „Zum Home-Bildschirm“, dann „Hinzufügen“.',
          'Öffne die Seite von dort, melde dich noch einmal an und komm zurück zu den Glocken.'],
      },
      'iphone-other': {
        text: 'Auf einem iPhone oder iPad: Öffne diese Seite in Safari und leg sie dort auf den Home-Bildschirm.',
      },
      unsupported: {
        text: 'In diesem Browser kann es nicht läuten, wenn die Seite zu ist. In einem anderen, oder auf einem anderen '
          + 'Gerät, geht es.',
      },
      blocked: {
        text: 'Diesem Browser wurde gesagt, dass diese Seite nicht läuten darf. Das kannst du ändern:',
        where: {
          iphone: 'Einstellungen, dann Mitteilungen, dann der Name dieser Seite: Erlaube sie dort.',
          android: 'Tippe auf das Zeichen links neben der Adresse, dann auf Berechtigungen, dann Benachrichtigungen.',
          firefox: 'Drück auf das Zeichen links neben der Adresse und nimm die Sperre der Benachrichtigungen weg.',
          safari: 'Safaris Einstellungen, dann Websites, dann Mitteilungen: Erlaube diese Seite.',
          chromium: 'Drück auf das Zeichen links neben der Adresse, erlaube Benachrichtigungen und lade die Seite neu.',
        },
      },
    },
    noPushService: 'Der Push-Dienst des Browsers ist nicht zu erreichen. Manche Browser haben keinen; sonst schau, ob '
      + 'dieses Gerät eine Verbindung hat.',
  },
};

export const { language } = choose(['en', 'de']);

export const pushWords = dictionary[language];
