// A change of the zone while it is made: shown at once, kept when one lets go, and taken back for some seconds.

import { computed, signal } from '/ui.js';
import { save, settings } from '/anchor/model.js';

const SETTLED = 700; // milliseconds after the last key
const UNDO = 15_000;

/** {shown, change, done, settle, undo, before}: `before` is what an undo brings back, for some seconds. */
export function editing(doing) {
  const edited = signal(null);
  const before = signal(null);
  const shown = computed(() => (settings() ? { ...settings(), ...edited() } : null));
  let timer;
  let ending;
  const keep = async () => {
    const part = edited.peek();
    if (!part) return;
    const old = Object.fromEntries(Object.keys(part).map((key) => [key, settings.peek()[key]]));
    await doing(() => save(part));
    edited.set(null);
    before.set(old);
    clearTimeout(ending);
    ending = setTimeout(() => before.set(null), UNDO);
  };
  return {
    shown, before,
    change: (part) => edited.set({ ...edited.peek(), ...part }),
    done(isByKey = false) {
      clearTimeout(timer);
      timer = setTimeout(keep, isByKey ? SETTLED : 0);
    },
    /** Keeps at once what is shown; before something that needs it. */
    settle() {
      clearTimeout(timer);
      return keep();
    },
    undo() {
      clearTimeout(timer);
      if (edited.peek()) return edited.set(null);
      const old = before.peek();
      before.set(null);
      return old ? doing(() => save(old)) : undefined;
    },
  };
}
