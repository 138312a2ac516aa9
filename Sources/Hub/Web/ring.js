// The place at the top of every page for alarms. Its code (/ringing.js) is loaded with the first alarm, since most
// pages never need it.

import { insist } from '/done.js';
import { effect, element, signal } from '/ui.js';

/**
 * The current alerts, as /ringing.js draws them: [{id, level: 'alarm' | 'call' | 'answered', kind: 'lost' or none,
 * word, about, since, far: {label, value, unit}, facts, next, said, answers: [{text, to, act, primary}], away, list}];
 * `list` is the page with all of its kind.
 */
export const rings = signal([]);

/** Defines the place's element. */
export function showRinging() {
  element('hub-ringing', (host) => {
    let view;
    effect(() => {
      if (rings().length) view ??= insist(() => import('/ringing.js')).then((it) => it.drawRinging(host, rings));
    });
    return '';
  });
}
