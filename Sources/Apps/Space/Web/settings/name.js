// The space's name and its own site.

import { html } from '/ui.js';
import { textField } from '/fields.js';
import { isWeb } from '/space/contact.js';
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

/** What people type, such as "nordlicht.example", as an address; null for nothing. */
export function webAddress(text) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[^/]+:\d+(\/|$)/.test(trimmed) ? trimmed : `https://${trimmed}`;
}

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
