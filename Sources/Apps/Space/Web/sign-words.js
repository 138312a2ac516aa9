// The words of the parts around the sign: the switch, the hours, the sensors, other spaces.

import { language, locale } from '/shell-words.js';
import { listed } from '/words.js';

export const signDictionary = {
  en: {
    switch: {
      title: 'Turn the sign',
      open: 'Open the space',
      close: 'Close the space',
      isClosed: 'It is closed',
      undo: 'Undo',
      turned: { true: 'The sign says open.', false: 'The sign says closed.', words: 'The words are changed.' },
      left: (seconds) => `${seconds} s`,
      undone: 'Taken back.',
      since: 'Somebody turned the sign since; nothing was taken back.',
      failed: (reason) => `That did not work: ${reason}`,
      offline: 'That did not work: the hub cannot be reached.',
      more: 'Add a message, a time or a name',
      message: 'Message',
      messageHint: 'Stands beside the sign for everyone.',
      until: 'Until',
      untilHint: 'The sign does not turn by itself then.',
      by: 'Your name on the sign',
      byHint: 'Empty: nobody is named.',
      save: 'Change the words only',
    },
    hours: {
      title: 'Usually open',
      none: 'Not yet known: it takes a few weeks of opening and closing.',
      sentence: (days, when) => `Usually open on ${listed(days, locale)} ${when}`,
      allDay: 'all day',
      days: ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'],
      always: 'Usually open at all hours',
      picture: 'How often the space was open, for each hour of the week, in the last twelve weeks.',
      often: 'open',
      never: 'never',
      always100: 'always',
      declared: 'announced',
      planned: 'in the programme',
      table: 'As a list',
      kind: { usual: 'Was usually open', declared: 'Announced', planned: 'In the programme' },
      span: (from, to) => `${from} to ${to}`,
      openEnd: (from) => `from ${from}`,
      some: 'some weeks only',
    },
    sensors: {
      title: 'In the space',
      stale: (age) => `old: last reported ${age}`,
      heard: (age) => `reported ${age}`,
      locked: 'locked',
      unlocked: 'not locked',
      kinds: {
        temperature: 'Temperature', carbondioxide: 'CO₂', door_locked: 'Door', barometer: 'Air pressure',
        humidity: 'Humidity', beverage_supply: 'Drinks', power_consumption: 'Power used',
        power_generation: 'Power made', wind: 'Wind', network_connections: 'Devices on the network',
        account_balance: 'Account', total_member_count: 'Members', people_now_present: 'People present',
        network_traffic: 'Network', radiation: 'Radiation',
      },
      units: { btl: 'bottles', crt: 'crates' },
    },
    followed: {
      title: 'Other spaces',
      asOf: (age) => `as of ${age}`,
      pending: 'is being asked …',
      problem: (reason) => `cannot be read: ${reason}`,
      unreadable: 'cannot be read',
      add: 'Follow another space',
      nameOrAddress: 'Its name, or the address of its SpaceAPI document',
      nameHint: 'The names come from directory.spaceapi.io.',
      address: 'Address of its SpaceAPI document',
      hint: 'Such as https://space.example/spaceapi.json; directory.spaceapi.io lists them.',
      forMe: 'For me',
      forAll: 'For everybody',
      remove: (name) => `Do not follow ${name} any more`,
      mine: 'only you',
    },
  },

  de: {
    switch: {
      title: 'Das Schild drehen',
      open: 'Space öffnen',
      close: 'Space schließen',
      isClosed: 'Er ist zu',
      undo: 'Rückgängig',
      turned: {
        true: 'Das Schild zeigt „Offen“.', false: 'Das Schild zeigt „Geschlossen“.', words: 'Die Worte sind geändert.',
      },
      left: (seconds) => `${seconds} s`,
      undone: 'Zurückgenommen.',
      since: 'Inzwischen wurde das Schild gedreht; nichts wurde zurückgenommen.',
      failed: (reason) => `Das hat nicht geklappt: ${reason}`,
      offline: 'Das hat nicht geklappt: Der Server ist nicht erreichbar.',
      more: 'Mit Nachricht, Uhrzeit oder Namen',
      message: 'Nachricht',
      messageHint: 'Steht für alle neben dem Schild.',
      until: 'Bis',
      untilHint: 'Das Schild dreht sich dann nicht von selbst.',
      by: 'Dein Name auf dem Schild',
      byHint: 'Leer: Niemand wird genannt.',
      save: 'Nur die Worte ändern',
    },
    hours: {
      title: 'Meist offen',
      none: 'Noch nicht bekannt: Dazu braucht es ein paar Wochen.',
      sentence: (days, when) => {
        const text = `${listed(days, locale)} meist ${when} offen`;
        return text[0].toUpperCase() + text.slice(1);
      },
      allDay: 'den ganzen Tag',
      days: ['montags', 'dienstags', 'mittwochs', 'donnerstags', 'freitags', 'samstags', 'sonntags'],
      always: 'Meist rund um die Uhr offen',
      picture: 'Wie oft der Space offen war, für jede Stunde der Woche, in den letzten zwölf Wochen.',
      often: 'offen',
      never: 'nie',
      always100: 'immer',
      declared: 'angekündigt',
      planned: 'im Programm',
      table: 'Als Liste',
      kind: { usual: 'War meist offen', declared: 'Angekündigt', planned: 'Im Programm' },
      span: (from, to) => `${from} bis ${to} Uhr`,
      openEnd: (from) => `ab ${from} Uhr`,
      some: 'nur in manchen Wochen',
    },
    sensors: {
      title: 'Im Space',
      stale: (age) => `alt: zuletzt gemeldet ${age}`,
      heard: (age) => `gemeldet ${age}`,
      locked: 'abgeschlossen',
      unlocked: 'nicht abgeschlossen',
      kinds: {
        temperature: 'Temperatur', carbondioxide: 'CO₂', door_locked: 'Tür', barometer: 'Luftdruck',
        humidity: 'Luftfeuchte', beverage_supply: 'Getränke', power_consumption: 'Stromverbrauch',
        power_generation: 'Stromerzeugung', wind: 'Wind', network_connections: 'Geräte im Netz',
        account_balance: 'Konto', total_member_count: 'Mitglieder', people_now_present: 'Anwesende',
        network_traffic: 'Netz', radiation: 'Strahlung',
      },
      units: { btl: 'Flaschen', crt: 'Kisten' },
    },
    followed: {
      title: 'Andere Spaces',
      asOf: (age) => `Stand ${age}`,
      pending: 'wird gerade gefragt …',
      problem: (reason) => `nicht zu lesen: ${reason}`,
      unreadable: 'nicht zu lesen',
      add: 'Einem weiteren Space folgen',
      nameOrAddress: 'Sein Name oder die Adresse seines SpaceAPI-Dokuments',
      nameHint: 'Die Namen kommen von directory.spaceapi.io.',
      address: 'Adresse seines SpaceAPI-Dokuments',
      hint: 'Etwa https://space.example/spaceapi.json; directory.spaceapi.io nennt sie.',
      forMe: 'Für mich',
      forAll: 'Für alle',
      remove: (name) => `${name} nicht mehr folgen`,
      mine: 'nur für dich',
    },
  },
};

export const signWords = signDictionary[language];

const isAllDay = ({ from, to }) => from === '00:00' && to === '24:00';

/**
 * "Usually open on Tuesdays and Thursdays from 18:00": a sentence for each opening time. The morning on which a stay of
 * days ends has none.
 */
export function sentences(usual) {
  const words = signWords.hours;
  if (usual.length === 7 && usual.every(isAllDay)) return [words.always];
  const goesOn = ({ weekday, from }) => from === '00:00'
    && usual.some((one) => one.to === '24:00' && one.weekday % 7 + 1 === weekday);
  const said = usual.filter((one) => isAllDay(one) || !goesOn(one))
    .map((one) => ({ day: words.days[one.weekday - 1], when: isAllDay(one) ? words.allDay : words.openEnd(one.from) }));
  return [...new Set(said.map(({ when }) => when))].map((when) => words.sentence(
    [...new Set(said.filter((one) => one.when === when).map(({ day }) => day))], when));
}
