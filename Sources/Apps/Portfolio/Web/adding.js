// The form that names a place with pictures, and a portfolio's own options.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { change, may } from '/session.js';
import { drawing, icons } from '/portfolio/icons.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { words } from '/portfolio/words.js';

const said = words.adding;
const SECRETS = [['user', 'text'], ['password', 'password']];
const OPTIONAL = ['name', 'user', 'password'];
const NAME_LENGTH = 80;

/** The form; `added(portfolio)` is called when the hub has it. A folder of the hub is for its owners. */
export function addingForm(added, cancel) {
  const kind = signal('webdav');
  const { doing, note, isBusy } = careful();
  const hasNoPlace = () => kind() === 'albums';
  const submit = (event) => {
    event.preventDefault();
    const fields = event.target.elements;
    doing(async () => {
      const given = OPTIONAL.map((field) => {
        const text = fields[field]?.value ?? '';
        return [field, field === 'password' ? text : text.trim()];
      }).filter(([, value]) => value);
      const of = hasNoPlace() ? '' : fields.of.value.trim();
      const made = await change('POST', PORTFOLIOS, {
        source: `${kind.peek()}:${of}`, ...Object.fromEntries(given),
      });
      event.target.reset();
      kind.set('webdav');
      await added(made);
    });
  };
  const kinds = () => Object.keys(said.kinds).filter((one) => one !== 'folder' || may('hub.manage'));
  return html`<form class="adding" @submit=${submit}>
    <fieldset><legend>${said.from}</legend>${() => kinds().map((one) => html`<label class="check"><input type="radio"
      name="kind" value=${one} .checked=${() => kind() === one} @change=${() => kind.set(one)}>${said.kinds[one]}
      </label>`)}</fieldset>
    <div class="field"><label for="portfolio-of" hidden=${hasNoPlace}>${() => said.of[kind()] ?? ''}</label><input
      id="portfolio-of" name="of" hidden=${hasNoPlace} required=${() => !hasNoPlace()} maxlength="2000"
      autocomplete="off" autocapitalize="none" spellcheck="false" type=${() => (kind() === 'webdav' ? 'url' : 'text')}
      aria-describedby="portfolio-hint">
      <p class="hint" id="portfolio-hint">${() => said.hint[kind()]}</p></div>
    ${() => (kind() === 'webdav' ? html`<div class="fields">${SECRETS.map(([name, type]) => html`<div class="field">
      <label for=${`portfolio-${name}`}>${said[name]} <span class="optional">${said.optional}</span></label>
      <input id=${`portfolio-${name}`} name=${name} type=${type} maxlength="500" autocomplete="off"></div>`)}
      </div>` : '')}
    <div class="field"><label for="portfolio-name">${said.name} <span class="optional">${said.optional}</span></label>
      <input id="portfolio-name" name="name" maxlength=${NAME_LENGTH} autocomplete="off"></div>${note}
    <p class="row"><button class="button primary" aria-busy=${() => isBusy() || null}>${said.make}</button>${cancel
  ? html`<button class="button plain" type="button" @click=${cancel}>${said.cancel}</button>` : ''}</p></form>`;
}

const headOf = (id, title, close) => html`<div class="sheet-head"><h2 id=${id}>${title}</h2><button class="round-button"
  type="button" aria-label=${words.keeping.close} @click=${close}>${drawing(icons.cross)}</button></div>`;

/** {dialog, open}: the form in a dialogue. */
export function addingDialog(added) {
  const close = () => dialog.close();
  const dialog = html`<dialog aria-labelledby="adding-title">${headOf('adding-title', said.add, close)}
    ${addingForm(async (made) => {
    close();
    await added(made);
  })}</dialog>`.firstElementChild;
  return { dialog, open: () => dialog.showModal() };
}

/** {dialog, open(portfolio)}: its name, which galleries are on the wall, new pictures, its end. */
export function optionsDialog(library, changed) {
  const id = signal(null);
  const isAsked = signal(false);
  const { doing, note } = careful();
  const close = () => dialog.close();
  const one = () => (library.portfolios(), library.portfolio(id()));
  const address = () => `${PORTFOLIOS}/${encodeURIComponent(id.peek())}`;
  const act = (run) => doing(async () => {
    await run();
    await changed();
  });
  const rename = (event) => {
    event.preventDefault();
    const name = event.target.elements.name.value.trim();
    if (name) act(() => change('PATCH', address(), { name }));
  };
  const hide = (gallery, isShown) => act(() => change('PATCH', `${address()}/galleries/${encodeURIComponent(gallery)}`,
    { hidden: !isShown }));
  const look = () => act(() => change('POST', `${address()}/sync`));
  const isRunning = () => one()?.sync?.state === 'running';
  const remove = () => act(async () => {
    await change('DELETE', address());
    close();
  });
  const gallery = ({ id: which, title, hidden }) => html`<li><label class="switch grow-switch"><span>${title}</span>
    <input type="checkbox" role="switch" .checked=${!hidden} @change=${({ target }) =>
  hide(which, target.checked)}></label>
    </li>`;
  const dialog = html`<dialog aria-labelledby="options-title">${headOf('options-title',
    words.more.options, close)}
    <p><button class="button primary" type="button" disabled=${isRunning} @click=${look}>${words.sync.now}</button></p>
    <form @submit=${rename}><div class="field"><label for="options-name">${words.more.rename}</label><input
      id="options-name" name="name" required maxlength=${NAME_LENGTH} autocomplete="off" .value=${() =>
  one()?.name ?? ''}></div><p class="row"><button class="button">${words.more.save}</button></p></form>${note}
    <section><h3>${words.more.hidden}</h3><ul class="list">${() => (one()?.galleries ?? []).filter((other) =>
    !other.favourites).map(gallery)}</ul></section>
    ${() => (isAsked() ? html`<div class="note" role="alert"><p>${words.more.removeAsk}</p><p class="row"><button
      class="button" type="button" @click=${() => isAsked.set(false)}>${words.more.keep}</button><button
      class="button danger" type="button" @click=${remove}>${words.more.removeYes}</button></p></div>`
    : html`<p><button class="button plain" type="button" @click=${() => isAsked.set(true)}>${words.more.remove}</button>
      </p>`)}</dialog>`.firstElementChild;
  const open = (which) => {
    isAsked.set(false);
    id.set(which);
    dialog.showModal();
  };
  return { dialog, open };
}
