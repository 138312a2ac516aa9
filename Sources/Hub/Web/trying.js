// For lists of people, devices and the like: keeps why the last thing failed, and shows it with its title.

import { html, signal } from '/ui.js';
import { explained } from '/errors.js';

/** {problem, trying(act), note}: `trying` runs an action; `worded` may have better words for an error. */
export function tried(worded = () => null) {
  const problem = signal(null);
  const trying = async (act) => {
    try {
      await act();
    } catch (error) {
      problem.set(worded(error) ?? explained(error));
    }
  };
  const note = () => (problem() ? html`<p class="note" data-kind="bad" role="alert"><strong>${problem().title}</strong>
    ${problem().help}</p>` : '');
  return { problem, trying, note };
}
