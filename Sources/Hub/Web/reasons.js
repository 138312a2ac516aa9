// The German texts for the codes of the hub's reasons; {name} is one of the reason's values. In English the hub's own
// sentence is used. A test checks that every code has a text.

import { reasons as ofRooms } from '/rooms-words.js';

export const reasons = {
  // Fetching from other servers
  'address-unusable': 'Die Adresse ist nicht zu gebrauchen',
  'question-unusable': 'So lässt sie sich nicht abfragen',
  'not-public': 'Sie liegt nicht im öffentlichen Internet. Anderswo sieht der Server nur nach, wo die Einstellung '
    + 'reachable_networks es erlaubt, und nur für das, was die Leitung eingetragen hat',
  'address-refused': '{address} liegt nicht im öffentlichen Internet; die Einstellung reachable_networks erlaubt auch '
    + 'andere, etwa reachable_networks = {address}',
  'unknown-host': 'Den Namen dieses Servers gibt es nicht',
  'unreachable': 'Der Server dort ist nicht erreichbar',
  'insecure': 'Mit dem Server dort kommt keine sichere Verbindung zustande',
  'redirects': 'Der Server dort leitet immer nur weiter',
  'answer-broken': 'Die Antwort bricht ab oder ist nicht zu verstehen',
  'answer-late': 'In {seconds} s kam keine vollständige Antwort',
  'answer-stalled': 'In {seconds} s kam kaum ein Byte',
  'answer-too-large': 'Die Antwort ist größer als {megabytes} MB',
  'answer-too-long': 'Die Antwort ist größer als {kilobytes} KB',
  'header-too-large': 'Der Kopf der Antwort ist größer als {kilobytes} KB',
  'transfer-cancelled': 'Die Abfrage wurde abgebrochen',
  'server-answered': 'Der Server dort antwortete mit {status}',
  'in-others-words': '{reason} ({words})',
  'in-words-alone': '{words}',

  // The addresses of webhooks
  'webhook-address': 'An diese Adresse lässt sich nichts schicken; eine sieht so aus: https://host/pfad',
  'webhook-not-public': 'Dieser Server liegt nicht im öffentlichen Internet; die Einstellung reachable_networks '
    + 'erlaubt auch andere Netze.',
  'webhook-not-secure': 'Die Adresse beginnt mit http:. Es geht https:, und http: für eine Adresse aus Zahlen, die '
    + 'reachable_networks erlaubt.',

  // Fields of forms
  'not-accepted': 'Das geht hier nicht.',
  'field-missing': 'Das fehlt noch.',
  'field-empty': 'Hier muss etwas stehen.',
  'field-too-long': 'Das sind {count} Zeichen; höchstens {limit} gehen.',
  'field-length': 'Das sind {count} Zeichen; 1 bis {limit} gehen.',
  'field-control': 'Hier gehen 1 bis {limit} Zeichen, die man sehen kann.',
  'field-no-line': 'Hier geht eine Zeile Text von höchstens {limit} Zeichen.',
  'field-no-number': 'Hier geht eine Zahl von {first} bis {last}.',
  'field-no-whole': 'Hier geht eine ganze Zahl von {first} bis {last}.',
  'field-no-choice': 'Hier geht eines von diesen: {accepted}.',
  'field-no-address': '„{seen}“ ist keine Adresse, die mit https:// oder http:// beginnt.',
  'field-no-network': 'Das ist kein Netz; eines sieht so aus: 192.0.2.0/24',
  'field-no-color': 'Eine Farbe sieht so aus: #0b5585',
  'field-no-zone': 'Die Zeitzone „{seen}“ gibt es nicht. Eine heißt so: Europe/Berlin',
  'field-no-time': 'Das ist keine Zeit. Eine sieht so aus: 23:00',
  ...ofRooms,
};
