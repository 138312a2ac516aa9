// The actions of a notification: buttons, text to type, and the device's confirmation where the sender asks for it.

import { html } from '/ui.js';
import { ask } from '/people/ask.js';
import { passkeyObstacle } from '/passkey.js';
import { load } from '/session.js';
import { isDangerous, needsPerson } from '/bells/inbox.js';
import { respond } from '/bells/model.js';
import { words } from '/bells/words.js';

const SEND = 'M4 12h15M13 6l6 6-6 6';
const CONFIRM_LIMIT = 60_000; // milliseconds for a finger or a PIN
const TEXT = 256; // characters; the hub's limit

// Half-typed answers by their fields: a card is drawn anew when something comes into its thread.
const drafts = new Map();

/** True if the device says that it is its person: by a passkey, where they have one here; else by a question. */
async function isConfirmed(title) {
  const sure = await ask({ title: words.confirmTitle(title), text: words.confirmText, yes: title, no: words.cancel });
  if (!sure || passkeyObstacle()) return Boolean(sure);
  const passkeys = await load('/api/v1/passkeys').catch(() => []);
  if (passkeys.length === 0) return true;
  const challenge = crypto.getRandomValues(new Uint8Array(32));
  const request = { challenge, userVerification: 'required', timeout: CONFIRM_LIMIT };
  return Boolean(await navigator.credentials.get({ publicKey: request }).catch(() => null));
}

function textField(item, action, send) {
  const id = `${item.id}-${action.id}`;
  const { button, placeholder } = action.text_input;
  const submit = (event) => {
    event.preventDefault();
    const text = event.target.elements.text.value.trim();
    if (text) send(action, text).then((isSent) => { if (isSent) drafts.delete(id); });
  };
  return html`<form class="reply" @submit=${submit}>
    <input type="text" name="text" maxlength=${TEXT} aria-label=${action.title} required
      placeholder=${placeholder ?? action.title} .value=${drafts.get(id) ?? ''} autocomplete="off"
      @input=${({ target }) => drafts.set(id, target.value)}>
    <button class="round-button" type="submit" aria-label=${button ?? words.send}><svg class="icon"
      viewBox="0 0 24 24" aria-hidden="true"><path d=${SEND} /></svg></button></form>`;
}

/** All actions of one; `doing` shows what goes wrong. */
export function answers(item, content, doing) {
  const actions = content.actions ?? [];
  if (!actions.length) return '';
  let isBusy = false; // a second press must not be a second answer
  const send = async (action, text) => {
    if (isBusy) return false;
    isBusy = true;
    let isSent = false;
    await doing(async () => {
      if (needsPerson(action) && !await isConfirmed(action.title)) return;
      await respond(item.id, action.id, text);
      isSent = true;
    });
    isBusy = false;
    return isSent;
  };
  const plain = actions.filter((action) => !action.text_input);
  const main = plain.find((action) => !isDangerous(action));
  const kind = (action) => `button tight${isDangerous(action) ? ' danger' : action === main ? ' primary' : ''}`;
  return html`${plain.length ? html`<div class="actions">${plain.map((action) =>
    html`<button class=${kind(action)} type="button" data-action=${action.id} @click=${() => send(action)}>${
      action.title}</button>`)}</div>` : ''}
    ${actions.filter((action) => action.text_input).map((action) => textField(item, action, send))}`;
}
