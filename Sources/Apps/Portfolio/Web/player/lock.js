// The pages before and after the pictures: a PIN or a passphrase is asked for, the link has ended, or there is nothing.

import { html, signal } from '/ui.js';
import { Away, Ended, Wrong } from '/portfolio/player/faults.js';
import { words } from '/portfolio/player/words.js';

const said = words.lock;

function wrongText(error) {
  if (error instanceof Away) return said.away;
  if (!(error instanceof Wrong)) return words.broken.text;
  if (error.isLocked) return said.locked;
  return error.seconds ? said.wait(error.seconds) : said.wrong;
}

/** Asks for the word; `unlock(word)` throws a `Wrong` if it is not it, `opened()` is called after it. */
export function lock(kind, { source, opened, ended }) {
  const told = signal('');
  const isBusy = signal(false);
  const isPin = kind === 'pin';
  const submit = async (event) => {
    event.preventDefault();
    const field = event.target.elements.word;
    if (!field.value || isBusy.peek()) return;
    isBusy.set(true);
    told.set('');
    await new Promise((resolve) => { setTimeout(resolve, 20); }); // the words are painted before the work
    try {
      await source.unlock(field.value);
      opened();
    } catch (error) {
      if (error instanceof Ended) return void ended();
      told.set(wrongText(error));
      field.select();
    } finally {
      isBusy.set(false);
    }
  };
  const element = html`<form class="gate" @submit=${submit}><h1>${said[kind]}</h1>
    <p id="gate-help">${said[`${kind}Help`]}</p>
    <label for="gate-word">${said[`${kind}Label`]}</label>
    <input id="gate-word" name="word" type="password" autocomplete=${isPin ? 'one-time-code' : 'off'}
      inputmode=${isPin ? 'numeric' : null} aria-describedby="gate-help gate-told" autofocus>
    <p id="gate-told" class="gate-told" aria-live="assertive">${told}</p>
    <button class="plate-button" disabled=${isBusy}>${() => (isBusy() ? said.opening : said.open)}</button></form>`;
  if (!source.isOpenable) told.set(words.noCrypto);
  return element;
}

/** A page of words: {title, text}, and what else stands there. */
export const notice = ({ title, text }, ...more) => html`<section class="gate"><h1>${title}</h1><p>${text}</p>${more}
  </section>`;
