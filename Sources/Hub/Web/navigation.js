// The navigation of all pages: the rooms, then oneself, and for owners the people and the settings. At the bottom of a
// phone, a rail beside the page where there is room. Strangers see the brand and the way to sign in.

import { computed, each, effect, element, ending, html, listening, signal } from '/ui.js';
import { insist } from '/done.js';
import { appearance, recallAppearance, refreshAppearance } from '/appearance.js';
import { drawing } from '/drawing.js';
import { INSIDE, isStoreNewer } from '/keep.js';
import { keepPages } from '/offline.js';
import { showRinging } from '/ring.js';
import { refreshRooms, roomHere, shownRooms } from '/room-choice.js';
import { stateOf } from '/room-states.js';
import { isInside, may, refreshSession, session } from '/session.js';
import { sheetHead } from '/sheet-head.js';
import { arranged } from '/navigation-plan.js';
import { legalLinks, legalNames } from '/legal.js';
import { lacking } from '/lacking.js';
import { words } from '/shell-words.js';

const LATER = 1_500; // milliseconds: a room's page itself comes first; a composed one asks by itself (/page.js)
const isComposed = document.querySelector('.course') !== null;
const ELSEWHERE = '/elsewhere.js'; // a file by itself, which most rooms' pages do without: they tell what rings anyway

export const icons = {
  person: 'M12 3.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 20.5c.8-4 4-6 8-6s7.2 2 8 6',
  people: 'M9 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c.6-3.5 3.2-5.2 6.5-5.2s5.9 1.7 '
    + '6.5 5.2M15.5 5a3.2 3.2 0 0 1 0 6.2M17.7 14.7c2 .7 3.4 2.3 3.8 4.8',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.3 15.3l5.2 5.2',
  settings: 'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 14.5a2.5 2.5 0 1 '
    + '1 0 5 2.5 2.5 0 0 1 0-5z',
  more: 'M4 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0zM11 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0zM18 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0z',
};

const own = (id, page, icon) => ({ id, page, icon, name: words[id], short: words[`${id}Short`] ?? words[id] });
const ofAll = [own('search', '/search', icons.search), own('me', '/me', icons.person)];
const ofOwners = [own('people', '/people', icons.people), own('settings', '/settings', icons.settings)];

/** The page: a person's own is one of the people's. */
export const here = location.pathname.replace(/^\/people\/.+/, '/people');
const isFirst = here === '/settings/start'; // there are no rooms to go to yet
const isSetting = /\/settings(\/|$)/.test(here);
const isAt = ({ id, page, items }) => (roomHere ? id === roomHere
  : here === page || (items && here.startsWith(items)) || (id === 'settings' && isSetting));

const rings = ({ id }) => Boolean(stateOf(id)?.rings);

const lamp = (state) => (state?.lamp ? html`<i class="lamp" data-state=${state.lamp}></i>` : '');

const link = (isTucked) => (one) => html`<li data-tucked=${isTucked(one)}>
  <a class="nav-link" href=${one.page} aria-current=${isAt(one) ? 'page' : null}>
    <span class="nav-icon">${drawing(one.icon)}${() => lamp(stateOf(one.id))}</span>
    <span class="nav-short" data-rings=${() => rings(one)}>${one.short}</span>
    <span class="nav-name">${one.name}</span>
    <span class="nav-state" data-rings=${() => rings(one)}>${() => lamp(stateOf(one.id))}${() =>
  stateOf(one.id)?.text ?? ''}</span></a></li>`;

const door = (one) => html`<li><a class="door" href=${one.page} data-rings=${() => rings(one)}>
  ${drawing(one.icon)}<span><strong>${one.name}</strong><small>${() => stateOf(one.id)?.text ?? ''}</small></span></a>
  </li>`;

const sheetNow = () => document.getElementById('more');

function closeSheet() {
  sheetNow()?.close();
  document.querySelector('.nav-more button')?.focus();
}

function openSheet() {
  sheetNow().show();
  const done = new AbortController();
  const end = () => {
    done.abort();
    if (sheetNow()?.open) closeSheet();
  };
  addEventListener('keydown', ({ key }) => { if (key === 'Escape') end(); }, { signal: done.signal });
  const beside = ({ target }) => { if (!sheetNow()?.contains(target)) end(); };
  addEventListener('pointerdown', beside, { signal: done.signal });
}

/**
 * The sheet with the rooms that do not fit into a phone's bar, at the bottom edge, in reach of the thumb. It is not
 * modal, since something may ring on the page: closed by its button, by Escape, by a tap beside it, and by a phone's
 * Back where browsers know `closedby`.
 */
const sheet = (more, foot) => html`<dialog class="sheet" id="more" closedby="closerequest" aria-labelledby="more-title">
  ${sheetHead('more-title', words.moreRooms, closeSheet)}
  <ul class="list">${each(more, ({ id }) => id, door)}</ul>
  <div class="sheet-pair">${foot.map(({ page, icon, name }) => html`<a href=${page}>${drawing(icon)}${name}</a>`)}</div>
</dialog>`;

/** The navigation of signed-in people; the style guide shows it with more rooms than exist. */
export function navigationOf(all, foot) {
  const plan = computed(() => arranged(all, foot, rings));
  const fits = plan.peek().more.length === 0 && all.length + foot.length === plan.peek().bar.length;
  const isTucked = (one) => !plan.peek().bar.includes(one);
  const behind = computed(() => plan().more.find(rings));
  const isBehind = !fits && !plan.peek().bar.some(isAt);
  return html`<nav class="nav" aria-label=${words.navigation}>
      <a class="brand" href="/"><img loading="lazy" src=${() => appearance().icon} alt=""><span>${() =>
    appearance().name}</span></a>
      <ul class="nav-rooms" data-fits=${fits}>${all.map(link(isTucked))}
        ${fits ? '' : html`<li class="nav-more"><button class="nav-link" type="button" aria-haspopup="dialog"
          @click=${openSheet} aria-current=${isBehind}>
          <span class="nav-icon">${drawing(icons.more)}${() => (behind() ? lamp({ lamp: 'bad' }) : '')}</span>
          <span class="nav-short" data-rings=${() => Boolean(behind())}>${words.more}</span>
          <span class="visually-hidden">${() => (behind() ? words.rings(behind().name) : '')}</span></button></li>`}
      </ul>
      <ul class="nav-foot" data-fits=${fits}>${foot.map(link(() => !fits))}</ul>
    </nav>
    ${fits ? '' : sheet(() => plan().more, foot)}`;
}

const inside = () => navigationOf(shownRooms(), [...ofAll, ...(may('hub.manage') ? ofOwners : [])]);

const outside = () => html`<header class="outside-head" data-bare=${here === '/'}>
    <a class="brand" href="/"><img src=${() => appearance().icon} alt=""><span>${() => appearance().name}</span></a>
    ${here === '/join' || isInside() ? '' : html`<a class="button plain" href="/join">${words.signIn}</a>`}
  </header>`;

/** Focuses the content for the skip link, on any page. */
function skip(event) {
  event.preventDefault();
  const main = document.querySelector('main');
  main.tabIndex = -1;
  main.focus();
}

/** The foot of pages for strangers: the hub's owner. With `data-bare`, for pages without the rest of the shell, it
 * has the owner's addresses alone. */
element('hub-foot', ({ dataset: { bare } }) => {
  const isHidden = () => isInside() || (bare !== undefined && !legalNames(appearance()).length);
  return html`<footer class="outside-foot" hidden=${isHidden}>
    ${legalLinks(appearance)}${bare === undefined ? html`<span>${words.ours}</span>` : ''}</footer>`;
});

element('hub-navigation', () => {
  const root = document.documentElement;
  effect(() => {
    root.toggleAttribute('data-inside', isInside() && !isFirst);
    if (session() !== undefined) root.toggleAttribute('data-known', true);
  });
  refreshSession();
  // Nobody has a focus to lose before; but a form may be sent without.
  const late = () => import('/focus.js').catch(() => {});
  addEventListener('focusin', late, { once: true });
  setTimeout(late, 2 * LATER);
  // Another tab has signed in or out: not every network lets the live connection through, which tells of it, too.
  listening(window, ['storage'], ({ key }) => { if (key === INSIDE) refreshSession(); });
  recallAppearance();
  const refresh = () => {
    refreshAppearance();
    refreshRooms();
  };
  const timer = isComposed ? null : setTimeout(refresh, roomHere ? LATER : 0);
  ending(() => clearTimeout(timer));
  if (!roomHere) effect(() => { if (session()) insist(() => import(ELSEWHERE)); });
  if (!document.querySelector('hub-foot')) document.body.append(document.createElement('hub-foot'));
  // Only a change of person or role matters here.
  const owner = computed(() => may('hub.manage'));
  const isNewer = signal(false);
  isStoreNewer().then(isNewer.set);
  return html`
    <hub-ringing></hub-ringing>
    <a class="skip" href="#main" @click=${skip}>${words.skip}</a>
    ${lacking().length ? html`<p class="note old">${words.old}</p>` : ''}
    ${() => (isNewer() ? html`<p class="note old">${words.newer}</p>` : '')}
    ${() => (owner(), isInside() && !isFirst ? inside() : outside())}`;
});

/** Begins a page: with a title that follows its signals, and kept on this device. */
export function beginPage(title) {
  effect(() => { document.title = `${title()} · Eightbells`; });
  keepPages();
}

showRinging();
