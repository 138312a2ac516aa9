// The place at the top of every page where something rings. What it looks like comes when the first thing does
// (/ringing.js): most pages never need it.

import { effect, element, signal } from '/ui.js';

/**
 * What rings now, as /ringing.js draws it: [{id, level: 'alarm' | 'call' | 'answered', kind: 'lost' or none, word,
 * about, since, far: {label, value, unit}, facts, next, said, answers: [{text, to, act, primary}], away}].
 */
export const rings = signal([]);

let view;

/** Defines the place. */
export function showRinging() {
  element('hub-ringing', (host) => {
    effect(() => {
      if (!rings().length && !view) return;
      view ??= import('/ringing.js');
      view.then(({ drawRinging }) => drawRinging(host, rings), () => { view = undefined; });
    });
    return '';
  });
}
