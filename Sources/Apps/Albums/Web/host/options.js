// The options of an album. Switches act at once; what is typed, by its button.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { Typed } from '/albums/host/typed.js';
import { words } from '/albums/host/words.js';

function flip(album, hosting, inTurn, name) {
  const change = ({ target }) => {
    const isOn = target.checked;
    inTurn(() => hosting.change({ [name]: isOn }), () => { target.checked = !isOn; });
  };
  return html`<label class="switch"><span>${words.optionNames[name]}<small>${words.optionHints[name]}</small></span>
    <input type="checkbox" role="switch" .checked=${() => Boolean(album.details()?.options?.[name])}
      @change=${change}></label>`;
}

function typed(album, hosting) {
  const { doing, note, isBusy } = careful();
  const isSaved = signal(false);
  const known = new Typed(album.details.peek());
  const submit = (event) => {
    event.preventDefault();
    const fields = event.target.elements;
    const values = { name: fields.name.value, closes: fields.closes.value, passphrase: fields.passphrase.value };
    isSaved.set(false);
    doing(async () => {
      await hosting.change(known.wish(values));
      known.saved(values);
      fields.passphrase.value = '';
      isSaved.set(true);
    });
  };
  const unlock = () => doing(() => hosting.change({ passphrase: null }));
  const has = () => Boolean(album.details()?.options?.passphrase);
  return html`<form class="card" @submit=${submit}>
    <div class="field"><label for="album-name">${words.name}</label><input id="album-name" name="name" required
      maxlength="100" autocomplete="off" .value=${known.name}></div>
    <div class="field"><label for="album-closes">${words.closesAt}</label><input id="album-closes" name="closes"
      type="datetime-local" .value=${known.closes} aria-describedby="closes-hint">
      <p class="hint" id="closes-hint">${words.closesHint}</p></div>
    <div class="field"><label for="album-pass">${words.passphrase}</label><input id="album-pass" name="passphrase"
      maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="pass-hint">
      <p class="hint" id="pass-hint">${() => (has() ? words.hasPassphrase : words.passphraseHint)}</p></div>${note}
    <p class="row"><button class="button primary" aria-busy=${isBusy}>${words.save}</button>
      <button class="button plain" type="button" hidden=${() => !has()} @click=${unlock}>${words.noPassphrase}</button>
      <span role="status">${() => (isSaved() ? words.saved : '')}</span></p></form>`;
}

/** What is done once a second press says so. */
const sure = (isAsked, text, keep, yes, act, isBusy) => html`<div class="note" data-kind="bad" role="alert"><p>${text}
  </p><p class="row"><button class="button" type="button" @click=${() => isAsked.set(false)}>${keep}</button><button
  class="button danger" type="button" aria-busy=${isBusy} @click=${act}>${yes}</button></p></div>`;

function end(album, hosting) {
  const { doing, note, isBusy } = careful();
  const isAsked = signal(false);
  const isClosed = () => album.details()?.state === 'closed';
  const close = () => doing(() => hosting.change({ closed: !isClosed() }));
  const remove = () => doing(async () => {
    await album.ask('DELETE', '');
    location.assign('/albums');
  });
  return html`<section class="card"><h2>${words.end}</h2><p class="quiet">${() => (isClosed() ? words.closedText
    : words.endText)}</p>${note}
    <p class="row"><button class="button" type="button" @click=${close}>${() => (isClosed() ? words.reopen
  : words.close)}</button>${() => (isAsked() ? '' : html`<button class="button danger plain" type="button"
      @click=${() => isAsked.set(true)}>${words.deleteAlbum}</button>`)}</p>
    ${() => (isAsked() ? sure(isAsked, words.deleteAsk(album.details()?.name), words.keep, words.deleteSure, remove,
    isBusy) : '')}</section>`;
}

function modes(album, hosting, inTurn) {
  const now = () => album.details()?.mode ?? 'family';
  const choose = (mode) => ({ target }) => inTurn(() => hosting.change({ mode }), () => {
    target.closest('fieldset').querySelector(`[value=${now()}]`).checked = true;
  });
  const one = (mode) => html`<label class="check"><input type="radio" name="mode" value=${mode}
    .checked=${() => now() === mode} @change=${choose(mode)}><span>${words.modes[mode]}
    <small>${words.modeHints[mode]}</small></span></label>`;
  return html`<fieldset><legend>${words.whoComes}</legend>${one('family')}${one('open')}</fieldset>`;
}

/** Another link, for where the old one got into wrong hands. */
function link(album, hosting) {
  const { doing, note, isBusy } = careful();
  const isAsked = signal(false);
  const isMade = signal(false);
  const make = () => doing(async () => {
    await hosting.change({ new_link: true });
    isMade.set(true);
    isAsked.set(false);
  });
  return html`<section class="card"><h2>${words.link}</h2><p class="quiet" role="status">${() => (isMade()
    ? words.linkMade : words.linkText)}</p>${note}${() => (isAsked()
    ? sure(isAsked, words.linkAsk, words.keepLink, words.linkSure, make, isBusy)
    : html`<p class="row"><button class="button" type="button" @click=${() => isAsked.set(true)}>${words.newLink}
    </button></p>`)}</section>`;
}

export function optionsPart(album, hosting) {
  const { inTurn, note } = careful();
  return html`<section class="host-options"><h2 class="visually-hidden">${words.options}</h2>
    <div class="card">${note}${modes(album, hosting, inTurn)}${['review', 'upload_only', 'shows_taken', 'plays_sound']
    .map((name) => flip(album, hosting, inTurn, name))}</div>${link(album, hosting)}${
  typed(album, hosting)}${end(album, hosting)}</section>`;
}
