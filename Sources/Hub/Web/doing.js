// For what changes something: shows beside it what went wrong.

import { html, signal } from '/ui.js';
import { explain } from '/explain.js';

/**
 * {doing(act), note, isBusy}: `doing` runs an action, one at a time, and `note` shows why it failed; `worded` may have
 * better words for an error.
 */
export function careful(worded = () => null) {
  const problem = signal('');
  const isBusy = signal(false);
  const doing = async (act) => {
    if (isBusy.peek()) return;
    isBusy.set(true);
    problem.set('');
    try {
      await act();
    } catch (error) {
      problem.set(worded(error) ?? await explain(error));
    } finally {
      isBusy.set(false);
    }
  };
  const note = () => (problem() ? html`<p class="note" data-kind="bad" role="alert">${problem()}</p>` : '');
  return { doing, note, isBusy };
}
