// For what changes something: shows beside it what went wrong.

import { html, signal } from '/ui.js';
import { explain } from '/explain.js';

/**
 * {doing(act), inTurn(act, undo), atOnce(act), note, clear(), isBusy}: `doing` runs an action unless one is under way,
 * as for a button that is pressed twice; `inTurn` waits for those before it, as for switches and fields, of which
 * somebody changes several in a row: `undo`, if it is given, has the control show what is so, should it fail. `atOnce`
 * does neither. `note` shows why one failed, until the next one or `clear`; `worded` may have better words for it.
 */
export function careful(worded = () => null) {
  const problem = signal('');
  const isBusy = signal(false);
  let last = Promise.resolve();
  const atOnce = async (act, undo) => {
    isBusy.set(true);
    problem.set('');
    try {
      await act();
    } catch (error) {
      undo?.();
      problem.set(worded(error) ?? await explain(error));
    } finally {
      isBusy.set(false);
    }
  };
  const inTurn = (act, undo) => {
    last = last.finally(() => atOnce(act, undo));
    return last;
  };
  const doing = async (act) => {
    if (isBusy.peek()) return;
    last = atOnce(act);
    await last;
  };
  const note = () => (problem() ? html`<p class="note" data-kind="bad" role="alert">${problem()}</p>` : '');
  const clear = () => problem.set('');
  return { doing, inTurn, atOnce, note, clear, isBusy };
}
