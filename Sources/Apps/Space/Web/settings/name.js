// The space's name and its own site.

import { html } from '/ui.js';
import { textField } from '/fields.js';
import { isWeb } from '/addresses.js';
import { webAddress } from '/space/settings/addresses.js';
import { words } from '/space/settings/words.js';

export const namePart = ({ name }, errors) => ({
  view: () => textField('name', {
    label: words.name, value: name, errors, longest: 100, placeholder: words.namePlaceholder, required: true,
    autocomplete: 'organization', autocapitalize: 'words',
  }),
  take(wanted, wrong, form) {
    wanted.name = form.elements.name.value.trim();
    if (!wanted.name) wrong.name = words.nameMissing;
  },
});

export const urlPart = ({ url }, errors) => ({
  view: () => html`${textField('url', {
    label: words.url, hint: words.urlHint, optional: words.optional, value: url, errors, longest: 2000,
    inputmode: 'url', autocomplete: 'url', autocapitalize: 'none', spellcheck: 'false',
  })}`,
  take(wanted, wrong, form) {
    wanted.url = webAddress(form.elements.url.value);
    if (wanted.url !== null && !isWeb(wanted.url)) wrong.url = words.urlWrong;
  },
});
