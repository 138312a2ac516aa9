// The form that names a place with pictures, and a portfolio's own options.

import { computed, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { change, create, may } from '/session.js';
import { sheetHead } from '/sheet-head.js';
import { language } from '/shell-words.js';
import { moved } from '/portfolio/adding/order.js';
import { said as late } from '/portfolio/adding/words.js';
import { drawing, icons } from '/portfolio/icons.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { shareOf, words } from '/portfolio/words.js';

const said = late.form;
const SECRETS = [['user', 'text'], ['password', 'password']];
const OPTIONAL = ['name', 'user', 'password'];
const NAME_LENGTH = 80;
const NOT_ACCEPTED = 40085;

/**
 * Asks for permission at Flickr, which then sends the browser back; `portfolio` is one that is to be authorized anew.
 */
async function allowAtFlickr(portfolio) {
  const { address } = await change('POST', `${PORTFOLIOS}/flickr/consents`, portfolio ? { portfolio } : {});
  location.assign(address);
}

/** What was wrong with a place, without the kinds of sources as the command line names them. */
const worded = ({ code, message }) => (code === NOT_ACCEPTED && language === 'en' ? message : null);

/**
 * The form; `added(portfolio)` is called when the hub has it. A folder of the hub is for its owners. `flickr` is
 * {authorized(), choose(portfolio)}: the portfolio with a permission at Flickr, if there is one, and its contacts.
 */
export function addingForm(added, flickr) {
  const kind = signal('webdav');
  const { doing, note, isBusy } = careful(worded);
  const hasNoPlace = () => ['albums', 'uploads'].includes(kind());
  // What one may see at Flickr by one's own permission, such as friends' pictures, one sees of others too.
  const permitted = () => {
    const permission = kind.peek() === 'flickr' ? flickr?.authorized() : undefined;
    return permission ? { permission } : {};
  };
  const submit = (event) => {
    event.preventDefault();
    const fields = event.target.elements;
    doing(async () => {
      const given = OPTIONAL.map((field) => {
        const text = fields[field]?.value ?? '';
        return [field, field === 'password' ? text : text.trim()];
      }).filter(([, value]) => value);
      const of = hasNoPlace() ? '' : fields.of.value.trim();
      const made = await create(PORTFOLIOS, {
        source: `${kind.peek()}:${of}`, name: said.names[kind.peek()], ...Object.fromEntries(given), ...permitted(),
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
      id="portfolio-of" name="of" hidden=${hasNoPlace} aria-required=${() => String(!hasNoPlace())}
      maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false"
      type=${() => (kind() === 'webdav' ? 'url' : 'text')}
      aria-describedby="portfolio-hint">
      <p class="hint" id="portfolio-hint">${() => said.hint[kind()]}</p></div>
    ${() => (kind() === 'flickr' ? html`<div class="note"><p>${said.allowText}</p><p class="row"><button class="button"
      type="button" @click=${() => doing(() => allowAtFlickr())}>${said.allow}</button>${flickr?.authorized()
  ? html`<button class="button" type="button" @click=${() => flickr.choose(flickr.authorized())}>${said.contacts}
        </button>` : ''}</p></div>` : '')}
    ${() => (kind() === 'webdav' ? html`<div class="fields">${SECRETS.map(([name, type]) => html`<div class="field">
      <label for=${`portfolio-${name}`}>${said[name]} <span class="optional">${said.optional}</span></label>
      <input id=${`portfolio-${name}`} name=${name} type=${type} maxlength="500" autocomplete="off"></div>`)}
      </div>` : '')}
    <div class="field"><label for="portfolio-name">${said.name} <span class="optional">${said.optional}</span></label>
      <input id="portfolio-name" name="name" maxlength=${NAME_LENGTH} autocomplete="off"></div>${note}
    <p class="row"><button class="button primary" aria-busy=${isBusy}>${said.make}</button></p></form>`;
}

/** {dialog, open}: the form in a dialogue. */
export function addingDialog(added, flickr) {
  const close = () => dialog.close();
  const dialog = html`<dialog aria-labelledby="adding-title">${sheetHead('adding-title', words.adding.add)}
    ${addingForm(async (made) => {
    close();
    await added(made);
  }, flickr && { ...flickr, choose: (portfolio) => (close(), flickr.choose(portfolio)) })}</dialog>`.firstElementChild;
  return { dialog, open: () => dialog.showModal() };
}

/** {dialog, open(portfolio)}: its name, which galleries are on the wall in which order, new pictures, its end. */
export function optionsDialog(library, changed) {
  const id = signal(null);
  const isAsked = signal(false);
  const told = signal(''); // of what was saved, for whoever does not see it
  const { doing, inTurn, note } = careful();
  const close = () => dialog.close();
  const one = () => (library.portfolios(), library.portfolio(id()));
  // A sync tells of itself many times: only another name, or another list, writes over what is typed or has the focus.
  const name = computed(() => one()?.name ?? '');
  const listed = computed(() => JSON.stringify((one()?.galleries ?? []).filter(({ favourites }) => !favourites)
    .map(({ id: which, title, hidden }) => ({ id: which, title, hidden }))));
  /** Changes the portfolio that is shown now, with its address and id, after what was asked for before. */
  const act = (run, undo) => {
    const own = id.peek();
    told.set('');
    inTurn(async () => {
      await run(`${PORTFOLIOS}/${encodeURIComponent(own)}`, own);
      await changed();
    }, undo);
  };
  const rename = (event) => {
    event.preventDefault();
    const text = event.target.elements.name.value.trim();
    if (!text) return;
    act(async (address) => {
      await change('PATCH', address, { name: text });
      told.set(words.more.saved);
    });
  };
  const hide = (gallery, field) => {
    const hidden = !field.checked;
    act((address) => change('PATCH', `${address}/galleries/${encodeURIComponent(gallery)}`, { hidden }),
      () => { field.checked = hidden; });
  };
  const look = () => act((address) => change('POST', `${address}/sync`));
  const isOwn = () => one()?.source?.kind === 'uploads';
  const isRunning = () => one()?.sync?.state === 'running';
  const remove = () => {
    isAsked.set(false);
    act(async (address, own) => {
      await change('DELETE', address);
      if (id.peek() === own) close();
    });
  };
  const ids = (own) => (library.portfolio(own)?.galleries ?? []).filter(({ favourites }) => !favourites)
    .map((other) => other.id);
  const all = () => (library.portfolios() ?? []).map((other) => other.id);
  /** The keys that move one of a list; `set` makes the change of a new order. */
  const keys = (which, title, list, set) => {
    const move = (by) => act(async (address, own) => {
      const order = moved(list(own), which, by);
      if (!order) return;
      await change('PATCH', address, set(order));
      told.set(words.more.place(title, order.indexOf(which) + 1, order.length));
    });
    // Not `disabled`: a key that turns so while it is pressed would lose the focus.
    return html`<span class="order-keys">${[[icons.up, -1, words.more.up],
      [icons.lower, 1, words.more.down]].map(([path, by, label]) => html`<button class="plate-key" type="button"
      aria-label=${label(title)} aria-disabled=${moved(list(id()), which, by) ? null : 'true'}
      @click=${() => move(by)}>${drawing(path)}</button>`)}</span>`;
  };
  const gallery = ({ id: which, title, hidden }) => html`<li><label class="switch grow-switch"><span>${title}</span>
    <input type="checkbox" role="switch" .checked=${!hidden} @change=${({ target }) =>
  hide(which, target)}></label>${keys(which, title, ids, (galleries) => ({ galleries }))}</li>`;
  const dialog = html`<dialog aria-labelledby="options-title">${sheetHead('options-title',
    words.more.options)}
    <p hidden=${isOwn}><button class="button primary" type="button" disabled=${isRunning} @click=${look}>${
  words.sync.now}
      </button>${() => (one()?.source?.kind === 'flickr' ? html` <button class="button" type="button" @click=${() =>
  doing(() => allowAtFlickr(id.peek()))}>${
      words.more.anew}</button>` : '')}</p>
    <form @submit=${rename}><div class="field"><label for="options-name">${words.more.rename}</label><input
      id="options-name" name="name" required maxlength=${NAME_LENGTH} autocomplete="off" .value=${name}></div>
    <p class="row"><button class="button">${words.more.save}</button>${() => (all().length > 1
    ? keys(id(), one()?.name ?? '', all, (order) => ({ order })) : '')}</p></form>${note}
    <p class="visually-hidden" role="status">${told}</p>
    <section><h3>${words.more.hidden}</h3><ul class="list">${() => JSON.parse(listed()).map(gallery)}</ul>${() =>
  (isOwn() ? '' : html`<p><button class="button plain" type="button" @click=${() =>
    act((address) => change('PATCH', address, { galleries: null }))}>${words.more.asSource}</button></p>`)}</section>
    <p class="quiet small">${() => shareOf(library.share())}</p>
    ${() => (isAsked() ? html`<div class="note" role="alert"><p>${isOwn() ? words.more.removeOwn
    : words.more.removeAsk}</p><p class="row"><button
      class="button" type="button" @click=${() => isAsked.set(false)}>${words.more.keep}</button><button
      class="button danger" type="button" @click=${remove}>${words.more.removeYes}</button></p></div>`
    : html`<p><button class="button plain danger" type="button" @click=${() => isAsked.set(true)}>${
      words.more.remove}</button></p>`)}</dialog>`.firstElementChild;
  const open = (which) => {
    isAsked.set(false);
    told.set('');
    id.set(which);
    dialog.showModal();
  };
  return { dialog, open };
}
