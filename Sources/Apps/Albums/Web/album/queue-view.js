// The queue as one sees it: how far it is, each picture's lot in a word, and why one was not taken.

import { computed, each, effect, html, signal } from '/ui.js';
import { explain } from '/explain.js';
import { HubError } from '/keep.js';
import { sheetHead } from '/sheet-head.js';
import { size } from '/sizes.js';
import { drawing, icons } from '/albums/icons.js';
import { canRecord } from '/albums/album/recording.js';
import { soundButton } from '/albums/album/sound.js';
import { saveButton, thumbOf } from '/albums/album/unsent.js';
import { words } from '/albums/album/words.js';

const SHOWN = 12; // pictures: the ones that are done last, and the next
const BEFORE = 3;

const says = words.queue;

/** A word for each picture. */
function wordOf({ state, share = 0 }) {
  if (state === 'sending') return says.percent(Math.floor(share * 100));
  return says.states[state] ?? state;
}

function title({ all, done, left, failed }, pause) {
  if (left > 0) return pause ? says.paused(left) : says.sending(Math.min(done + 1, all), all);
  return failed > 0 ? says.failed(failed) : says.done(done);
}

/**
 * What was not sent may be nowhere else: it is asked once more before it goes. The button that asked is gone meanwhile:
 * the focus is on the harmless answer, and afterwards on that button again, the last one of its row or sheet.
 */
function ask(go, isAsked) {
  const focus = (find) => requestAnimationFrame(() => find()?.focus({ preventScroll: true }));
  const stay = () => {
    const place = keep.closest('li, dialog');
    isAsked.set(false);
    focus(() => [...place.querySelectorAll('button')].at(-1));
  };
  const keep = html`<button class="button plain" type="button" @click=${stay}>${says.keep}</button>`.firstElementChild;
  focus(() => keep);
  return html`<p class="small" role="alert">${says.awayAsk}</p><div class="row">${keep}<button
    class="button danger" type="button" @click=${go}>${says.awayYes}</button></div>`;
}

/** One picture with what can be done about it. */
function failedRow(queue, id) {
  const item = computed(() => queue.items().find((one) => one.id === id));
  const why = signal('');
  const isAsked = signal(false);
  effect(() => {
    const { error } = item() ?? {};
    if (!error) return;
    if (error.kind !== 'refused') why.set(says[error.kind]);
    else explain(new HubError(error.status, { ...error, error: error.message })).then(why.set);
  });
  const { kind } = item.peek()?.error ?? {};
  const isEmpty = kind === 'empty';
  const go = () => queue.withdraw(id);
  const key = (text, press) => html`<button class="button plain" type="button" @click=${press}>${text}</button>`;
  const keys = () => html`<div class="row">${kind === 'refused' ? key(says.retry, () => queue.retry(id)) : ''}${
    isEmpty ? '' : saveButton(() => queue.file(id))}${
    key(says.away, () => (isEmpty ? go() : isAsked.set(true)))}</div>`;
  return html`<li class="queue-failed">${thumbOf(item)}<div class="grow"><strong>${() => item()?.name ?? ''}</strong>
    <span>${why}</span>${() => (isAsked() ? ask(go, isAsked) : keys())}</div></li>`;
}

/** The sheet of one picture: larger, its state, and the way back. */
function sheetOf(queue) {
  const open = signal(null);
  const problem = signal('');
  const isAsked = signal(false);
  const item = computed(() => queue.items().find(({ id }) => id === open()));
  // Not its state itself: a recording goes on while the picture is sent.
  const mayAdd = computed(() => canRecord() && ['waits', 'sending', 'sent'].includes(item()?.state));
  const isKept = computed(() => ['waits', 'sending'].includes(item()?.state));
  const isUnsent = computed(() => isKept() || item()?.state === 'keeping');
  const close = () => dialog.close();
  const sound = () => {
    const id = open.peek(); // by the end of the recording, which comes with that of the sheet, it is none
    return mayAdd() ? soundButton((file) => queue.addSound(id, file), () => Boolean(item()?.hasSound)) : '';
  };
  const back = async () => {
    problem.set('');
    try {
      await queue.withdraw(open.peek());
      close();
    } catch (error) {
      problem.set(await explain(error));
    }
  };
  const out = () => html`${() => (isKept() ? saveButton(() => queue.file(open.peek())) : '')}<button
    class="button danger wide" type="button" @click=${() => (isUnsent.peek() ? isAsked.set(true) : back())}>${() => (
    item()?.state === 'known' ? says.away : says.backSent)}</button>`;
  const dialog = html`<dialog class="queue-sheet" aria-labelledby="queue-sheet-title" @close=${() => open.set(null)}>
    ${sheetHead('queue-sheet-title', () => (item() ? wordOf(item()) : ''))}
    ${() => (open() ? thumbOf(item) : '')}<p class="quiet small">${() => (item()
    ? [item().name, size(item().size)].filter(Boolean).join(', ') : '')}</p>
    ${() => (problem() ? html`<p class="note" data-kind="bad" role="alert">${problem()}</p>` : '')}
    ${sound}${() => (isAsked() && isUnsent() ? ask(back, isAsked) : out())}</dialog>`.firstElementChild;
  const show = (id) => {
    open.set(id);
    problem.set('');
    isAsked.set(false);
    dialog.showModal();
  };
  return { dialog, show };
}

function cell(queue, id, show) {
  const item = computed(() => queue.items().find((one) => one.id === id) ?? { state: 'waits' });
  const state = computed(() => item().state);
  const label = () => says.details(item().name, wordOf(item()));
  return html`<li data-state=${state}><button type="button" aria-label=${label}
    @click=${() => show(id)}>${thumbOf(item)}${() => (state() === 'sent' ? drawing(icons.check)
    : html`<small>${() => wordOf(item())}</small>`)}</button></li>`;
}

/** The card of a queue; nothing while it is empty. */
export function queueView(queue) {
  const failed = computed(() => queue.failed().map(({ id }) => id));
  const isSeveral = computed(() => queue.failed().filter(({ error }) => error?.kind === 'refused').length > 1);
  const isEmpty = computed(() => queue.pictures().length + failed().length === 0);
  const shown = computed(() => {
    const rest = queue.pictures().filter(({ state }) => state !== 'failed');
    const first = rest.findIndex(({ state }) => state !== 'sent' && state !== 'known');
    const from = first < 0 ? 0 : Math.max(0, Math.min(first - BEFORE, rest.length - SHOWN));
    return rest.slice(from, from + SHOWN).map(({ id }) => id);
  });
  const pause = computed(() => (queue.progress().left > 0 ? queue.pause() : null));
  const bytesLeft = () => {
    const { left, bytes, seconds } = queue.progress();
    if (left === 0) return '';
    return [says.left(size(bytes)), !pause() && seconds !== null ? says.about(seconds) : ''].filter(Boolean).join(', ');
  };
  const told = () => {
    if (pause()) return says.pauses[pause()];
    if (queue.progress().left === 0) return '';
    if (queue.isFleeting()) return says.fleeting;
    if (queue.isKeeping()) return says.keeping;
    return queue.goesOn() ? says.goesOn : says.stay;
  };
  // For the ear: the start, each pause, what was not accepted, and the end, but not each picture.
  const spoken = computed(() => {
    if (isEmpty()) return '';
    const { left, failed: refused } = queue.progress();
    if (left === 0) return title(queue.progress());
    return `${pause() ? says.pauses[pause()] : says.started} ${refused ? says.failed(refused) : ''}`;
  });
  const sheet = sheetOf(queue);
  const heading = computed(() => title(queue.progress(), pause()));
  return html`<p class="visually-hidden" role="status">${spoken}</p>
    ${() => (isEmpty() ? '' : html`<album-queue><section class="queue" aria-labelledby="queue-title">
    <header><h2 id="queue-title">${heading}</h2>
      <span class="quiet small">${bytesLeft}</span></header>
    ${() => (queue.progress().all ? html`<progress aria-labelledby="queue-title" max="1" .value=${() =>
    queue.progress().share}></progress>` : '')}
    <ul class="queue-cells">${each(shown, (id) => id, (id) => cell(queue, id, sheet.show))}</ul>
    <p class="small quiet" data-kind=${() => pause()}>${told}</p>
    ${() => (['stopped', 'full', 'room'].includes(pause()) || isSeveral() ? html`<button class="button" type="button"
      @click=${() => queue.retry()}>${() => (isSeveral() ? says.retryAll : says.retry)}</button>` : '')}
    <ul class="queue-problems">${each(failed, (id) => id, (id) => failedRow(queue, id))}</ul></section></album-queue>`)}
    ${sheet.dialog}`;
}
