// The rode from the side: water, bow, chain, and how far the boat swings on it.

import { effect } from '/ui.js';
import { words } from '/anchor/arm/words.js';
import { icons } from '/anchor/icons.js';
import { decimal } from '/anchor/words.js';

const MARKUP = `<svg class="rode-view" viewBox="0 0 640 236" role="img" xmlns="http://www.w3.org/2000/svg">
  <path class="sea" d="M0 84q20-5 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0
    40 0V236H0z"/>
  <path class="bed" d="M0 186c90-6 180 6 300 2s230 4 340-2v50H0z"/>
  <path class="hull" d="M470 62c4 22 16 34 40 34h84c8-8 12-22 12-34z"/>
  <path class="line" d="M538 62V6M538 14l50 44M538 14l-66 48"/><path class="chain"/>
  <g class="iron" transform="translate(70 166)"><path d="${icons.anchor}"/></g>
  <path class="measure" d="M136 86v96M130 86h12M130 182h12M444 62v22M438 62h12M438 84h12"/>
  <path class="measure" d="M82 222h388M82 217v10M470 217v10"/>
  <text class="water" x="150" y="132"></text><text class="bow" x="430" y="62" text-anchor="end"></text>
  <text class="strong" x="276" y="213" text-anchor="middle"></text>
  <text class="length" x="240" y="166" text-anchor="middle"></text></svg>`;
const CURVED = 'M96 184c130 2 250-6 320-54 24-18 42-42 54-66';
const TAUT = 'M96 184L470 64';

/** Follows `rode()` and `swing()` (null until the rules are there). */
export function rodeView({ rode, swing }) {
  const template = document.createElement('template');
  template.innerHTML = MARKUP;
  const svg = template.content.firstElementChild;
  const put = (name, text) => { svg.querySelector(`.${name}`).textContent = text; };
  effect(() => {
    const { length_m: long, depth_m: depth, bow_height_m: bow, chain } = rode();
    const radius = swing() ? decimal(Math.round(swing().straight)) : '–';
    svg.querySelector('.chain').setAttribute('d', chain ? CURVED : TAUT);
    put('water', words.waterOf(decimal(depth)));
    put('bow', words.bowOf(decimal(bow)));
    put('length', chain ? words.chainOf(decimal(long)) : words.ropeOf(decimal(long)));
    put('strong', words.swingsOn(radius));
    svg.setAttribute('aria-label', words.rodePicture(decimal(depth), decimal(bow), decimal(long), radius));
  });
  return svg;
}
