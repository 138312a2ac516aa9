// The space's own site.

import { html } from '/ui.js';
import { textField } from '/fields.js';
import { isWeb } from '/addresses.js';
import { webAddress } from '/settings/place/addresses.js';
import { LONGEST } from '/space/limits.js';
import { words } from '/space/settings/words.js';

export const urlPart = ({ url }, errors) => ({
  view: () => html`${textField('url', {
    label: words.url, hint: words.urlHint, optional: words.optional, value: url, errors, longest: LONGEST.url,
    inputmode: 'url', autocomplete: 'url', autocapitalize: 'none', spellcheck: 'false',
  })}`,
  take(wanted, wrong, form) {
    wanted.url = webAddress(form.elements.url.value);
    if (wanted.url !== null && !isWeb(wanted.url)) wrong.url = words.urlWrong;
  },
});
