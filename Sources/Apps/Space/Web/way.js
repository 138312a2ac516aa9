// The way to the space, for strangers: its place, and its opening hours. What other rooms offer them stands behind it.

import { element, html } from '/ui.js';
import { isDetail } from '/detail.js';
import { drawing } from '/drawing.js';
import { addressLines, eventMap } from '/map.js';
import { isInside } from '/session.js';
import { words } from '/space/about-words.js';
import { space } from '/space/model.js';
import { hours } from '/space/opening-hours.js';

const PIN = 'M12 21.5c-4-4.7-6.5-8.2-6.5-11.5a6.5 6.5 0 0 1 13 0c0 3.3-2.5 6.8-6.5 11.5zM12 7.7a2.4 2.4 0 1 1 0 4.8 '
  + '2.4 2.4 0 0 1 0-4.8z';
const CLOCK = 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7.5V12l3 2';

const fact = (icon, name, first, rest) => html`<div><dt>${drawing(icon)}
    <span class="visually-hidden">${name}</span></dt>
  <dd>${first}${rest ? html`<small>${rest}</small>` : ''}</dd></div>`;

/** True if there is a way to show to a stranger. */
const isTold = () => !isInside() && eventMap({}, space()) !== null;

element('space-way', () => html`${() => (isTold() && !isDetail() ? html`<section aria-labelledby="way">
    <h2 id="way">${words.way}</h2>
    <div class="card"><dl class="way">
      ${space().address ? fact(PIN, words.about.address, ...addressLines(space().address)) : ''}
      ${space().opening_hours ? fact(CLOCK, words.about.hours, hours(space().opening_hours)) : ''}</dl>
      <a class="more-link" href=${eventMap({}, space())} target="_blank" rel="noopener">
        ${words.about.map}<span class="visually-hidden">${words.opensNewTab}</span>
        <svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5l7 7-7 7" /></svg></a></div>
  </section>` : '')}`);
