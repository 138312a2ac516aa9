// The portfolios of a member: the wall, one picture large, and what is kept on this device.

import { computed, each, effect, element, ending, html, listening, signal } from '/ui.js';
import { careful } from '/doing.js';
import { insist } from '/done.js';
import { cleared } from '/keep.js';
import { beginPage } from '/navigation.js';
import { live, onNews, startLive, tellRinging, tellUsable, usable } from '/live.js';
import { session } from '/session.js';
import { portfolioHead } from '/portfolio/head.js';
import { drawing, icons } from '/portfolio/icons.js';
import { Keeper } from '/portfolio/keeping/keeper.js';
import { keptOf } from '/portfolio/keeping/reckoning.js';
import { Store } from '/portfolio/keeping/store.js';
import { pagesNow } from '/portfolio/keeping/version.js';
import { Library } from '/portfolio/library.js';
import { choose, keepSettings, settings } from '/portfolio/settings.js';
import { sendHearts } from '/portfolio/sharing/favourite.js';
import { hashOf, routeOf } from '/portfolio/view/plate.js';
import { Wall } from '/portfolio/wall/wall.js';
import { count, words } from '/portfolio/words.js';

const LATER = 1_000; // milliseconds in which the galleries come first
const AGAIN = 60_000; // milliseconds between two looks: not all that may change is told

/** One picture large, and the dialogues: loaded when the galleries can be seen, or somebody presses for one. */
const behind = () => import('/portfolio/behind.js');

/** Follows each portfolio's channel as long as there is one. */
function follow(library) {
  const listening = new Map();
  effect(() => {
    const ids = new Set((library.portfolios() ?? []).map(({ id }) => id));
    for (const id of ids) {
      if (listening.has(id)) continue;
      listening.set(id, live.listen(`private-portfolio-${id}`, {
        onevent: (name, data) => library.heard(id, name, data),
      }));
    }
    for (const [id, end] of listening) {
      if (ids.has(id)) continue;
      end();
      listening.delete(id);
    }
  });
}

/** One portfolio on the wall. */
function section(portfolio, parts) {
  const { library, keeper, open } = parts;
  const { id } = portfolio.peek();
  const box = Object.assign(document.createElement('div'), { className: 'strips' });
  const galleries = () => (portfolio().galleries ?? []).filter(({ hidden, favourites, count: number }) =>
    !hidden && !(favourites && number === 0));
  const wall = new Wall(box, {
    library, open,
    labelOf: (one, index, all) => words.picture(one.title, count(index + 1), count(all)),
    stripLabel: ({ title, count: number }) => words.strip(title, count(number)),
    countOf: ({ count: number }) => count(number),
    keptOf: (_, gallery) => {
      const pictures = library.pictures(id, gallery.id);
      if (!pictures || !settings.peek().isKept || keeper.state.peek() === 'insecure') return '';
      const { kept, count: all } = keptOf({ portfolio: id, pictures }, keeper.rows);
      return kept === all ? '' : words.partKept(count(kept), count(all));
    },
  });
  effect(() => wall.show(portfolio(), galleries()));
  effect(() => {
    library.turn();
    wall.refresh();
  });
  effect(() => {
    keeper.turn();
    wall.tellKept();
  });
  ending(() => wall.end());
  return html`<section class="portfolio" aria-labelledby=${`portfolio-${id}`}>${portfolioHead(portfolio, parts)}${box}
    </section>`;
}

const switcher = (portfolios) => html`<div class="portfolio-switch" role="group" aria-label=${words.which}
  hidden=${() => portfolios().length < 2}>${each(() => ['', ...portfolios().map(({ id }) => id)], (id) => id, (id) =>
  html`<button type="button" aria-pressed=${() => String(settings().only === id)} @click=${() =>
    choose({ only: id })}>${() => portfolios().find((one) => one.id === id)?.name ?? words.all}</button>`)}</div>`;

element('portfolio-page', (host) => {
  startLive();
  tellRinging();
  keepSettings();
  const store = new Store();
  const library = new Library(store);
  const keeper = new Keeper({ store, library, settings });
  const isAfterUpdate = signal(false);
  Object.assign(host, { library, keeper });

  const go = (route) => {
    const isOpen = Boolean(routeOf(location.hash));
    if (route) {
      const hash = hashOf(route.portfolio, route.gallery, route.picture);
      history[isOpen ? 'replaceState' : 'pushState']({ fromWall: !isOpen || history.state?.fromWall }, '', hash);
    } else if (history.state?.fromWall) {
      history.back();
      return;
    } else {
      history.replaceState(null, '', location.pathname);
    }
    arrive();
  };
  const route = signal(routeOf(location.hash)); // a picture has an address of its own
  beginPage(() => {
    const { portfolio, gallery, picture } = route() ?? {};
    library.turn();
    return library.pictures(portfolio, gallery)?.find(({ id }) => id === picture)?.title
      || (library.portfolios(), library.gallery(portfolio, gallery)?.title) || words.title;
  });
  const arrive = () => route.set(routeOf(location.hash));
  listening(window, ['popstate', 'hashchange'], arrive);
  const open = (portfolio, gallery, picture) => picture && go({ portfolio, gallery, picture });

  const refresh = async () => {
    if (await library.refresh().catch(() => false)) await sendHearts(library).catch(() => {});
  };
  /** Flickr has sent the browser back with a permission, or without. */
  const arriveFromFlickr = () => {
    const query = new URLSearchParams(location.search);
    const [token, verifier] = [query.get('oauth_token'), query.get('oauth_verifier')];
    if (!token) return;
    history.replaceState(null, '', location.pathname);
    if (verifier) consents().then((panel) => panel.arrive(token, verifier)).catch(() => {});
  };
  const begin = async () => {
    await library.remember();
    arriveFromFlickr();
    refresh().then(goOn).finally(() => setTimeout(tellUsable, LATER));
    follow(library);
    await keeper.start();
    await navigator.serviceWorker?.ready; // the first visit fills the caches
    const version = await pagesNow();
    if (!version || version === settings.peek().checked) return;
    isAfterUpdate.set(settings.peek().checked && keeper.rows.size > 0);
    if (isAfterUpdate.peek()) await keeper.checkNow();
    choose({ checked: version });
  };
  let hasBegun = false;
  const me = computed(() => session() && String(session().person.id));
  let whose; // the member whose pictures are shown
  effect(() => {
    if (me() === undefined) return;
    if (hasBegun && me() !== whose) { // signed out, perhaps in another tab: nothing of theirs stays on the screen
      history.replaceState(null, '', location.pathname);
      cleared().then(() => location.reload());
      return;
    }
    if (!me()) tellUsable();
    if (!me() || hasBegun) return;
    hasBegun = true;
    whose = me();
    usable.then(behind).catch(() => {});
    begin();
  });
  onNews('live', () => { if (hasBegun) refresh(); });
  setInterval(() => { if (hasBegun && !document.hidden) refresh(); }, AGAIN);
  const again = () => {
    keeper.go();
    if (hasBegun && navigator.onLine) refresh();
  };
  listening(window, ['online', 'offline'], again);
  navigator.connection?.addEventListener?.('change', again);

  /** A panel of a part of the page that is loaded when it is needed. */
  const late = (make) => {
    let panel;
    const get = () => {
      panel ??= make().then((found) => {
        host.append(found.element ?? found.dialog);
        return found;
      });
      panel.catch(() => { panel = undefined; });
      return panel;
    };
    return Object.assign(get, { isMade: () => Boolean(panel) });
  };
  const keeping = late(async () => (await behind()).keepingPanel(library, keeper, isAfterUpdate));
  const uploads = late(async () =>
    (await import('/portfolio/uploading/uploading.js')).uploadingPanel(library, refresh));
  const sending = late(async () => (await import('/portfolio/sending/sending.js')).sendingPanel(library));
  library.onSent = (id) => { if (sending.isMade()) sending().then((panel) => panel.heard(id)); };
  const consents = late(async () => (await import('/portfolio/adding/flickr.js')).flickrPanel(library, refresh));
  const known = computed(() => library.portfolios() ?? []);
  const flickr = {
    authorized: () => known().find(({ source }) => source?.authorized)?.id,
    choose: (id) => consents().then((panel) => panel.choose(id)),
  };
  const own = () => known().filter(({ source }) => source?.kind === 'uploads').map(({ id }) => id);
  let hasUploads = false; // or had: one that was deleted may have left files here
  effect(() => { hasUploads ||= own().length > 0; });
  const goOn = () => {
    if (hasUploads) import('/portfolio/uploading/uploading.js').then((part) => part.goOn(own())).catch(() => {});
  };
  const added = async (made) => {
    await refresh();
    if (made?.source?.kind === 'uploads') uploads().then((panel) => panel.open(made.id));
  };
  const { doing, note: unopened } = careful();
  const adding = late(async () => (await behind()).addingDialog(added, flickr));
  const options = late(async () => (await behind()).optionsDialog(library, () => refresh().then(goOn)));
  const parts = { library, keeper, open, openKept: () => keeping().then((panel) => panel.open()) };
  const signals = new Map();
  const shown = computed(() => {
    const { only } = settings();
    const all = known().filter(({ id }) => !only || id === only || !known().some((one) => one.id === only));
    return all.map((one) => {
      if (!signals.has(one.id)) signals.set(one.id, signal(one));
      signals.get(one.id).set(one);
      return signals.get(one.id);
    });
  });
  const view = late(async () => (await behind()).pictureView(library, go));
  let left = null; // what had the focus on the wall
  effect(() => {
    const at = route();
    const isWall = at === null;
    const isEntered = !isWall && !left;
    if (isEntered) left = document.querySelector('.pwall :focus');
    if (!isWall || view.isMade()) {
      view().then((it) => {
        it.show(at);
        if (!isEntered || !left) return;
        requestAnimationFrame(() => it.element.querySelector('h1').focus({ preventScroll: true }));
      }, () => { if (route.peek()) go(null); });
    }
    for (const one of document.querySelectorAll('hub-navigation, .pwall')) one.inert = !isWall;
    document.documentElement.toggleAttribute('data-picture', !isWall);
    if (!isWall) return;
    left?.focus({ preventScroll: true });
    left = null;
  });
  // Asked for anew it is as empty as before: what somebody is writing in the form stays.
  const isEmpty = computed(() => library.portfolios()?.length === 0);
  const empty = () => {
    const form = signal(null);
    insist(behind).then(({ addingForm }) => form.set(addingForm));
    return html`<section class="portfolio-none"><h2>${words.adding.none}</h2>
      <p>${words.adding.noneText}</p>${() => form()?.(added, flickr) ?? ''}</section>`;
  };
  const note = () => {
    if (session() === null) return html`<div class="page"><section class="card for-owners"><h1>${
      words.portfolios}</h1><p>${words.outside}</p><p class="row"><a class="button primary" href="/join">${
      words.signIn}</a></p></section></div>`;
    if (!library.isLost()) return '';
    return html`<p class="portfolio-note" role="status">${library.portfolios() ? words.lost : words.nothingHere}</p>`;
  };
  const found = () => (keeper.check()?.lost?.small + keeper.check()?.lost?.large > 0 && isAfterUpdate()
    ? html`<p class="portfolio-note" role="status">${words.kept.updated} ${words.kept.found(
      count(keeper.check().lost.small), count(keeper.check().lost.large))}</p>` : '');
  return html`<div class="pwall">${() => (session() === null ? ''
    : html`<h1 class="visually-hidden">${words.portfolios}</h1>`)}${note}${found}${switcher(known)}
    ${each(shown, (one) => one.peek().id, (one) => section(one, {
    ...parts, openOptions: () => options().then((panel) => panel.open(one.peek().id)),
    openSent: () => sending().then((panel) => panel.open(one.peek().id)),
    openUploads: () => uploads().then((panel) => panel.open(one.peek().id)) }))}
    ${() => (isEmpty() ? empty() : '')}
    ${() => (known().length ? html`<p class="portfolio-add"><button class="quiet-button" type="button" @click=${() =>
    doing(() => adding().then((panel) => panel.open()))}>${drawing(icons.plus)}${words.adding.add}</button></p>${
    unopened}` : '')}</div>`;
});
