// The actions of a notification: buttons, text to type, and the device's confirmation where the sender asks for it.

import { html } from '/ui.js';
import { ask } from '/people/ask.js';
import { passkeyObstacle, passkeysHere } from '/passkey.js';
import { NotificationError } from '/notification-rules.js';
import { respond } from '/bells/model.js';
import { rules } from '/bells/rules.js';
import { words } from '/bells/words.js';

const SEND = 'M4 12h15M13 6l6 6-6 6';
const CONFIRM_LIMIT = 60_000; // milliseconds for a finger or a PIN
const TEXT = 1333; // UTF-16 units of at most 3 bytes: the hub takes 4,000 bytes

// Half-typed answers by their fields: a card is drawn anew when something comes into its thread.
const drafts = new Map();

/** True if the device says that it is its person: by a passkey, where they have one here; else by a question. */
async function isConfirmed(title) {
  const sure = await ask({ title: words.confirmTitle(title), text: words.confirmText, yes: title });
  if (!sure || passkeyObstacle()) return Boolean(sure);
  const passkeys = await passkeysHere().catch(() => []);
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
    send(action, event.target.elements.text.value.trim()).then((isSent) => { if (isSent) drafts.delete(id); });
  };
  return html`<form class="reply" @submit=${submit}>
    <input type="text" name="text" maxlength=${TEXT} aria-label=${action.title} aria-required="true"
      aria-describedby=${`title-${item.id}`}
      placeholder=${placeholder ?? action.title} .value=${drafts.get(id) ?? ''} autocomplete="off"
      @input=${({ target }) => drafts.set(id, target.value)}>
    <button class="round-button" type="submit" aria-label=${button ?? words.send}><svg class="icon"
      viewBox="0 0 24 24" aria-hidden="true"><path d=${SEND} /></svg></button></form>`;
}

/** The meaning of an answer, by the rules; null if they do not accept it, such as one without a text. */
function meant(action, text, content) {
  try {
    return rules.peek().response({ action, text }, content);
  } catch (error) {
    if (error instanceof NotificationError) return null;
    throw error;
  }
}

/** All actions of one; `doing` shows what goes wrong. */
export function answers(item, { content, actions }, doing) {
  if (!actions.length) return '';
  let isBusy = false; // a second press must not be a second answer
  const send = async (action, text) => {
    if (isBusy) return false;
    isBusy = true;
    let isSent = false;
    await doing(async () => {
      const meaning = meant(action.id, text, content);
      if (!meaning || meaning.needs_authentication && !await isConfirmed(action.title)) return;
      await respond(item.id, action.id, text);
      isSent = true;
    });
    isBusy = false;
    return isSent;
  };
  const isText = ({ meaning }) => meaning.kind === 'text';
  const plain = actions.filter((action) => !isText(action));
  const main = plain.find(({ meaning }) => !meaning.is_destructive);
  const look = ({ meaning }, isMain) => (meaning.is_destructive ? ' danger' : isMain ? ' primary' : '');
  const kind = (action) => `button tight${look(action, action === main)}`;
  return html`${plain.length ? html`<div class="actions">${plain.map((action) =>
    html`<button class=${kind(action)} type="button" data-action=${action.id}
      aria-describedby=${`title-${item.id}`} @click=${() => send(action)}>${
      action.title}</button>`)}</div>` : ''}
    ${actions.filter(isText).map((action) => textField(item, action, send))}`;
}
