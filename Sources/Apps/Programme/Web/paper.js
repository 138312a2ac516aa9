// On paper, each page says whose programme it is: subscribe.css puts this above every week.

import { effect } from '/ui.js';
import { addressLines } from '/map.js';
import { place } from '/place.js';

effect(() => {
  const { name, address } = place() ?? {};
  const said = [name, ...(address ? addressLines(address) : [])].filter(Boolean).join(', ').replace(/\s+/g, ' ');
  document.documentElement.style.setProperty('--letterhead', JSON.stringify(said));
});
