// Other spaces: their signs, with age and problems.

import { computed, each, element, html, signal } from '/ui.js';
import { isWeb } from '/addresses.js';
import { isDetail } from '/detail.js';
import { careful } from '/doing.js';
import { why } from '/explain.js';
import { onNews, subject } from '/live.js';
import { ageWords, said } from '/moments.js';
import { now, zone } from '/place.js';
import { change, may, reusing, session } from '/session.js';
import { words as aboutWords } from '/space/about-words.js';
import { spaceName } from '/space/contact.js';
import { addressOf, directory, lookUp, names } from '/space/directory.js';
import { askingAgain, isPending } from '/space/followed-pending.js';
import { LONGEST } from '/space/limits.js';
import { space } from '/space/model.js';
import { signWords } from '/space/sign-words.js';
import { words as pageWords } from '/space/words.js';

const words = signWords.followed;
const URL = '/api/v1/space/followed';
const known = subject('followed', () => URL, {
  room: 'space',
  isTold: false,
  take(body, before) {
    again.heard(body.followed);
    return { followed: reusing(before?.followed, body.followed) };
  },
});
const followed = computed(() => known.value()?.followed ?? []);
const refresh = () => { known.refresh(); };
const again = askingAgain(refresh);
const removing = careful();

const age = (text) => ageWords()?.(Date.parse(text), now()) ?? said(Date.parse(text), now(), zone());

async function send(method, url, body) {
  known.tell(await change(method, url, body));
  refresh(); // the event of a finished look may have come before this answer, which was made earlier
}

/** Other people's texts stay text, addresses must be ones that a browser may open, and pictures are not loaded. */
function view(one) {
  const title = isWeb(one.website)
    ? html`<a href=${one.website} target="_blank" rel="noopener noreferrer">${spaceName(one)}
      <span class="visually-hidden">${aboutWords.opensNewTab}</span></a>` : spaceName(one);
  const facts = () => [
    one.since && !one.old && one.open !== null ? pageWords.since(said(Date.parse(one.since), now(), zone())) : '',
    one.as_of ? words.asOf(age(one.as_of)) : isPending(one) ? words.pending : '',
    one.mine ? words.mine : '',
  ].filter(Boolean).join(' · ');
  const mayRemove = () => (one.mine ? session() : may('hub.manage'));
  return html`<li class="other" data-kind=${one.state} data-old=${one.old}>
    <span class="other-name">${title}</span>
    <strong class="other-state"><span class="other-mark" aria-hidden="true"></span>${
    pageWords.state[one.state]}</strong>
    ${one.message ? html`<span class="other-message">${one.message}</span>` : ''}
    <small class="other-age">${facts}</small>
    ${() => (one.problem ? html`<small class="other-problem">${
    mayRemove() ? words.problem(why(one.reason, one.problem)) : words.unreadable}</small>` : '')}
    ${() => (mayRemove() ? html`<button class="button plain danger other-remove"
      aria-label=${words.remove(spaceName(one))}
      @click=${() => removing.atOnce(() => send('DELETE', `${URL}/${one.id}`))}>×</button>` : '')}
  </li>`;
}

function form() {
  const address = signal('');
  const { atOnce, note } = careful();
  const follow = (event) => {
    event.preventDefault();
    const whom = event.submitter?.value ?? 'me';
    atOnce(async () => {
      await lookUp();
      const typed = address.peek();
      await send('POST', URL, { url: addressOf(typed), for: whom });
      if (address.peek() === typed) address.set(''); // the field may contain the next one already
    });
  };
  const open = ({ target }) => { if (target.open) lookUp(); };
  return html`<details class="follow" @toggle=${open}><summary>${words.add}</summary>
    <form @submit=${follow}>
      <div class="field"><label for="follow">${() => (directory().length ? words.nameOrAddress : words.address)}</label>
        <input id="follow" list="follow-names" aria-required="true" maxlength=${LONGEST.url} autocomplete="off"
          autocapitalize="none" spellcheck="false" aria-describedby="follow-hint follow-error" .value=${address}
          @input=${(event) => address.set(event.target.value)}>
        ${names('follow-names')}
        <p class="hint" id="follow-hint">${() => (directory().length ? words.nameHint : words.hint)}</p>
        <div id="follow-error">${note}</div></div>
      <div class="row">
        <button class="button" value="me">${words.forMe}</button>
        ${() => (may('hub.manage') ? html`<button class="button" value="everybody">${words.forAll}</button>` : '')}
      </div>
    </form></details>`;
}

element('space-followed', () => {
  known.remember(); // without a network the old state is shown with its age
  refresh();
  onNews('live', refresh);
  onNews('followed', refresh);
  return html`<section aria-label=${words.title} hidden=${() => isDetail() || !space() || !followed().length}>
    <ul class="others">${each(followed, ({ id }) => id, view)}</ul>
    ${removing.note}
  </section>`;
});

/** The form with which signed-in people follow another space. */
element('space-follow', () => html`<section class="beside" aria-labelledby="follow-title"
  hidden=${() => isDetail() || !space() || !may('space.follow')}>
  <h2 id="follow-title">${words.title}</h2>
  ${() => (may('space.follow') ? form() : '')}
</section>`);
