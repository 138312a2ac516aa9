// The panel about the pictures on this device: how many are kept, how much space they take, which are missing, and
// whether the browser may take them away.

import { computed, each, html, signal } from '/ui.js';
import { sheetHead } from '/sheet-head.js';
import { size } from '/sizes.js';
import { keptOf } from '/portfolio/keeping/reckoning.js';
import { said } from '/portfolio/keeping/words.js';
import { choose, settings } from '/portfolio/settings.js';
import { count, words } from '/portfolio/words.js';

const SECONDS = [3, 6, 10, 20];

const toggle = (text, isOn, set, isOff = () => false) => html`<label class="switch"><span>${text}</span><input
  type="checkbox" role="switch" .checked=${isOn} disabled=${isOff} @change=${({ target }) => set(target.checked)}>
  </label>`;

const togglesOf = (name, value) => (isOn) => {
  const before = settings.peek()[name].filter((one) => one !== value);
  choose({ [name]: isOn ? [...before, value] : before });
};

/** The result of the last check of everything, or how far it is. */
function checkText(check, isAfterUpdate) {
  if (!check) return '';
  if (check.all !== undefined) return said.checking(count(check.done), count(check.all));
  const { small, large, lost } = check;
  const text = lost.small + lost.large ? words.kept.found(count(lost.small), count(lost.large))
    : said.checked(count(small), count(large));
  return isAfterUpdate ? `${words.kept.updated} ${text}` : text;
}

/** {dialog, open}. `isAfterUpdate` says that the check was made since the pages are new. */
export function keepingPanel(library, keeper, isAfterUpdate) {
  const space = signal(null); // {usage, quota}
  const persisted = signal(undefined);
  const isRefused = signal(false);
  const isAsked = signal(false);
  const isOpen = signal(false);
  const look = async () => {
    space.set(await navigator.storage?.estimate?.().catch(() => null) ?? null);
    persisted.set(await navigator.storage?.persisted?.().catch(() => undefined));
  };
  const persist = async () => {
    const isAgreed = await navigator.storage.persist().catch(() => false);
    persisted.set(isAgreed);
    isRefused.set(!isAgreed);
  };
  const rows = computed(() => new Map((isOpen() && keeper.turn() >= 0 ? library.known() : []).map((one) => {
    const { kept, count: all, bytes } = keptOf(one, keeper.rows);
    const title = library.gallery(one.portfolio, one.id)?.title ?? '';
    return [`${one.portfolio}/${one.id}`, { title, text: said.ofGallery(count(kept), count(all), size(bytes)) }];
  })));
  // Its switch stays under the finger while pictures are being kept.
  const row = (key) => html`<li><div class="grow"><strong>${() => rows().get(key)?.title}</strong><small>${() =>
    rows().get(key)?.text}</small></div>
    <label class="switch"><input type="checkbox" role="switch" aria-label=${() => said.first(rows().get(key)?.title)}
      .checked=${() => settings().first.includes(key)} @change=${({ target }) =>
  togglesOf('first', key)(target.checked)}>
    </label></li>`;
  const failed = () => [...keeper.failed().values()];
  const failure = ({ picture, size: which, why }) => html`<li>${picture.title || picture.id} (${said.sizes[which]}): ${
    said.why[why]}</li>`;
  const isChecking = () => keeper.check()?.all !== undefined;
  const dialog = html`<dialog class="keeping-panel" aria-labelledby="keeping-title" @close=${() =>
    isOpen.set(false)}>${sheetHead('keeping-title', said.title)}
    <div class="kept-sum"><p><strong>${() => said.here(count(keeper.sum().kept), size(keeper.sum().bytes))}</strong></p>
      <p class="quiet">${() => (keeper.sum().missing.length ? said.left(count(keeper.sum().missing.length),
    size(keeper.sum().missingBytes)) : said.nothingLeft)}</p>
      <p class="quiet small">${() => (space()?.quota ? said.free(size(space().usage), size(space().quota)) : '')}</p>
      <progress max=${() => Math.max(1, keeper.sum().files)} value=${() => keeper.sum().kept} aria-label=${said.title}
        ></progress></div>
    ${() => (keeper.state() === 'full' ? html`<p class="note" role="status">${said.fullText}</p>` : '')}
    ${() => (keeper.state() === 'insecure' ? html`<p class="note">${said.insecureText}</p>` : '')}
    ${() => (failed().length ? html`<details class="failed"><summary>${said.failed(count(failed().length))}</summary>
      <ul>${failed().map(failure)}</ul></details>` : '')}
    ${() => (['full', 'short', 'waiting'].includes(keeper.state()) ? html`<p><button class="button" type="button"
      @click=${() => keeper.again()}>${said.again}</button></p>` : '')}
    <div>${toggle(said.isKept, () => settings().isKept, (isKept) => choose({ isKept }))}${toggle(said.isMobileToo,
  () => settings().isMobileToo, (isMobileToo) => choose({ isMobileToo }), () => !settings().isKept)}</div>
    <p class="persisted">${() => (persisted() ? said.persisted : said.notPersisted)} ${() => (persisted() === false
  ? html`<button class="button" type="button" @click=${persist}>${said.persist}</button>` : '')}${() => (isRefused()
  ? html`<span class="quiet" role="status">${said.refused}</span>` : '')}</p>
    <p role="status" aria-live=${() => (isChecking() ? 'off' : null)}>${() =>
  checkText(keeper.check(), isAfterUpdate())}</p>
    <p class="row"><button class="button" type="button" disabled=${isChecking} @click=${() => keeper.checkNow()}>${
  said.check}</button></p>
    <section><h3>${said.galleries}</h3><ul class="list">${each(() => [...rows().keys()], (key) => key, row)}</ul>
    </section>
    <fieldset class="shown-lines"><legend>${said.shows}</legend>${Object.entries(said.show).map(([kind, text]) =>
  html`<label class="check"><input type="checkbox" .checked=${() => settings().shows.includes(kind)} @change=${
    ({ target }) => togglesOf('shows', kind)(target.checked)}>${text}</label>`)}</fieldset>
    <div class="field"><label for="show-seconds">${said.seconds}</label><select id="show-seconds" .value=${() =>
  String(settings().seconds)} @change=${({ target }) => choose({ seconds: Number(target.value) })}>${
  SECONDS.map((one) => html`<option value=${one} selected=${settings.peek().seconds === one}>${one}</option>`)}</select>
    </div>
    ${() => (isAsked() ? html`<div class="note" role="alert"><p>${said.removeAsk}</p><p class="row"><button
      class="button" type="button" @click=${() => isAsked.set(false)}>${said.keep}</button><button class="button danger"
      type="button" @click=${async () => {
    choose({ isKept: false });
    await keeper.empty();
    isAsked.set(false);
    look();
  }}>${said.remove}</button></p></div>` : html`<p><button class="button plain" type="button" @click=${() =>
  isAsked.set(true)}>${said.remove}</button></p>`)}</dialog>`.firstElementChild;
  const open = () => {
    isAsked.set(false);
    isOpen.set(true);
    look();
    dialog.showModal();
  };
  return { dialog, open };
}
