// A change of the zone while it is made: shown at once, kept when one lets go, and taken back for some seconds.

import { computed, effect, signal } from '/ui.js';
import { isAway } from '/keep.js';
import { save, settings, status } from '/anchor/model.js';

const SETTLED = 700; // milliseconds after the last key
const UNDO = 15_000;

/**
 * {shown, change, done, put, settle, undo, before}: `before` is what an undo brings back, for some seconds. `inTurn`
 * runs one save behind the other: what is changed during one stays shown, and is part of the next. So is what could not
 * be saved for want of a network; what the hub refuses goes, and what was changed at one anchorage does not come to the
 * next.
 */
export function editing(inTurn) {
  const edited = signal(null);
  const before = signal(null);
  const shown = computed(() => (settings() ? { ...settings(), ...edited() } : null));
  let timer;
  let ending;
  let anchorage;
  effect(() => { // a page that slept may have missed that she weighed
    const { state = 'idle', dropped_at: since } = status() ?? {};
    if (state === 'idle' || since !== anchorage) for (const one of [edited, before]) one.set(null);
    anchorage = since;
  });
  const forget = (part) => {
    const left = Object.entries(edited.peek() ?? {}).filter(([key, value]) => value !== part[key]);
    edited.set(left.length ? Object.fromEntries(left) : null);
  };
  const send = async () => {
    const part = edited.peek();
    if (!part) return;
    const old = Object.fromEntries(Object.keys(part).map((key) => [key, settings.peek()[key]]));
    if (JSON.stringify(part) === JSON.stringify(old)) return forget(part); // put back where it was
    try {
      await save(part);
    } catch (error) {
      if (!isAway(error)) forget(part);
      throw error;
    }
    forget(part);
    before.set(old);
    clearTimeout(ending);
    ending = setTimeout(() => before.set(null), UNDO);
  };
  const change = (part) => edited.set({ ...edited.peek(), ...part });
  const done = (isByKey = false) => {
    clearTimeout(timer);
    timer = setTimeout(() => inTurn(send), isByKey ? SETTLED : 0);
  };
  return {
    shown, before, change, done,
    /** Changes at once what one does not hold in the hand. */
    put(part) {
      change(part);
      done();
    },
    /** Keeps at once what is shown, before something that needs it; throws if that is not possible. */
    async settle() {
      clearTimeout(timer);
      let failed;
      await inTurn(async () => {
        try {
          await send();
        } catch (error) {
          failed = error;
        }
      });
      if (failed) throw failed;
    },
    undo() {
      clearTimeout(timer);
      if (edited.peek()) return edited.set(null);
      const old = before.peek();
      before.set(null);
      return old ? inTurn(() => save(old)) : undefined;
    },
  };
}
