// The addresses of a legal notice and of a privacy page, shown at the foot of public pages.

import { html } from '/ui.js';
import { textField } from '/fields.js';
import { isWeb } from '/addresses.js';
import { webAddress } from '/settings/place/addresses.js';
import { words } from '/settings/place/words.js';

const FIELDS = ['legal_notice', 'privacy'];

export const legalPart = (known, errors) => ({
  view: () => html`<p class="hint">${words.legal.hint}</p>
    ${FIELDS.map((name) => textField(name, {
    label: words.legal[name], optional: words.optional, value: known[name], errors, longest: 2000, inputmode: 'url',
    autocapitalize: 'none', spellcheck: 'false',
  }))}`,
  take(wanted, wrong, form) {
    for (const name of FIELDS.filter((one) => form.elements[one])) {
      wanted[name] = webAddress(form.elements[name].value);
      if (wanted[name] !== null && !isWeb(wanted[name])) wrong[name] = words.urlWrong;
    }
  },
});
