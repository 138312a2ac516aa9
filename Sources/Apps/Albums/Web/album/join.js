// Before an album: the button that joins, the wait for a host, and the reasons why there is none.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { HubError, wasInside } from '/keep.js';
import { keptAlbums } from '/albums/album/kept.js';
import { CODES } from '/albums/album/states.js';
import { words } from '/albums/album/words.js';
import { lamps } from '/albums/album/lamps.js';

export const NAME_LENGTH = 100;

const needsPassphrase = (error) => error instanceof HubError
  && [CODES.passphraseNeeded, CODES.passphraseWrong].includes(error.code);

const page = (content) => html`<section class="join"><div class="join-picture" aria-hidden="true">${lamps()}</div>
  <div class="join-body">${content}</div></section>`;

/** One button, and a field only if the album asks for a passphrase. */
export function join(album) {
  const { doing, note, isBusy } = careful();
  const about = signal(null);
  const isAsked = signal(false);
  const looked = album.look().then((found) => {
    about.set(found);
    album.start(); // if they are in, by an earlier link
    if (found?.passphrase) isAsked.set(true);
  });
  const isBox = () => about()?.upload_only; // its guests see what they have sent themselves
  const come = (event) => {
    event.preventDefault();
    const passphrase = event.target.elements.passphrase?.value;
    doing(async () => {
      await looked;
      if (album.id) return;
      try {
        await album.join(passphrase ? { passphrase } : {});
        album.start();
      } catch (error) {
        // The first answer only says that there is one: no mistake of the reader's.
        if (needsPassphrase(error) && !isAsked.peek()) {
          isAsked.set(true);
          requestAnimationFrame(() => document.getElementById('passphrase')?.focus());
        } else if (['outside', 'in', 'asked'].includes(album.state.peek())) {
          throw error;
        }
      }
    });
  };
  const field = () => (isAsked() ? html`<div class="field"><label for="passphrase">${words.join.passphrase}</label>
    <input id="passphrase" name="passphrase" aria-required="true" maxlength=${NAME_LENGTH} autocomplete="off"
      autocapitalize="none" spellcheck="false" enterkeyhint="go" aria-describedby="passphrase-hint">
    <p id="passphrase-hint" class="hint">${words.join.passphraseHint}</p></div>` : '');
  return page(html`<h1>${() => about()?.name ?? words.join.title}</h1>
    <p>${() => (isBox() ? words.join.textOfBox : about()?.guests > 1 ? words.join.textOf(about().guests)
    : words.join.text)}</p>
    <form @submit=${come}>${field}${note}
      <button class="button primary wet wide" aria-busy=${isBusy}>${words.join.button}</button></form>
    <p class="small quiet">${() => (isBox() ? words.join.smallOfBox : words.join.small)}</p>`);
}

/** A host has to say yes; the client asks, and the page turns by itself. Meanwhile one can say who one is. */
export function asked(album) {
  const { doing, note, isBusy } = careful();
  const name = () => album.details()?.me?.name;
  const tell = (event) => {
    event.preventDefault();
    const typed = event.target.elements.name.value.trim();
    if (typed) doing(() => album.rename(typed));
  };
  return page(html`<h1>${words.asked.title}</h1><p role="status">${words.asked.text}</p>
    <p class="waiting-dots" aria-hidden="true"><i></i><i></i><i></i></p>
    <form @submit=${tell}><div class="field"><label for="asked-name">${words.asked.name}</label>
      <input id="asked-name" name="name" maxlength=${NAME_LENGTH} autocomplete="name" enterkeyhint="done"
        .value=${album.details.peek()?.me?.name ?? ''} aria-describedby="asked-hint">
      <p id="asked-hint" class="hint">${() => (name() ? words.asked.told(name()) : words.asked.nameHint)}</p></div>
      ${note}<button class="button wide" aria-busy=${isBusy}>${words.asked.send}</button></form>
    ${() => (album.isUnreachable() ? html`<p class="note">${words.asked.lost}</p>` : '')}`);
}

/** Albums on this device, but for the one shown. */
const others = (album) => () => {
  const all = keptAlbums().filter(({ secret }) => secret !== album?.secret);
  return all.length ? html`<h2>${words.over.others}</h2><ul class="list">${all.map((one) => html`<li><div class="grow">
    <a class="tall" href=${`#${encodeURIComponent(one.secret)}`}><strong>${one.name}</strong></a></div></li>`)}</ul>`
    : '';
};

/** There is no album to show, for a reason in words. */
export function over(state, album) {
  const [title, text] = words.over[state] ?? words.over.wrong;
  const count = signal(0);
  const unsent = signal('');
  const isAsked = signal(false);
  const { doing, note } = careful();
  const look = async () => {
    const [{ waitingFor }, { unsentList }] = await Promise.all(
      [import('/albums/album/sender.js'), import('/albums/album/unsent.js')]);
    const { rows, fileOf } = await waitingFor(album.id);
    count.set(rows.length);
    unsent.set(() => unsentList(rows, fileOf));
  };
  if (album?.id) look().catch(() => {});
  const again = () => album.forget();
  const remove = async () => {
    if (count.peek()) await (await import('/albums/album/sender.js')).forgetWaiting(album.id);
    album.forget();
    location.replace('/album');
  };
  const press = async () => { // nothing that was not sent is forgotten unasked
    await look();
    if (count.peek()) isAsked.set(true);
    else await remove();
  };
  const away = () => (isAsked() ? html`<div class="leaving"><p role="alert">${words.over.forgetAsk(count.peek())}</p>
    <button class="button danger wide" type="button" @click=${() => doing(remove)}>${words.over.forgetYes}
    </button></div>`
    : html`<button class="button wide" type="button" @click=${() => doing(press)}>${words.over.forget}</button>`);
  return page(html`<h1>${title}</h1><p>${text}</p>
    ${() => (count() ? html`<p class="note">${words.over.left(count())}</p>${unsent()}` : '')}
    ${state === 'signed-out' ? html`<a class="button wet wide" href="/join">${words.over.signIn}</a>` : ''}
    ${album?.secret && (album.id ? !['gone', 'signed-out'].includes(state) : state === 'closed')
    ? html`<button class="button wet wide" type="button" @click=${again}>${words.over.again}</button>` : ''}
    ${album?.id ? away : ''}${note}
    ${wasInside() && state !== 'signed-out' ? html`<a class="button wide" href="/albums">${words.over.mine}</a>` : ''}
    ${others(album)}`);
}
