// Asks the reader a question in a native dialogue, which works with keyboards and screen readers.

import { html } from '/ui.js';
import { told } from '/people/told.js';

/**
 * Shows a dialog: `title`, `text` (one paragraph, or several), and the labels of the two buttons, `yes` and `no`, which
 * is “Cancel” unless told otherwise. With `label` it has a field containing `value`, of at most `limit` characters;
 * with `tick` a box with this label, `ticked` at first or not. Resolved with the field's text, or {ticked}; null if the
 * reader cancels.
 */
export function ask({
  title, text = '', yes, no = told.cancel, label, value = '', limit = 100, tick = '', ticked = true, danger = false,
}) {
  return new Promise((resolve) => {
    let answer = null;
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-labelledby', 'asked-title');
    const texts = [text].flat().filter(Boolean);
    if (texts.length) dialog.setAttribute('aria-describedby', texts.map((_, index) => `asked-${index}`).join(' '));
    const send = (event) => {
      event.preventDefault();
      const { answer: field, ticked: box } = event.target.elements;
      answer = label ? field.value.trim() : { ticked: box?.checked ?? true };
      if (answer) dialog.close();
    };
    dialog.append(html`<form @submit=${send}>
      <h2 id="asked-title">${title}</h2>
      ${texts.map((one, index) => html`<p id=${`asked-${index}`}>${one}</p>`)}
      ${tick ? html`<label class="check"><input type="checkbox" name="ticked" .checked=${ticked}> ${tick}</label>` : ''}
      ${label ? html`<div class="field"><label for="asked-answer">${label}</label><input id="asked-answer" name="answer"
        .value=${value} maxlength=${limit} aria-required="true" autocomplete="off"></div>` : ''}
      <p class="row">
        <button class=${danger ? 'button danger' : 'button primary'}>${yes}</button>
        <button type="button" class="button" @click=${() => dialog.close()}>${no}</button>
      </p></form>`);
    const before = document.activeElement;
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (before?.isConnected) before.focus();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector('input')?.select();
    // Enter, and Enter once more out of habit, would do what cannot be undone; in a box to tick, too.
    if ((danger || tick) && !label) dialog.querySelector('button[type=button]').focus();
  });
}
