// The space's colour, its logo and the pictures of its sign.

import { html, signal } from '/ui.js';
import { applyAccent } from '/accent.js';
import { refreshAppearance } from '/appearance.js';
import { explain } from '/explain.js';
import { noteInput } from '/fields.js';
import { change } from '/session.js';
import { upload } from '/upload.js';
import { words } from '/space/settings/words.js';

const OURS = '#0b5585'; // the default of the colour field, as in shell.css

let pictures = {}; // the stored pictures, with the space's public data

/** Fetches them. */
export async function fetchPictures() {
  pictures = await change('GET', '/api/v1/space').catch(() => ({}));
}

export function lookPart({ color }) {
  const chosen = signal(color ?? null);
  const choose = (value) => {
    chosen.set(value);
    applyAccent(value); // the whole page is the preview
  };
  const reset = (event) => {
    choose(null);
    noteInput(event.currentTarget);
  };
  return {
    view: () => html`<div class="field">
      <label for="field-color">${words.color} <span class="optional">${words.optional}</span></label>
      <div class="color-row">
        <input type="color" id="field-color" name="color" aria-describedby="field-color-hint"
          .value=${() => chosen() ?? OURS} @input=${(event) => choose(event.target.value)}>
        <span class="quiet">${() => chosen() ?? words.colorNone}</span>
        <button type="button" class="button plain" hidden=${() => chosen() === null} @click=${reset}>${
  words.pictures.remove}</button>
      </div>
      <p class="hint" id="field-color-hint">${words.colorHint}</p>
    </div>
    ${picturesView(pictures)}`,
    take(wanted) { wanted.color = chosen.peek(); },
  };
}

const ACCEPTED = 'image/png,image/svg+xml,image/jpeg,image/gif,image/webp';

/** One picture, which is saved as soon as it is chosen. */
function picture(name, address) {
  const shown = signal(address ?? '');
  const share = signal(null);
  const trouble = signal('');
  const told = signal(''); // that it is there; on the way, each step would be read aloud
  const at = `/api/v1/space/pictures/${name}`;
  const act = async (work) => {
    trouble.set('');
    told.set('');
    try {
      shown.set(await work());
      refreshAppearance();
    } catch (error) {
      trouble.set(`${words.pictures.failed} ${await explain(error, words.unsaved)}`);
    }
    share.set(null);
  };
  const send = (event) => {
    const [file] = event.target.files;
    event.target.value = '';
    event.stopPropagation(); // saved already, so no question before leaving
    if (!file) return;
    act(async () => {
      const { url } = await upload(at, file, share.set);
      told.set(words.pictures.sending(1));
      return url;
    });
  };
  const remove = () => act(async () => {
    await change('DELETE', at);
    return '';
  });
  return html`<div class="picture">
    <span class="picture-frame" data-filled=${() => Boolean(shown())}>${() =>
    (shown() ? html`<img src=${shown()} alt="">` : words.pictures.none)}</span>
    <div class="picture-text">
      <strong>${words.pictures[name]}</strong>
      <p class="quiet small">${words.pictures.hint[name]}</p>
      <div class="row">
        <label class="button file-button"><span>${() =>
    (shown() ? words.pictures.change : words.pictures.choose)}</span>
          <input type="file" accept=${ACCEPTED} aria-label=${`${words.pictures[name]}: ${words.pictures.choose}`}
            @input=${(event) => event.stopPropagation()} @change=${send}></label>
        <button type="button" class="button plain danger" hidden=${() => !shown()} @click=${remove}
          aria-label=${`${words.pictures[name]}: ${words.pictures.remove}`}>${words.pictures.remove}</button>
      </div>
      ${() => (share() === null ? '' : html`<p><progress max="1" value=${share()} aria-label=${
    words.pictures[name]}></progress>
        <span class="small">${words.pictures.sending(share())}</span></p>`)}
      <p class="visually-hidden" role="status">${told}</p>
      ${() => (trouble() ? html`<p class="form-error" role="alert">${trouble()}</p>` : '')}
    </div>
  </div>`;
}

/** The pictures; they are saved at once, without "Save". */
const picturesView = ({ logo, pictures = {} }) => html`
  ${picture('logo', logo?.startsWith('/') ? logo : '')}
  <details><summary>${words.pictures.open} · ${words.pictures.closed}</summary>
    <div class="settings">${picture('open', pictures.open)}${picture('closed', pictures.closed)}</div></details>
  <p class="quiet small">${words.pictures.now}</p>`;
