// The form that chooses what a client gets.

import { effect, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { hubAhead } from '/keep.js';
import { chosenAtFirst, idsOf, isSame, offered, sendsPrivate } from '/portfolio/sending/choice.js';
import { dayOf, downloadsOf, hasPlaces, wishOf } from '/portfolio/sending/fields.js';
import { picking } from '/portfolio/sending/picking.js';
import { said } from '/portfolio/sending/words.js';

/**
 * The form. `portfolio` has its galleries, `picturesOf(gallery)` gives their pictures; `before` is what was sent and is
 * changed, null for a new one; `send(wish)` hands it to the hub; `leave()` closes it.
 */
export function sendForm({ portfolio, picturesOf, hasPrivate, before, send, leave }) {
  const { doing, note, isBusy } = careful();
  const problem = signal('');
  const galleries = offered(portfolio.galleries ?? [], before);
  const [choice, goPrivate] = [signal({}), signal(false)];
  let [first, firstPrivate] = [{}, false];
  effect(() => { // of pictures that come to be known meanwhile; what somebody has chosen stays
    const [chosen, next] = [choice.peek(), chosenAtFirst(galleries, before, picturesOf)];
    choice.set(Object.fromEntries(galleries.map(({ id }) =>
      [id, chosen[id] === first[id] ? next[id] : chosen[id]])));
    first = next;
    const isPrivate = sendsPrivate(galleries, before, picturesOf);
    if (goPrivate.peek() === firstPrivate) goPrivate.set(isPrivate);
    firstPrivate = isPrivate;
  });
  const submit = (event) => {
    event.preventDefault();
    const { title, text, pin, until, download, details } = event.target.elements;
    // Pictures that nobody has chosen anew are not sent: the client keeps them, also those that this device lacks.
    const stays = before && isSame(choice.peek(), first) && goPrivate.peek() === firstPrivate;
    const ids = stays ? {} : idsOf(choice.peek());
    problem.set(ids ? '' : said.choose);
    if (!ids) return;
    const wish = wishOf({
      title: title.value, text: text.value, pin: pin.value, until: until.value, download: download.value,
      details: details.checked, isPrivate: goPrivate.peek(), ...ids,
    }, before);
    doing(() => send(wish));
  };
  const downloads = downloadsOf(portfolio, before);
  const size = ([value, words]) => html`<label class="check"><input type="radio" name="download" value=${value}
    .checked=${(before?.download ?? '2048') === value}>${words}</label>`;
  const toggle = (name, isOn, title, hint, set = () => {}) => html`<label class="switch"><span>${title}<br>
    <small class="quiet">${hint}</small></span><input type="checkbox" role="switch" name=${name} .checked=${isOn}
    @change=${({ target }) => set(target.checked)}></label>`;
  return html`<form class="send-form" @submit=${submit}>
    <fieldset><legend>${said.galleries}</legend>${picking(galleries, choice, picturesOf)}</fieldset>
    <div class="field"><label for="send-title">${said.name}</label><input id="send-title" name="title" required
      maxlength="100" autocomplete="off" value=${before?.title ?? portfolio.name}></div>
    <div class="field"><label for="send-text">${said.text} <span class="optional">${said.optional}</span></label>
      <textarea id="send-text" name="text" rows="3" maxlength="4000" .value=${before?.text ?? ''}></textarea></div>
    <div class="fields"><div class="field"><label for="send-pin">${said.pin} <span class="optional">${said.optional}
      </span></label><input id="send-pin" name="pin" inputmode="numeric" pattern="[0-9 ]{4,20}" autocomplete="off"
      aria-describedby="send-pin-hint" value=${before?.pin ?? ''}><p class="hint" id="send-pin-hint">${said.pinHint}</p>
      </div><div class="field"><label for="send-until">${said.until} <span class="optional">${said.optional}</span>
      </label><input id="send-until" name="until" type="date" min=${dayOf(Date.now() + hubAhead())}
      value=${dayOf(before?.until)} aria-describedby="send-until-hint"><p class="hint"
      id="send-until-hint">${said.untilHint}</p></div></div>
    <fieldset><legend>${said.downloads}</legend><div class="row">${downloads.map((value) =>
  size([value, said.download[value]]))}</div>${downloads.includes('original')
  ? html`<p class="quiet small">${said.originalHint}</p>` : ''}</fieldset>
    ${toggle('details', before?.shows?.includes('place') ?? false, hasPlaces(portfolio) ? said.details : said.dates,
  said.detailsHint)}
    ${hasPrivate ? toggle('isPrivate', goPrivate, said.private, said.privateHint, goPrivate.set) : ''}${note}
    ${before ? html`<p class="quiet small">${said.updating}</p>` : ''}
    <p class="note" data-kind="bad" role="alert" hidden=${() => !problem()}>${problem}</p>
    <p class="row"><button class="button primary" aria-busy=${isBusy}>${before ? said.save : said.make}
      </button><button class="button" type="button" @click=${leave}>${said.cancel}</button></p></form>`;
}
