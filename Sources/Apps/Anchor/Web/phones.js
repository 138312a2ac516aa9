// Phones that report by an app of theirs, each with a code that sets it up; and the one question for a skipper with one
// phone: what do you have?

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { drawing, icons } from '/anchor/icons.js';
import { addPhone, phones, removePhone } from '/anchor/model.js';
import { words } from '/anchor/words.js';

const APPS = ['owntracks', 'overland', 'traccar'];
const WAYS = ['agent', 'spare', 'one', 'page'];

export function phonesCard() {
  const adding = careful();
  const { inTurn, note } = careful();
  const list = signal([]);
  const made = signal(null);
  const way = signal(null);
  const read = async () => list.set((await phones()).phones ?? []);
  inTurn(read);
  let name = '';
  const add = (app) => adding.doing(async () => {
    made.set({ app, ...await addPhone({ name: name.trim() || words.phoneName, app }) });
    requestAnimationFrame(() => document.querySelector('.phone-made h3')?.focus()); // it comes behind the buttons
    await inTurn(read);
  });
  const remove = ({ id }) => inTurn(async () => {
    if (!list.peek().some((one) => one.id === id)) return; // its button was pressed twice
    await removePhone(id).catch((error) => { if (error.status !== 404) throw error; }); // else another page was faster
    if (made.peek()?.id === id) made.set(null);
    await read();
  });
  const row = (one) => html`<li>${drawing(icons.phone)}<div class="grow"><strong>${one.name}</strong><small>${
    [words.kinds[one.app], one.wanted && one.wanted !== one.mode ? words.switchTo[one.wanted] : ''].filter(Boolean)
      .join(' · ')}</small></div><button class="round-button danger" type="button"
    aria-label=${words.removePhone(one.name)} @click=${() => remove(one)}>${drawing(icons.close)}</button></li>`;
  const shown = () => (made() ? html`<div class="phone-made"><h3 tabindex="-1">${
    words.setUp(words.kinds[made().app])}</h3>${made().qr
    ? html`<div class="qr"><img src=${made().qr} alt=${words.qr} width="288" height="288"></div>` : ''}
    <p class="small">${words.steps[made().app]}</p><p><a class="button" href=${made().link}>${
    words.openApp}</a></p><p class="small quiet">${words.secretOnce}</p></div>` : '');
  const answer = () => {
    if (!way()) return '';
    const isApp = way() === 'one' || way() === 'spare';
    return html`<p>${words.ways[way()].then}</p>${isApp ? html`<label class="field"><span class="label">${
      words.nameOfPhone}</span><input maxlength="60" placeholder=${words.phoneName} .value=${name}
      @input=${({ target }) => { name = target.value; }}>
      </label><div class="row">${APPS.map((app) => html`<button class="button" type="button" aria-busy=${() =>
    adding.isBusy() || null} @click=${() => add(app)}>${words.kinds[app]}</button>`)}</div>` : ''}`;
  };
  return html`<section class="card" aria-labelledby="phones"><h2 id="phones">${words.safest}</h2>
    <fieldset class="choices"><legend>${words.whatHave}</legend>${WAYS.map((one) => html`<label class="choice"><input
      type="radio" name="way" @change=${() => way.set(one)}><span><strong>${words.ways[one].have}</strong><small>${
  words.ways[one].worth}</small></span></label>`)}</fieldset>
    ${answer}${shown}
    ${() => (list().length ? html`<h3>${words.reporting}</h3><ul class="list reporters">${list().map(row)}</ul>` : '')}
    ${adding.note}${note}</section>`;
}
