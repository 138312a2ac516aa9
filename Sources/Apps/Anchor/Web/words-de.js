// German.

const POINTS = ['nördlich', 'nordnordöstlich', 'nordöstlich', 'ostnordöstlich', 'östlich', 'ostsüdöstlich',
  'südöstlich', 'südsüdöstlich', 'südlich', 'südsüdwestlich', 'südwestlich', 'westsüdwestlich', 'westlich',
  'westnordwestlich', 'nordwestlich', 'nordnordwestlich'];
const span = (seconds, days = 'Tage') => {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${minutes} min`;
  if (seconds < 172_800) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.round(seconds / 86_400)} ${days}`;
};
const ago = (seconds) => `vor ${span(seconds, 'Tagen')}`;

export const german = {
  title: 'Ankerwache',
  short: 'Anker',
  outsider: 'Die Wache über ein Boot vor Anker ist für die, die mit ihm segeln.',
  signIn: 'Anmelden',
  states: { idle: 'Nicht vor Anker', dropped: 'Noch unbewacht', waiting: 'Wartet', holding: 'Hält',
    warning: 'Nah am Rand', alarm: 'Alarm', lost: 'Keine Position', old: 'Unbekannt' },
  since: { idle: (time) => `gelichtet ${time}`, dropped: (time) => `liegt seit ${time}` },
  sinceTime: (time) => `seit ${time}`,
  line: (state, far) => ({ idle: 'Nicht vor Anker', dropped: 'Noch unbewacht', waiting: 'Wartet auf Position',
    holding: far ? `Hält, ${far}` : 'Hält', warning: 'Nah am Rand', alarm: 'Alarm', lost: 'Keine Position' }[state]),
  distance: 'Abstand zum Anker',
  bears: 'Der Anker peilt',
  toAnchor: 'zum Anker',
  noFix: 'noch keine Position',
  fixAge: (seconds) => (seconds > 172_800 ? 'Position lange her' : `Position ${ago(seconds)}`),
  age: ago,
  lastPlace: (seconds) => `Letzter Ort ${ago(seconds)}`,
  span,
  room: (metres) => `noch ${metres} m`,
  outside: (metres) => `${metres} m außerhalb`,
  roomPicture: (far, room) => `${far} Meter vom Anker: ${room < 0 ? `${-room} Meter außerhalb` : `noch ${room} Meter`}`,
  hubLost: 'Der Server ist nicht erreichbar. Das Boot wacht von selbst weiter; diese Seite auch, wenn sie unten '
    + 'eingeschaltet ist.',
  isOn: (name, drifts) => `${name} kümmert sich.${drifts ? ' Treibt das Boot dann noch, läutet es wieder.' : ''}`,
  untold: 'Still ist nur diese Seite: Die anderen wissen nicht, dass du dich kümmerst.',
  plot: 'Plot',
  plotEmpty: 'Hier erscheint der Ankerplatz, sobald der Anker gefallen ist.',
  plotBoat: (far, point) => `Das Boot liegt ${far} Meter ${point} von seinem Anker.`,
  plotNoBoat: 'Wo das Boot liegt, ist nicht bekannt.',
  plotZones: (warn, alarm) => `Warnung bei ${warn} Metern, Alarm bei ${alarm} Metern.`,
  plotZone: (room) => `Warnung ${room} Meter vor dem Rand des Bereichs, Alarm dahinter.`,
  point: (bearing) => POINTS[Math.round(bearing / 22.5) % 16],
  metres: (count) => `${count} Meter`,
  beforeEdge: (count) => `${count} Meter vor dem Rand`,
  place: (far, point) => `${far} Meter ${point} vom Anker`,
  warnAt: (metres) => `Warnung ${metres} m`,
  alarmAt: (metres) => `Alarm ${metres} m`,
  nearer: 'Näher', farther: 'Weiter weg', whole: 'Ganzen Bereich zeigen', night: 'Nacht: alles in Rot',
  chart: 'Karte unter dem Plot',
  noNavigation: 'nicht zum Navigieren',
  hoursAgo: (hours) => `vor ${hours} h`,
  nowWord: 'jetzt',
  alarmRadius: 'Alarmradius', warnRadius: 'Warnradius', sectorFrom: 'Sektor beginnt', sectorTo: 'Sektor endet',
  corner: (number) => `Ecke ${number}`,
  anchorHandle: 'Der Anker',
  zoneChanged: (metres) => `Geändert: Alarm bei ${metres} m.`,
  warningChanged: (metres) => `Geändert: Warnung bei ${metres} m.`,
  warningMoved: (metres) => `Geändert: Warnung ${metres} m vor dem Rand.`,
  changed: 'Geändert.',
  undo: 'Rückgängig',
  drop: 'Fallen Anker',
  noPositionToDrop: 'Es gibt keine Position: Kein Boot und kein Telefon meldet eine, und dieses Gerät hat keine. Geh '
    + 'an Deck, erlaube den Standort, und drück noch einmal.',
  beforeNight: 'Vor der Nacht',
  zone: 'Bereich',
  weigh: 'Anker lichten',
  weighTitle: 'Anker lichten?',
  weighText: (seconds) => `Die Wache endet auf allen Geräten. Der Anker lag ${span(seconds)}; die Spur bleibt unter `
    + '„Ankerplätze“.',
  weighYes: 'Lichten, Wache beenden',
  notYet: 'Noch nicht',
  extend: '25 % weiter',

  // Der Alarm.
  outsideZone: 'außerhalb des Bereichs',
  anchorBears: (degrees) => `Anker peilt ${degrees}°`,
  whatHappened: 'Was geschah',
  happened: (kind, far) => ({ gap: 'Eine Weile keine Position', 'position lost': 'Position verloren',
    'position back': 'Position wieder da', warning: `Warnung bei ${far} m`, alarm: `Alarm bei ${far} m`,
    clear: `Wieder innen, ${far} m`, creep: 'Die Mitte des Schwoiens wandert', 'wind shift': 'Der Wind hat gedreht',
    depth: 'Tiefe außerhalb der Grenzen', acknowledged: 'Jemand kümmert sich', dropped: 'Anker gefallen',
    armed: 'Wache begonnen', moved: 'Anker verschoben', weighed: 'Anker gelichtet',
    'boat lost': 'Vom Boot kommt nichts mehr', 'boat back': 'Das Boot meldet sich wieder',
    'source lost': 'Ein Gerät verstummte', 'source back': 'Es meldet sich wieder',
    'witness objects': 'Ein zweites Gerät sieht das Boot woanders' }[kind] ?? kind),
  whoRings: 'Wer läutet',
  rings: (seconds) => (seconds === null ? 'läutet' : `läutet, wieder in ${seconds} s`),
  mute: 'stumm, bis du tippst',
  notReached: 'noch nicht erreicht',
  ringsIn: (time) => `in ${time}`,
  unseen: 'niemand sieht das Boot',
  lastSeen: 'als es zuletzt zu sehen war',
  onIt: 'Ich kümmere mich',
  silences: 'Macht alle Geräte still. Treibt das Boot dann noch, läutet es in 3 Minuten wieder.',

  // Die Karten.
  thisPage: 'Diese Seite',
  watches: 'wacht',
  ringsOnly: 'läutet nur',
  watchHere: 'Mit der Position dieses Geräts wachen',
  pageOff: 'Ausgeschaltet: Diese Seite zeigt, was andere sehen, und läutet.',
  pageOn: (others) => (others ? 'Sie wacht nach denselben Regeln wie das Boot, lässt den Bildschirm an und sagt es dem '
    + 'Server.' : 'Nur sie wacht: nach den Regeln des Boots, und sie lässt den Bildschirm an. Häng das Telefon ans '
    + 'Ladegerät, und lass die Seite offen.'),
  closeOthers: 'Schließt du diese Seite, sperrst das Telefon oder telefonierst, wachen die anderen weiter. Dieses '
    + 'Telefon läutet dann, wenn du bei den Glocken „Hier läuten lassen“ gedrückt hast.',
  closeAlone: 'Schließt du diese Seite, sperrst das Telefon oder telefonierst, wacht niemand. Der Server vermisst sie '
    + 'nach etwa zwei Minuten und läutet auf deinen Geräten, auf diesem Telefon dann, wenn du bei den Glocken „Hier '
    + 'läuten lassen“ gedrückt hast.',
  troubles: {
    denied: 'Dieser Browser darf nicht wissen, wo er ist: Erlaube in seinen Einstellungen den Standort für diese '
      + 'Adresse, und schalte dann wieder ein.',
    unavailable: 'Dieses Gerät findet keine Position. An Deck, mit eingeschaltetem Standort, wird es sie finden.',
    insecure: 'Browser sagen die Position nur über HTTPS. Öffne den Server unter seiner HTTPS-Adresse.',
    rules: 'Die Regeln der Wache fehlen: Diese Seite beurteilt noch nichts. Sie versucht es weiter; hilft das nicht, '
      + 'lade sie neu.',
  },
  screenGoes: 'Dieser Browser lässt den Bildschirm nicht an. Stell im Telefon ein, dass er nie von selbst ausgeht.',
  muted: 'Der Browser lässt diese Seite erst klingen, wenn du sie berührst. Jetzt wäre ihr Alarm nicht zu hören.',
  allowSound: 'Ton erlauben',
  nobodyLooked: (time) => `${time} lang hat niemand hingesehen.`,
  pageSlept: (time) => `Diese Seite hat ${time} lang nicht hingesehen.`,
  fromTo: (from, to) => `Von ${from} bis ${to}.`,
  othersLooked: 'Andere haben währenddessen gewacht.',
  watchesAgain: 'Sie wacht wieder; die Lücke ist im Plot gepunktet.',
  understood: 'Verstanden',
  whoWatches: 'Wer wacht',
  ofAll: (some, all) => `${some} von ${all}`,
  heard: (every, age) => (every > 0 ? `alle ${span(every)}, zuletzt ${ago(age)}` : `zuletzt ${ago(age)}`),
  hubAshore: 'Der Server',
  hubHears: 'hört sie alle, und läutet',
  hubSilent: 'von hier nicht erreichbar',
  silentRings: 'Wer verstummt, löst Alarm aus.',
  ringsAboard: 'Läutet es an Bord noch?',
  silenceBoat: 'An Bord stummschalten',
  nobodyYet: 'Noch sagt niemand dem Server, wo das Boot ist. Wähl unten, was du hast.',
  power: 'Strom',
  percent: (count) => `${count} %`,
  charging: 'lädt',
  onBattery: 'auf Akku',
  whereFrom: 'Woher die Position kommt',
  leads: 'führt', agrees: 'stimmt überein', objects: 'widerspricht',
  kinds: { agent: 'das Boot', owntracks: 'OwnTracks', overland: 'Overland', traccar: 'Traccar Client', mqtt: 'MQTT',
    page: 'eine offene Seite' },
  sourceStates: { ok: 'pünktlich', late: 'verspätet', lost: 'verstummt' },
  safest: 'Der sicherste Weg für dich',
  whatHave: 'Was ist heute Nacht an Bord?',
  ways: {
    agent: { have: 'Ein kleiner Rechner und ein GPS-Empfänger', worth: 'Wacht ohne Server und Netz. Am sichersten.',
      then: 'Auf diesem Rechner: eightbells agent --gpsd localhost. Er wacht von selbst, mit eigenem Lautsprecher; mit '
        + 'diesem Server gekoppelt, bewachen beide einander.' },
    spare: { have: 'Ein Telefon übrig, neben meinem', worth: 'Eins wacht, eins läutet. Sehr gut.',
      then: 'Häng das übrige Telefon dort ans Ladegerät, wo es den Himmel sieht, und lass eine dieser Apps von ihm '
        + 'melden. Der Server wacht; dein eigenes Telefon läutet.' },
    one: { have: 'Nur dieses Telefon, und es hat Netz', worth: 'Der Server wacht. Gut.',
      then: 'Eine App meldet im Hintergrund, auch bei dunklem Bildschirm, und der Server wacht. Lass das Telefon am '
        + 'Ladegerät; verstummt es, läutet der Server auf ihm.' },
    page: { have: 'Nur dieses Telefon, und keine App', worth: 'Diese offene Seite wacht. Besser als nichts.',
      then: 'Schalte oben „Diese Seite“ ein, häng das Telefon ans Ladegerät, lass die Seite offen und den Bildschirm '
        + 'an. Endet die Seite, läutet der Server auf diesem Telefon.' },
  },
  nameOfPhone: 'Wie soll es heißen?',
  phoneName: 'Telefon',
  setUp: (app) => `${app} einrichten`,
  steps: {
    owntracks: 'Installiere OwnTracks auf dem Telefon, das melden soll. Scanne dann diesen Code mit seiner Kamera, '
      + 'oder drück dort auf den Knopf. Auf Akku meldet es selten, am Ladegerät ständig.',
    overland: 'Installiere Overland auf dem Telefon, das melden soll. Scanne dann diesen Code mit seiner Kamera. '
      + 'Schalte das Tracking ein, und stell es auf „immer“.',
    traccar: 'Installiere Traccar Client auf dem Telefon, das melden soll. Scanne dann diesen Code in seinen '
      + 'Einstellungen. Schalte den Dienst ein, und erlaube den Standort „immer“.',
  },
  openApp: 'Auf diesem Telefon öffnen',
  secretOnce: 'Der Code enthält das Geheimnis dieses Telefons und wird einmal gezeigt. Entfernst du das Telefon unten, '
    + 'ist er wertlos.',
  switchTo: { move: 'sollte jetzt ständig melden', significant: 'darf jetzt selten melden' },
  qr: 'Code, der die App einrichtet',
  reporting: 'Telefone, die melden',
  removePhone: (name) => `${name} entfernen`,
  anchorages: 'Ankerplätze',
  anchorage: (time, most, alarms) => `${time}, höchstens ${most} m${alarms ? `, ${alarms} ${alarms === 1 ? 'Alarm'
    : 'Alarme'}` : ''}`,
  noAnchorages: 'Jede Nacht vor Anker wird hier bleiben, mit ihrer Spur.',
  onMap: 'Karte',
  exportTrack: 'Spur als GPX',
  importTrack: 'GPX einlesen',
  imported: (name) => `${name} ist eingelesen.`,
  tooLarge: (name, size) => `${name} hat ${size} MB; bis zu 16 MB gehen.`,
  swingTitle: (away) => `Der Anker liegt wohl ${away} m daneben`,
  swingOffer: (hours, error) => `${hours} h Schwoien zeigen, wo er hält, auf ±${error} m. Übernimmst du das, zählen `
    + 'Abstand und Bereich von dort.',
  swingTake: 'Übernehmen', swingLeave: 'So lassen',
};
