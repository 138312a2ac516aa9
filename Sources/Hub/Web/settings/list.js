// The list of all settings pages. On a phone it is a page of its own; from 1024 px on it is beside each of them.

import { element, html } from '/ui.js';
import { drawing } from '/drawing.js';
import { here, icons as ofAll } from '/navigation.js';
import { shownRooms } from '/room-choice.js';
import { may, session } from '/session.js';
import { listWords as list } from '/settings/list-words.js';
import { words } from '/shell-words.js';

const icons = {
  house: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-5h4v5',
  book: 'M12 6.5c-2-1.4-4.6-2-8-2v13c3.4 0 6 .6 8 2 2-1.4 4.6-2 8-2v-13c-3.4 0-6 .6-8 2zM12 6.5v13',
  screen: 'M4 4.5h16a1.5 1.5 0 0 1 1.5 1.5v9.5a1.5 1.5 0 0 1-1.5 1.5H4a1.5 1.5 0 0 1-1.5-1.5V6A1.5 1.5 0 0 1 4 4.5z'
    + 'M12 17v3.5M8 20.5h8',
  phone: 'M8 2.5h8a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zM11 18.5h2',
};

const choosing = {
  settings: '/settings/rooms', icon: 'M12 5v14M5 12h14', name: list.choose, setting: list.chooseText,
};

const house = [
  { settings: '/settings/place', icon: icons.house, name: list.place, setting: list.placeText },
  { settings: '/people', icon: ofAll.people, name: words.people, setting: list.people },
  { settings: '/screen', icon: icons.screen, name: list.screen, setting: list.screenText },
  { settings: '/docs', icon: icons.book, name: list.manual, setting: list.manualText },
  { settings: '/me', icon: icons.phone, name: list.devices, setting: list.devicesText },
];

const row = ({ settings, icon, name, setting }) => html`<li><a href=${settings}
  aria-current=${settings === here ? 'page' : null}>
  ${drawing(icon)}<span class="grow"><strong>${name}</strong><small>${setting}</small></span></a></li>`;

element('hub-settings-list', () => html`<nav class="settings-index" aria-label=${words.settings}
  hidden=${() => session() !== undefined && !may('hub.manage')}>
  <p class="settings-title">${words.settings}</p>
  <div><p class="group">${list.rooms}</p>
    <ul class="list">${() => shownRooms().filter(({ settings }) => settings).map(row)}${row(choosing)}</ul></div>
  <div><p class="group">${list.house}</p><ul class="list">${house.map(row)}</ul></div>
</nav>`);
