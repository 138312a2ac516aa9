// A permission at Flickr: what happens when Flickr has sent the browser back, and the people whom one follows there.

import { each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { change, create, load } from '/session.js';
import { sheetHead } from '/sheet-head.js';
import { drawing, icons } from '/portfolio/icons.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { named } from '/portfolio/adding/named.js';
import { said } from '/portfolio/adding/words.js';

/** {dialog, arrive(token, verifier), choose(portfolio)}. `added(portfolio)` is awaited after each change. */
export function flickrPanel(library, added) {
  const contacts = signal(undefined);
  const permission = signal(null); // the portfolio whose permission is used
  const text = signal('');
  const told = signal('');
  const { doing, note, isBusy } = careful();
  const known = () => new Set((library.portfolios() ?? []).map(({ source }) => source?.of));
  const ask = async (portfolio) => {
    permission.set(portfolio);
    const answer = await load(`${PORTFOLIOS}/${encodeURIComponent(portfolio)}/contacts`);
    contacts.set(answer.contacts);
  };
  const choose = (portfolio) => {
    told.set('');
    contacts.set(undefined);
    dialog.showModal();
    doing(() => ask(portfolio));
  };
  const arrive = (token, verifier) => {
    told.set(said.waits);
    dialog.showModal();
    doing(async () => {
      const before = new Set((library.portfolios.peek() ?? []).map(({ id }) => id));
      const made = await change('POST', `${PORTFOLIOS}/flickr/consents/${encodeURIComponent(token)}`, { verifier })
        .catch((error) => {
          told.set('');
          throw error;
        });
      told.set((before.has(made.id) ? said.renewed : said.added)(made.name));
      await added(made);
      await ask(made.id);
    });
  };
  // Its button goes: the row has the focus then, so that the keyboard goes on from there.
  const add = ({ id, name }, place) => doing(async () => {
    await added(await create(PORTFOLIOS, { source: `flickr:${id}`, name, permission: permission.peek() }));
    place.focus();
  });
  const row = (one) => html`<li tabindex="-1"><span class="grow">${one.name}</span>${() => (known().has(one.id)
    ? html`<small>${said.isAdded}</small>` : html`<button class="button" type="button" aria-busy=${() =>
      isBusy() || null} aria-label=${said.add(one.name)} @click=${({ currentTarget }) =>
      add(one, currentTarget.closest('li'))}>${drawing(icons.plus)}</button>`)}</li>`;
  const list = () => (contacts() ?? []);
  const dialog = html`<dialog class="contacts-panel" aria-labelledby="flickr-title">
    ${sheetHead('flickr-title', said.title)}<p role="status">${() => told()
    || (isBusy() && !contacts() ? said.loads : '')}</p>${note}
    <section hidden=${() => !contacts()}><h3>${said.contacts}</h3><p class="hint">${() => (list().length
    ? said.contactsText : said.none)}</p><label class="visually-hidden" for="flickr-find">${said.find}</label><input
    id="flickr-find" type="search" placeholder=${said.find} hidden=${() => list().length < 8} @input=${({ target }) =>
  text.set(target.value)}><ul class="list">${each(() => named(list(), text()), ({ id }) => id, row)}</ul></section>
    </dialog>`.firstElementChild;
  return { dialog, arrive, choose };
}
