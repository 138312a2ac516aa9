// On a front room, for those who have not signed in: this browser can be rung about what is public.

import { computed, effect, element, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { isDetail } from '/detail.js';
import { isFrontRoom, roomHere } from '/room-choice.js';
import { load, session } from '/session.js';
import { browserFault, needs } from '/bells/needs.js';
import { isSubscribed, lookAtPush, obstacle, subscribe, tellRenewed, unsubscribe } from '/bells/push.js';
import { language, strangerWords as words } from '/bells/stranger-words.js';

// The hub's answer is kept here. It is needed to change the subscription; the service worker reads it, too.
const CACHE = 'eightbells-bells';
const KEPT = '/bells/stranger';
const WITHOUT = ['insecure', 'unsupported']; // there is nothing that this reader could do about it here

const topics = signal([]);
const chosen = signal(new Set());
const mine = signal(null); // {device, secret, topics} once it rings here

async function recall() {
  const kept = await caches.open(CACHE).then((cache) => cache.match(KEPT)).then((found) => found?.json());
  mine.set(kept ?? null);
  if (kept) chosen.set(new Set(kept.topics));
}

async function record(value) {
  const cache = await caches.open(CACHE);
  if (value) await cache.put(KEPT, new Response(JSON.stringify(value)));
  else await cache.delete(KEPT);
  mine.set(value);
}

/** Tells the hub of a subscription that the browser has made anew. */
async function renew() {
  const known = mine.peek();
  if (!known) return;
  const wanted = [...chosen.peek()];
  const answer = await tellRenewed({ topics: wanted, ...(known.secret ? { secret: known.secret } : {}) });
  if (answer) await record({ ...known, ...answer, topics: wanted });
}

/** Those that are still there: one that is gone would have the hub refuse all of them. */
const choose = (ids) => chosen.set(new Set(ids.filter((one) => topics.peek().some(({ id }) => id === one))));

async function read() {
  const all = (await load('/api/v1/bells/topics')).filter((one) => one.public);
  topics.set(all);
  choose([...chosen.peek()]);
  // The topic of the page's own room is chosen at first; the rest is the reader's to choose.
  const usual = all.filter(({ id }) => id === roomHere);
  if (!mine.peek()) chosen.set(new Set((usual.length ? usual : all.slice(0, 1)).map(({ id }) => id)));
}

element('bells-stranger', (host) => {
  const { doing, inTurn, note, isBusy } = careful((error) => error.said ?? browserFault(error));
  const isOutside = computed(() => session() === null);
  let hasAsked = false;
  effect(() => {
    if (!isOutside() || hasAsked) return;
    hasAsked = true;
    lookAtPush().then(async () => {
      if (WITHOUT.includes(obstacle.peek())) return;
      await recall().catch(() => {});
      await read().then(renew).catch(() => {});
    });
  });
  const isShown = computed(() => isOutside() && isFrontRoom() && !isDetail() && topics().length > 0
    && obstacle() !== undefined
    && !WITHOUT.includes(obstacle()));
  effect(() => { host.hidden = !isShown(); });

  const because = (said) => Object.assign(new Error(said), { said });
  const save = async () => {
    const wanted = [...chosen.peek()];
    if (!wanted.length) throw because(words.choose);
    const known = mine.peek();
    const answer = await subscribe({ topics: wanted, ...(known?.secret ? { secret: known.secret } : {}) });
    if (answer === null) throw because(obstacle.peek() ? words.denied : words.refused);
    await record({ device: answer.device ?? known?.device, secret: answer.secret ?? known?.secret, topics: wanted });
  };
  const stop = async () => {
    await unsubscribe(mine.peek()?.secret);
    await record(null);
  };
  const turn = (id) => ({ target }) => {
    const next = new Set(chosen.peek());
    if (target.checked) next.add(id);
    else next.delete(id);
    chosen.set(next);
    // By the time it is the switch's turn, what is under way may have begun or ended that it rings here.
    inTurn(async () => {
      if (!mine.peek()) return;
      try {
        await (chosen.peek().size ? save() : stop());
      } catch (error) {
        choose(mine.peek().topics); // the hub still rings for these
        throw error;
      }
    });
  };
  const row = ({ id, name, names }) => html`<label class="switch"><strong>${names?.[language] ?? name}</strong>
    <input type="checkbox" role="switch" .checked=${() => chosen().has(id)} @change=${turn(id)}></label>`;
  const button = () => (mine() && isSubscribed()
    ? html`<p>${words.on}</p><p class="row"><button class="button" type="button"
      @click=${() => inTurn(stop)}>${words.stop}</button></p>`
    : html`<p class="row"><button class="button primary" type="button" aria-busy=${() => isBusy() || null}
      @click=${() => doing(save)}>${words.start}</button></p><p class="small quiet">${words.how}</p>`);
  return html`${() => (isShown() ? html`<section class="card stranger" aria-labelledby="stranger-title">
    <h2 id="stranger-title">${words.title}</h2><p>${words.text}</p>
    ${() => topics().map(row)}
    ${() => (obstacle() ? needs(obstacle()) : button())}
    ${note}</section>` : '')}`;
});
