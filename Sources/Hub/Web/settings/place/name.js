// The name of the place, which is all that a hub needs to begin with.

import { textField } from '/fields.js';
import { words } from '/settings/place/words.js';

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
