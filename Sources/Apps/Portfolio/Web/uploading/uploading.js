// The panel of a portfolio of one's own uploads: its galleries, and what is sent to them.

import { computed, each, effect, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { explain } from '/explain.js';
import { HubError } from '/keep.js';
import { change, create } from '/session.js';
import { sheetHead } from '/sheet-head.js';
import { size } from '/sizes.js';
import { isOpen } from '/uploads/queue.js';
import { drawing, icons } from '/portfolio/icons.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { forgetDeleted, queueOf, waiting } from '/portfolio/uploading/sender.js';
import { ORDER, orderingPanel } from '/portfolio/uploading/ordering.js';
import { said } from '/portfolio/uploading/words.js';
import { count, shareOf } from '/portfolio/words.js';
import { isPicture, namesOf } from '/uploads/kinds.js';

const NAME_LENGTH = 100;

const queues = new Map();

/** The queue of a portfolio, once for a page. */
function queueFor(portfolio) {
  if (!queues.has(portfolio)) queues.set(portfolio, queueOf(portfolio));
  return queues.get(portfolio);
}

/** Goes on with what an earlier page has left for these portfolios, and lets go of what is for deleted ones. */
export async function goOn(portfolios) {
  for (const id of await waiting()) {
    if (portfolios.includes(id)) queueFor(id);
    else await forgetDeleted(id);
  }
}

const failedRow = (queue, item) => {
  const why = signal('');
  const { error, id, name } = item;
  const named = (word) => html`${word}<span class="visually-hidden">: ${name}</span>`;
  const isRefused = error?.kind === 'refused';
  if (!isRefused) why.set(said[error?.kind] ?? '');
  else explain(new HubError(error.status, { ...error, error: error.message })).then(why.set);
  return html`<li><div class="grow"><strong>${name}</strong><small>${why}</small></div>${!isRefused ? ''
    : html`<button class="button plain" type="button" @click=${() => queue.retry(id)}>${named(said.again)}</button>`}
    <button class="button plain danger" type="button" @click=${() => queue.withdraw(id)}>${
  named(said.away)}</button></li>`;
};

/** How far a queue is. */
function progressOf(queue) {
  const pause = computed(() => (queue.progress().left > 0 ? queue.pause() : null));
  const title = () => {
    const { all, done, left } = queue.progress();
    if (left > 0) return said.sending(count(Math.min(done + 1, all)), count(all));
    return done > 0 ? said.sent(count(done)) : '';
  };
  const told = () => {
    if (pause()) return said.pauses[pause()];
    if (queue.progress().left === 0) return '';
    if (queue.isFleeting()) return said.fleeting;
    return queue.isKeeping() ? said.keeping : said.stay;
  };
  // For the ear: the start, each pause and the end, but not each file.
  const spoken = computed(() => (queue.progress().left === 0 ? title()
    : pause() ? said.pauses[pause()] : said.started));
  return html`<div class="upload-progress"><p class="visually-hidden" role="status">${spoken}</p>
    <p><strong>${title}</strong> ${() => (queue.progress().left > 0
    ? said.left(size(queue.progress().bytes)) : '')}</p>
    <progress hidden=${() => queue.progress().all === 0} aria-label=${said.title} max="1" .value=${() =>
    queue.progress().share}></progress>
    <p class="quiet small">${told}</p>${() => (['stopped', 'full'].includes(pause()) ? html`<p><button class="button"
    type="button" @click=${() => queue.retry()}>${said.again}</button></p>` : '')}
    <ul class="list">${each(queue.failed, (one) => one.id, (one) => failedRow(queue, one))}</ul></div>`;
}

/** {dialog, open(portfolio, files)}. `changed()` is awaited after each change of the galleries. */
export function uploadingPanel(library, changed) {
  const id = signal(null);
  const into = signal('');
  const asked = signal(null);
  const queue = signal(null);
  const problem = signal('');
  const { inTurn, note } = careful();
  const ordering = orderingPanel(library);
  const one = () => (library.portfolios(), library.portfolio(id()));
  const galleries = () => (one()?.galleries ?? []).filter(({ favourites }) => !favourites);
  const target = computed(() => galleries().find((gallery) => gallery.id === into()) ?? galleries()[0]);
  const address = () => `${PORTFOLIOS}/${encodeURIComponent(id.peek())}`;
  const galleryAt = (gallery) => `${address()}/galleries/${encodeURIComponent(gallery)}`;
  const act = (run) => inTurn(async () => {
    await run();
    await changed();
  });
  const make = (event) => {
    event.preventDefault();
    const [form, at] = [event.target, `${address()}/galleries`];
    act(async () => {
      const title = form.elements.title.value.trim(); // none when the button was pressed twice
      if (!title) return;
      const made = await create(at, { title });
      form.reset();
      into.set(made.id);
    });
  };
  const add = async (files) => {
    const wanted = [...files].filter(isPicture);
    const others = [...files].filter((one) => !isPicture(one));
    const leftOut = others.length ? said.leftOut(namesOf(others), count(others.length)) : '';
    problem.set(leftOut);
    const gallery = target.peek();
    if (!wanted.length) return;
    if (!gallery) {
      problem.set(said.first);
      return;
    }
    navigator.storage?.persist?.().catch(() => {}); // so that the browser does not clear what waits
    const left = await (await queueFor(id.peek())).add(wanted, { gallery: gallery.id });
    if (left > 0) problem.set([leftOut, said.tooMany(count(left))].filter(Boolean).join(' '));
  };
  const input = Object.assign(document.createElement('input'), {
    type: 'file', multiple: true, hidden: true, accept: 'image/*,video/*', tabIndex: -1,
  });
  input.addEventListener('change', () => {
    const files = [...input.files];
    input.value = ''; // the same file can be chosen again
    add(files);
  });
  const dropped = (event) => {
    event.preventDefault();
    add(event.dataTransfer?.files ?? []);
  };
  const ids = () => galleries().map((gallery) => gallery.id);
  const row = (which) => {
    const gallery = () => galleries().find((other) => other.id === which);
    const title = computed(() => gallery()?.title ?? ''); // what is being typed stays when pictures come
    return html`<li><label class="check"><input type="radio" name="into" aria-label=${() => said.into(title())}
      .checked=${() => target()?.id === which} @change=${() => into.set(which)}></label><input class="grow"
      aria-label=${() => said.name(title())} maxlength=${NAME_LENGTH} .value=${title} @change=${({ target: field }) => {
    const name = field.value.trim();
    const at = galleryAt(which);
    if (name && name !== title.peek()) act(() => change('PATCH', at, { title: name }));
  }}><small>${() => count(gallery()?.count ?? 0)}</small><button class="plate-key" type="button" aria-label=${() =>
  said.order(title())} title=${said.orderShort} disabled=${() => (gallery()?.count ?? 0) < 2} @click=${() =>
  ordering.open(id.peek(), gallery())}>${drawing(ORDER)}</button><button class="plate-key" type="button"
      aria-label=${() => said.remove(title())} @click=${() => asked.set(gallery())}>${drawing(icons.cross)}
      </button></li>`;
  };
  const coming = computed(() => (queue()?.items() ?? [])
    .filter((item) => isOpen(item) && item.gallery === asked()?.id).length);
  const question = () => (asked() ? html`<div class="note" role="alert"><p>${said.removeAsk(asked().title,
    count(asked().count), count(coming()))}</p><p class="row"><button class="button" type="button" @click=${() =>
    asked.set(null)}>${said.keep}</button><button class="button danger" type="button" @click=${() => {
    const { id: which } = asked.peek();
    const [at, own] = [galleryAt(which), queue.peek()];
    asked.set(null);
    act(async () => {
      await change('DELETE', at);
      // One that has arrived meanwhile went with its gallery.
      const left = (own?.items.peek() ?? []).filter((item) => item.gallery === which
        && (isOpen(item) || item.state === 'failed'));
      for (const item of left) await own.withdraw(item.id);
    });
  }}>${said.removeYes}</button></p></div>` : '');
  const dialog = html`<dialog class="uploading-panel" aria-labelledby="uploading-title" @dragover=${(event) =>
    event.preventDefault()} @drop=${dropped}>${sheetHead('uploading-title', () => one()?.name ?? said.title)}
    <fieldset><legend>${said.galleries}</legend><ul class="list">${each(ids, (which) => which, row)}</ul></fieldset>
    ${question}
    <form class="uploading-new" @submit=${make}><label class="visually-hidden" for="uploading-new">${said.newOne}
      </label><input id="uploading-new" name="title" maxlength=${NAME_LENGTH} autocomplete="off"
      placeholder=${said.newOne}><button class="button">${said.make}</button></form>
    <div class="drop"><button class="button primary" type="button" disabled=${() => !target()} @click=${() =>
  input.click()}>${said.choose}</button><p class="hint">${() => (target() ? said.drop(target().title)
  : said.first)}</p></div>${input}
    <p class="note" role="alert" hidden=${() => !problem()}>${problem}</p>${note}
    ${() => (queue() ? progressOf(queue()) : '')}<p class="quiet small">${() =>
  shareOf(library.share())}</p>${ordering.dialog}</dialog>`.firstElementChild;
  effect(() => {
    const which = id();
    queue.set(null);
    if (which) queueFor(which).then((found) => { if (id.peek() === which) queue.set(found); });
  });
  const open = (which, files = []) => {
    asked.set(null);
    problem.set('');
    id.set(which);
    dialog.showModal();
    if (files.length) add(files);
  };
  return { dialog, open };
}
