// The words of traces, in German and English. Those of reasons come with the trace.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    whats: {
      queued: 'On its way', sent: 'Sent', delivered: 'It is on the device', shown: 'Shown', acted: 'Answered here',
      suppressed: 'Held back', withdrawn: 'Taken away', expired: 'Given up', gone: 'Not reachable any more',
      failed: 'It did not work',
    },
    outcomes: {
      rang: 'Rang', came: 'Arrived', sent: 'Sent', waits: 'Waits', not: 'Did not ring', away: 'Not needed any more',
    },
    repeat: 'perhaps not for the first time',
  },
  de: {
    whats: {
      queued: 'Unterwegs', sent: 'Abgeschickt', delivered: 'Auf dem Gerät angekommen', shown: 'Angezeigt',
      acted: 'Hier beantwortet', suppressed: 'Zurückgehalten', withdrawn: 'Weggenommen', expired: 'Abgelaufen',
      gone: 'Nicht mehr erreichbar', failed: 'Hat nicht geklappt',
    },
    outcomes: {
      rang: 'Geläutet', came: 'Angekommen', sent: 'Abgeschickt', waits: 'Wartet', not: 'Nicht geläutet',
      away: 'Nicht mehr nötig',
    },
    repeat: 'vielleicht nicht zum ersten Mal',
  },
};

export const { language, locale } = choose(['en', 'de']);
export const { whats, outcomes } = dictionary[language];

/** The reason of an event, in the reader's language. */
export function because({ code, reason, localized, repeat: isRepeat }, to = language) {
  const why = localized?.[to] ?? reason ?? '';
  return [why, isRepeat && code !== 'rings_again' ? dictionary[to].repeat : ''].filter(Boolean).join(', ');
}
