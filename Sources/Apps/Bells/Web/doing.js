// For cards that change something: shows in the card what went wrong.

import { html, signal } from '/ui.js';
import { explained } from '/errors.js';

/**
 * {doing(act), note}: `doing` runs an action, and `note` shows why it failed; `worded` may have better words for a
 * reason.
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
      const own = worded(error);
      const { title, help } = own ? { title: own, help: '' } : explained(error);
      problem.set(`${title} ${help}`.trim());
    } finally {
      isBusy.set(false);
    }
  };
  const note = () => (problem() ? html`<p class="note" data-kind="bad" role="alert">${problem()}</p>` : '');
  return { doing, note, problem, isBusy };
}
