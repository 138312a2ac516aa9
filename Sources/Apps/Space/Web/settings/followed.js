// Other spaces whose signs everybody is shown. Each change is saved at once, without "Save".

import { computed, each, ending, html, signal } from '/ui.js';
import { explain, why } from '/explain.js';
import { change, reusing } from '/session.js';
import { spaceName } from '/space/contact.js';
import { addressOf, directory, lookUp, names } from '/space/directory.js';
import { askingAgain, isPending } from '/space/followed-pending.js';
import { LONGEST } from '/space/limits.js';
import { signWords } from '/space/sign-words.js';
import { words } from '/space/settings/words.js';
import { words as pageWords } from '/space/words.js';

const FOLLOWED = '/api/v1/space/followed';
const { pending } = signWords.followed;

function followed() {
  const spaces = signal(null); // null until known
  const trouble = signal('');
  const refresh = () => change('GET', FOLLOWED).then(take, () => {}); // an unreachable hub is shown elsewhere
  function take(answer) {
    spaces.set(reusing(spaces.peek() ?? [], answer.followed.filter(({ mine }) => !mine)));
    again.heard(spaces.peek());
  }
  const again = askingAgain(refresh);
  refresh();
  lookUp();
  ending(again.end);

  async function send(method, url, body) {
    trouble.set('');
    try {
      take(await change(method, url, body));
      return true;
    } catch (error) {
      trouble.set(await explain(error, words.unsaved));
      return false;
    }
  }

  async function add(event) {
    const input = event.currentTarget.closest('.field').querySelector('input');
    const typed = input.value.trim();
    if (typed) await lookUp();
    const isDone = typed && await send('POST', FOLLOWED, { url: addressOf(typed), for: 'everybody' });
    if (isDone && input.value.trim() === typed) input.value = ''; // the field may contain the next one already
    input.focus();
  }

  const view = (one) => html`<li><div class="grow"><strong>${spaceName(one)}</strong><small>${one.url}</small>
      <small role="status">${isPending(one) ? pending : one.as_of ? pageWords.state[one.state] : ''}</small>
      ${one.problem ? html`<small class="form-error">${() => why(one.reason, one.problem)}</small>` : ''}</div>
    <button type="button" class="button plain danger" aria-label=${words.followed.remove(spaceName(one))}
      @click=${() => send('DELETE', `${FOLLOWED}/${one.id}`)}>${words.pictures.remove}</button></li>`;

  // Enter in the field adds a space, instead of sending the surrounding form.
  const onEnter = (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add(event);
  };
  const isKnown = computed(() => spaces() !== null); // the field stays when they are asked for anew
  return html`${() => (!isKnown() ? '' : html`<section class="card"><h2>${words.followed.title}</h2>
    <p class="quiet small">${words.followed.hint}</p>
    <ul class="list">${each(spaces, ({ id }) => id, view)}</ul>
    <div class="field"><label for="field-follow">${
  () => (directory().length ? signWords.followed.nameOrAddress : words.followed.address)}</label>
      ${names('field-follow-names')}
      <input id="field-follow" list="field-follow-names" autocomplete="off" autocapitalize="none" spellcheck="false"
        maxlength=${LONGEST.url} placeholder="https://space.example/spaceapi.json" aria-describedby="field-follow-error"
        @input=${(event) => event.stopPropagation()} @keydown=${onEnter}>
      <p class="error" id="field-follow-error" aria-live="assertive">${trouble}</p>
      <p><button type="button" class="button" @click=${add}>${words.followed.add}</button></p></div>
  </section>`)}`;
}

export const followedPart = () => ({ view: followed });
