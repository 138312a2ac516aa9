// The fields of forms, with hints and errors beside them: see shell.css and /styleguide. A form's errors are a signal
// of {name: text}; each field shows its own, also to screen readers.

import { html, signal } from '/ui.js';

/** An element's id, for names such as "contact.email" or "calendars[0].url". */
export const idOf = (name) => `field-${name.replace(/[^\w-]/g, '-')}`;

/** The errors of one form: a signal with methods to clear and to show them. */
export function formErrors() {
  const errors = signal({});
  return Object.assign(errors, {
    /** The error of one field; empty if there is none. */
    of: (name) => errors()[name] ?? '',
    /** Shows the errors, and focuses the first field with one. */
    show(found, form) {
      errors.set(found);
      setTimeout(() => {
        const first = form.querySelector('[aria-invalid="true"]');
        if (!first) return;
        first.closest('details')?.setAttribute('open', '');
        first.focus({ preventScroll: true });
        first.scrollIntoView({ block: 'center' });
      });
    },
  });
}

/** Tells the form of a control that something in it was changed without typing, such as by a button. */
export const noteInput = (control) => control?.closest('form')?.dispatchEvent(new Event('input', { bubbles: true }));

/** A control with its label, hint and error. */
export function field(name, { label, hint, optional, errors }, control) {
  const id = idOf(name);
  return html`<div class="field">
    <label for=${id}>${label}${optional ? html` <span class="optional">${optional}</span>` : ''}</label>
    ${control({
      id,
      described: [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' '),
      invalid: () => (errors.of(name) ? 'true' : null),
    })}
    ${hint ? html`<p class="hint" id=${`${id}-hint`}>${hint}</p>` : ''}
    <p class="error" id=${`${id}-error`}>${() => errors.of(name)}</p>
  </div>`;
}

/** One line to type into. */
export const textField = (name, { type = 'text', value, list, ...about }) => field(name, about,
  ({ id, described, invalid }) => html`<input id=${id} name=${name} type=${type} .value=${value ?? ''}
    list=${list ?? null} maxlength=${about.longest ?? null}
    placeholder=${about.placeholder ?? null} aria-required=${about.required ? 'true' : null}
    autocomplete=${about.autocomplete ?? 'off'} inputmode=${about.inputmode ?? null}
    autocapitalize=${about.autocapitalize ?? null} spellcheck=${about.spellcheck ?? null}
    aria-describedby=${described} aria-invalid=${invalid}>`);

/** Several lines to type into. */
export const areaField = (name, { value, rows = 3, ...about }) => field(name, about,
  ({ id, described, invalid }) => html`<textarea id=${id} name=${name} rows=${rows} .value=${value ?? ''}
    maxlength=${about.longest ?? null} placeholder=${about.placeholder ?? null}
    aria-describedby=${described} aria-invalid=${invalid}></textarea>`);

/** One of several: `options` are [value, text]. */
export const choiceField = (name, { value, options, ...about }) => field(name, about,
  ({ id, described, invalid }) => html`<select id=${id} name=${name} aria-describedby=${described}
    aria-invalid=${invalid}>${options.map(([key, text]) =>
    html`<option value=${key} selected=${key === value}>${text}</option>`)}</select>`);
