// For lists of people, devices and the like: keeps why the last thing failed, and shows it with its title.

import { html, signal } from '/ui.js';
import { explained } from '/errors.js';

/**
 * {problem, afresh(act), reading(act), once(act), note}: `afresh` runs an action, and first puts away why an earlier
 * one failed; `reading`, for what is fetched again by itself, does that once it has succeeded; `once` is `afresh`
 * unless one is under way, as for a button that makes something and is pressed twice; `worded` may have better words
 * for an error.
 */
export function tried(worded = () => null) {
  const problem = signal(null);
  const trying = async (act) => {
    try {
      await act();
    } catch (error) {
      problem.set(worded(error) ?? explained(error));
    }
  };
  const afresh = (act) => {
    problem.set(null);
    return trying(act);
  };
  const reading = (act) => trying(async () => {
    await act();
    problem.set(null);
  });
  let isUnderWay = false;
  const once = async (act) => {
    if (isUnderWay) return;
    isUnderWay = true;
    await afresh(act);
    isUnderWay = false;
  };
  const note = () => (problem() ? html`<p class="note" data-kind="bad" role="alert"><strong>${problem().title}</strong>
    ${problem().help}</p>` : '');
  return { problem, afresh, reading, once, note };
}
