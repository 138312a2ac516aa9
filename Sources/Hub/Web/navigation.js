// The one navigation of all pages: the rooms, then oneself, and for owners the people and the settings.

import { computed, each, element, html } from '/ui.js';
import { appearance, recallAppearance, refreshAppearance } from '/appearance.js';
import { rooms } from '/rooms.js';
import { may, refreshSession, session } from '/session.js';
import { lacking } from '/platform.js';
import { language, words } from '/shell-words.js';

const icons = {
  person: 'M12 3.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 20.5c.8-4 4-6 8-6s7.2 2 8 6',
  people: 'M9 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c.6-3.5 3.2-5.2 6.5-5.2s5.9 1.7 '
    + '6.5 5.2M15.5 5a3.2 3.2 0 0 1 0 6.2M17.7 14.7c2 .7 3.4 2.3 3.8 4.8',
  settings: 'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 14.5a2.5 2.5 0 1 '
    + '1 0 5 2.5 2.5 0 0 1 0-5z',
};

const me = { id: 'me', name: words.me, address: '/me', icon: icons.person };
const signIn = { id: 'me', name: words.signIn, address: '/join', icon: icons.person };
const pending = { id: 'me', name: words.me, address: '/me', icon: icons.person, isPending: true };
const people = { id: 'people', name: words.people, address: '/people', icon: icons.people };
const settings = { id: 'settings', name: words.settings, address: '/space/settings', icon: icons.settings };

const here = location.pathname;
const LATER = 500; // milliseconds: the page itself comes first

const entries = computed(() => {
  const known = session() === undefined ? pending : session() ? me : signIn;
  return [...rooms.map((room) => ({ ...room, address: room.page })), known, ...(may('owner') ? [people, settings] : [])];
});

// The page one is on is not loaded anew: its own start is a place within it.
const link = ({ address, icon, name, isPending }) => html`<li data-pending=${Boolean(isPending)}>
  <a href=${address === here ? '#/' : address} aria-current=${address === here ? 'page' : null}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg><span>${name}</span></a></li>`;

/** The content, found by the skip link whatever page this is. */
function skip(event) {
  event.preventDefault();
  const main = document.querySelector('main');
  main.tabIndex = -1;
  main.focus();
}

element('hub-navigation', () => {
  document.documentElement.lang ||= language;
  refreshSession();
  recallAppearance();
  setTimeout(refreshAppearance, LATER);
  return html`
    <a class="skip" href="#main" @click=${skip}>${words.skip}</a>
    ${lacking().length ? html`<p class="note old">${words.old}</p>` : ''}
    <nav class="navigation" aria-label=${words.navigation}>
      <p class="navigation-brand"><img loading="lazy" src=${() => appearance().icon} alt=""><span>${() => appearance().name}</span></p>
      <ul>${each(entries, ({ address }) => address, link)}</ul>
    </nav>`;
});
