// The player: what a photographer has sent, at a link of the hub or in one file, as an app of its own.

import { effect, html, signal } from '/ui.js';
import '/focus.js';
import { legalLinks } from '/legal.js';
import { Store } from '/portfolio/keeping/store.js';
import { hashOf, routeOf } from '/portfolio/view/plate.js';
import { bookOf, placeOf } from '/portfolio/player/book.js';
import { cover } from '/portfolio/player/cover.js';
import { Away, Ended, Locked } from '/portfolio/player/faults.js';
import { Images } from '/portfolio/player/images.js';
import { Keeping } from '/portfolio/player/keeping.js';
import { lock, notice } from '/portfolio/player/lock.js';
import { Marks } from '/portfolio/player/marks.js';
import { overview } from '/portfolio/player/overview.js';
import { marksLine, saveList } from '/portfolio/player/panel.js';
import { FileSource, isFile } from '/portfolio/player/source-file.js';
import { HubSource, idAt } from '/portfolio/player/source-hub.js';
import { viewer } from '/portfolio/player/viewer.js';
import { language, words } from '/portfolio/player/words.js';

const LOOK_AGAIN = 300_000; // milliseconds between two looks while it is seen
const WAITING = 'waiting';
const OWNER = '/manifest.webmanifest';

const root = document.getElementById('player');
const inFile = isFile();
const id = inFile ? null : idAt(location.pathname);
const source = inFile ? new FileSource() : new HubSource(id, new Store(`eightbells-sent-${id}`));
const store = inFile ? new Store(`eightbells-file-${source.id}`) : source.store;
const keeping = inFile ? null : new Keeping(source);
const images = new Images(source);
const marks = new Marks({
  keep: (change) => store.changeAnswer(WAITING, (kept = []) => change(kept)), send: (some) => source.send(some),
});
/** Another tab of this link may have left some. */
const recall = async () => marks.begin(await store.answer(WAITING).catch(() => undefined) ?? []);

const phase = signal('opening'); // 'opening', 'pin', 'passphrase', 'ended', 'away', 'broken', 'open'
const book = signal(bookOf({}));
const place = signal(0);
const view = signal('cover'); // 'cover', 'all', 'picture'
let told = '';

let looking = null;
let isStale = false;

/** Asks what there is, and shows it; one at a time, and once more if something came meanwhile. */
function look() {
  isStale = looking !== null;
  looking ??= lookOnce().finally(() => {
    looking = null;
    if (isStale) look();
  });
  return looking;
}

async function lookOnce() {
  const { turn } = marks;
  try {
    const answer = await source.describe();
    const text = JSON.stringify({ ...answer, marks: null });
    if (text !== told) {
      told = text;
      book.set(bookOf(answer));
      follow();
    }
    await recall();
    const shown = source.isLive ? new Set(book.peek().pictures.map((one) => one.id)) : null;
    if (turn === marks.turn && !inFile) marks.told(answer.marks ?? [], shown);
    if (source.isLive) images.again();
    phase.set('open');
    document.title = book.peek().title;
    await keeping?.follow(book.peek(), source.isLive);
    marks.flush();
  } catch (error) {
    await failed(error);
  }
}

async function failed(error) {
  if (error instanceof Locked) return phase.set(error.kind);
  if (error instanceof Ended) return ended();
  if (error instanceof Away) return phase.peek() === 'open' ? undefined : phase.set('away');
  console.warn(error);
  return phase.set('broken');
}

/** The link has ended: the pictures go, the marks stay. */
async function ended() {
  const kept = await source.kept();
  if (kept) {
    book.set(bookOf(kept));
    marks.told(kept.marks ?? [], null);
  }
  marks.end();
  phase.set('ended');
  await keeping.empty();
}

/** The address within the page decides what is seen: the cover, all pictures, or one. */
function follow() {
  const route = routeOf(location.hash);
  if (!route) return view.set(location.hash === '#/all' ? 'all' : 'cover');
  const at = placeOf(book.peek(), route.gallery, route.picture);
  if (at < 0) return view.set('all');
  place.set(at);
  return view.set('picture');
}

function go(at) {
  const { gallery, id: picture } = book.peek().pictures[at];
  const address = hashOf('sent', gallery, picture);
  if (location.hash === address) return;
  // One step back leads to all pictures, however many were looked at.
  if (view.peek() === 'picture') history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  follow();
}

const leave = () => {
  location.hash = '#/all';
};

const withdrawn = () => html`<p class="told" role="status" hidden=${() => !keeping?.withdrawn()}>${() =>
  words.withdrawn(keeping?.withdrawn() ?? 0, book().from || words.photographer)}</p>`;

function opened() {
  const all = overview({ book, images, marks, told: withdrawn(), open: go, isShown: () => view() === 'all' });
  let before = '';
  effect(() => {
    const now = view();
    if (now === 'all' && before === 'picture') all.reveal(place.peek());
    else scrollTo(0, 0);
    before = now;
  });
  const shown = Object.assign(() => view() === 'picture', { peek: () => view.peek() === 'picture' });
  return html`${cover({ book, images, keeping, isShown: () => view() === 'cover', told: withdrawn() })}${all.element}${
    viewer({ book, images, marks, place, isShown: shown, go, leave })}`;
}

const again = () => html`<button class="plate-button" type="button" @click=${look}>${words.away.again}</button>`;
const list = () => (marks.seen.peek().size ? html`<p>${words.ended.marks} ${() => marksLine({ book, marks })}</p>
  <button class="plain-key" type="button" @click=${() => saveList({ book, marks })}>${words.list}</button>` : '');
const PHASES = {
  opening: () => html`<p class="gate" role="status">${words.opening}</p>`,
  pin: () => lock('pin', { source, opened: look, ended }),
  passphrase: () => lock('passphrase', { source, opened: look, ended }),
  ended: () => notice({ title: words.ended.title, text: words.ended.text(book.peek().from) }, list()),
  away: () => notice(words.away, again()),
  broken: () => notice(words.broken),
  open: opened,
};

/** The first touch of a person is told once; whoever only loads the page is a robot, or has not looked. */
function tellOpening() {
  const names = ['pointerdown', 'keydown', 'click'];
  const touched = ({ isTrusted }) => {
    if (!isTrusted || phase.peek() !== 'open') return;
    for (const name of names) removeEventListener(name, touched, true);
    source.opened().catch(() => addEventListener('online', () => source.opened().catch(() => {}), { once: true }));
  };
  for (const name of names) addEventListener(name, touched, true);
}

/** The addresses of the hub's owner, as last known. */
async function tellOwner() {
  const owner = signal(await store.answer(OWNER).catch(() => undefined));
  const isHidden = () => phase() === 'open' && view() === 'picture';
  document.body.append(html`<footer class="legal" hidden=${isHidden}>${legalLinks(owner)}</footer>`);
  const answer = await fetch(OWNER);
  const { legal_notice: legal, privacy } = await answer.json();
  owner.set({ legal_notice: legal, privacy });
  await store.putAnswer(OWNER, owner.peek());
}

function followHub() {
  tellOpening();
  tellOwner().catch(() => {}); // without a network the last known ones stay
  const seen = () => { if (!document.hidden && ['opening', 'open', 'away'].includes(phase.peek())) look(); };
  addEventListener('online', seen);
  navigator.connection?.addEventListener?.('change', () => keeping.go());
  document.addEventListener('visibilitychange', seen);
  setInterval(seen, LOOK_AGAIN);
  navigator.storage?.persist?.().catch(() => {});
  navigator.serviceWorker?.register(`/sent/${id}/worker.js`, { scope: `/sent/${id}/` }).catch((error) =>
    console.warn(error));
}

async function start() {
  document.documentElement.lang = language;
  addEventListener('hashchange', follow);
  addEventListener('popstate', follow);
  await recall();
  await keeping?.begin();
  root.append(html`${() => PHASES[phase()]()}`);
  if (!inFile) followHub();
  await look();
}

start();
