// Fields for numbers with their unit, which take what people type: "4,5" as well as "4.5".

import { computed, effect, html, signal } from '/ui.js';
import { words } from '/anchor/arm/words.js';
import { decimal } from '/anchor/words.js';

let count = 0;

/** A number as one types it; null for nothing, NaN for what is none. */
export function typed(text) {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : NaN;
}

const now = (bound) => (typeof bound === 'function' ? bound() : bound);

/**
 * A field: `value()` is shown, `put(number)` is called for one between the bounds, which may be functions.
 * Empty is null if `isOptional`.
 */
export function numberField({ label, unit = 'm', value, put, least = 0, most = 9999, isOptional = false }) {
  count += 1;
  const id = `number-${count}`;
  const wrong = signal('');
  // A new position of the boat writes nothing over what is being typed.
  const shown = computed(() => (value() === null || value() === undefined ? '' : decimal(value())));
  effect(() => { // a button, or another device, has put a number over the wrong one
    shown();
    wrong.set('');
  });
  const take = ({ target }) => {
    const number = typed(target.value);
    const [from, to] = [now(least), now(most)];
    const isRight = number === null ? isOptional : number >= from && number <= to;
    wrong.set(isRight ? '' : words.numberWanted(decimal(from), decimal(to)));
    if (isRight && number !== value()) put(number);
  };
  return html`<div class="field"><label for=${id}>${label}</label><span class="with-unit"><input id=${id}
    inputmode="decimal" autocomplete="off" .value=${shown} aria-invalid=${() => (wrong() ? 'true' : null)}
    aria-describedby=${`${id}-error`} @change=${take}><span>${unit}</span></span>${() => (wrong()
    ? html`<p class="error" role="status" id=${`${id}-error`}>${wrong()}</p>` : '')}</div>`;
}
