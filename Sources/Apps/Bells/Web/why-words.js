// The words of traces, in German and English. A test compares the reasons with the hub's table (DeliveryReason.swift).

import { choose } from '/words.js';

export const dictionary = {
  en: {
    whats: {
      queued: 'On its way', sent: 'Sent', delivered: 'It is on the device', shown: 'Shown', acted: 'Answered here',
      suppressed: 'Held back', withdrawn: 'Taken from the device', expired: 'Given up', gone: 'Not reachable any more',
      failed: 'It did not work',
    },
    outcomes: {
      rang: 'Rang', came: 'Arrived', sent: 'Sent', waits: 'Waits', not: 'Did not ring', away: 'Not needed any more',
    },
    reasons: {
      quiet_hours: (until) => (until ? `quiet hours until ${until}` : 'quiet hours'),
      collapsed: () => 'a newer one took its place',
      queue_full: () => 'too many were waiting for this device',
      answered_elsewhere: () => 'answered on another device',
      taken_back: () => 'taken back by its sender',
      expired: () => 'its time was over',
      subscription_gone: () => 'the browser’s push service says that the subscription has ended',
      silent_not_sent: () => 'browsers must show something for each push, and there is nothing to show',
      too_large: () => 'too large for this channel',
      device_removed: () => 'the device was removed',
      channel_removed: () => 'notifications were switched off on the device',
      target_refused: () => 'the push service’s address leads into a private network',
      push_service: (status) => `the push service refused it${status ? `: ${status}` : ''}`,
      unreachable: (detail) => `the push service could not be reached${detail ? `: ${detail}` : ''}`,
      device_failed: (detail) => `the device could not show it${detail ? `: ${detail}` : ''}`,
      cut: () => 'shortened, since it was too large for this channel',
      topic_replaced: () => 'replaced at the push service; the device may have shown it before',
    },
    repeat: 'perhaps not for the first time',
  },
  de: {
    whats: {
      queued: 'Unterwegs', sent: 'Abgeschickt', delivered: 'Auf dem Gerät angekommen', shown: 'Gezeigt',
      acted: 'Hier beantwortet', suppressed: 'Zurückgehalten', withdrawn: 'Vom Gerät genommen', expired: 'Aufgegeben',
      gone: 'Nicht mehr erreichbar', failed: 'Es ging nicht',
    },
    outcomes: {
      rang: 'Geläutet', came: 'Angekommen', sent: 'Abgeschickt', waits: 'Wartet', not: 'Nicht geläutet',
      away: 'Nicht mehr nötig',
    },
    reasons: {
      quiet_hours: (until) => (until ? `Ruhezeit bis ${until}` : 'Ruhezeit'),
      collapsed: () => 'eine neuere kam an ihre Stelle',
      queue_full: () => 'für dieses Gerät warteten zu viele',
      answered_elsewhere: () => 'auf einem anderen Gerät beantwortet',
      taken_back: () => 'zurückgenommen, von wem sie kam',
      expired: () => 'ihre Zeit war vorbei',
      subscription_gone: () => 'der Push-Dienst des Browsers sagt, dass das Abo zu Ende ist',
      silent_not_sent: () => 'Browser müssen bei jedem Push etwas zeigen, und hier gibt es nichts zu zeigen',
      too_large: () => 'zu groß für diesen Weg',
      device_removed: () => 'das Gerät wurde entfernt',
      channel_removed: () => 'auf dem Gerät wurde das Läuten abgeschaltet',
      target_refused: () => 'die Adresse des Push-Dienstes führt in ein privates Netz',
      push_service: (status) => `der Push-Dienst hat sie abgelehnt${status ? `: ${status}` : ''}`,
      unreachable: (detail) => `der Push-Dienst war nicht erreichbar${detail ? `: ${detail}` : ''}`,
      device_failed: (detail) => `das Gerät konnte sie nicht zeigen${detail ? `: ${detail}` : ''}`,
      cut: () => 'gekürzt, denn für diesen Weg war sie zu groß',
      topic_replaced: () => 'beim Push-Dienst ersetzt; vielleicht hat das Gerät sie vorher gezeigt',
    },
    repeat: 'vielleicht nicht zum ersten Mal',
  },
};

export const { language, locale } = choose(['en', 'de']);
export const { whats, outcomes } = dictionary[language];

/** The reason of an event, in the reader's language; the hub's own sentence for one that is newer than this page. */
export function because({ code, detail, reason, repeat: isRepeat }, own = dictionary[language]) {
  const why = code ? own.reasons[code]?.(detail) ?? reason ?? code : '';
  return [why, isRepeat ? own.repeat : ''].filter(Boolean).join(', ');
}
