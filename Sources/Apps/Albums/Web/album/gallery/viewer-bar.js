// The line below the picture on the whole screen: by whom, when, its hearts, and what one may do with it.

import { computed, element, ending, html, listening, signal } from '/ui.js';
import { isWeb } from '/addresses.js';
import { careful } from '/doing.js';
import { whenOf, words } from '/albums/album/gallery/words.js';
import { soundSheet } from '/albums/album/gallery/sound-sheet.js';
import { drawing, icons } from '/albums/icons.js';

const said = words.viewer;

/** `open`, if there is one, leads from the name to the person. */
function who(picture, open) {
  const name = () => picture()?.by?.name ?? words.someone;
  return html`<p class="viewer-who"><strong>${open ? html`<button class="viewer-name" type="button"
    @click=${() => open(picture()?.by?.id)}>${name}</button>` : name}<span class="visually-hidden">, </span></strong>
    <span>${() => (picture() ? whenOf(picture()) : '')}${() => (picture()?.mine ? `, ${said.yours}` : '')}</span></p>`;
}

element('album-viewer-bar', (host) => {
  const { album, films, queue } = host;
  const id = signal(null);
  const asked = signal(null); // 'withdraw' or 'remove' while it is asked once more
  const { doing, note } = careful();
  const hearts = careful(); // of the next picture, too, while one is on its way
  const picture = computed(() => album.pictures().get(id()));
  const film = computed(() => films().get(id())?.video);
  const sound = soundSheet(album, picture, queue);
  const isHost = computed(() => album.details()?.me?.role === 'host');
  const act = (how) => () => doing(async () => {
    const one = id.peek();
    await how(one);
    if (id.peek() !== one) return; // the reader has gone on to the next one meanwhile
    asked.set(null);
    host.close();
  });
  const person = host.open && ((one) => {
    host.closed = () => host.open(one); // once the picture is away, which takes a step back
    host.close();
  });
  const remove = act((one) => album.remove(one));
  const erase = act(async (one) => {
    await album.remove(one);
    await album.ask('DELETE', `/pictures/${one}`); // for good
  });
  const hide = act((one) => album.ask('PATCH', `/pictures/${one}`, { state: 'hidden' }));
  const heart = () => {
    const which = id.peek();
    hearts.inTurn(() => album.heart(which, !album.pictures.peek().get(which)?.hearted));
  };
  /** The picture that is shown now. */
  host.show = (next) => {
    if (next === id.peek()) return; // it has another size by now
    asked.set(null);
    audio.pause();
    id.set(next);
  };
  const pressed = ({ key, ctrlKey, metaKey, altKey, target }) => {
    if (target.closest?.('dialog')) return; // somebody types
    if (key.toLowerCase() === 'h' && !(ctrlKey || metaKey || altKey)) heart();
  };
  listening(window, ['keydown'], pressed);
  /** Takes back the question whether to remove the picture; returns false if it was not asked. */
  host.unask = () => {
    const was = asked.peek();
    asked.set(null);
    return Boolean(was);
  };
  // Events are told to all, so that they do not name it.
  const original = () => (picture()?.mine || isHost()
    ? html`<a class="viewer-key" href=${album.address(`/pictures/${id()}/original`)} download>${
      drawing(icons.download)}<span>${said.download}
      </span></a>` : '');
  const key = (icon, text, press, kind = '') => html`<button class=${`viewer-key ${kind}`} type="button" @click=${press}
    >${drawing(icon)}<span>${text}</span></button>`;
  const out = () => {
    if (picture()?.mine) return key(icons.undo, said.withdraw, () => asked.set('withdraw'));
    if (!isHost()) return '';
    return html`${key(icons.hide, said.hide, hide)}${key(icons.bin, said.remove, () => asked.set('remove'))}`;
  };
  const audio = new Audio(); // one, however often somebody presses until it is there
  ending(() => audio.pause());
  const listen = () => {
    const { url, address, title } = picture()?.sound ?? {};
    if (url) return key(icons.sound, said.play, () => Object.assign(audio, { src: url }).play().catch(() => {}));
    if (!title) return '';
    return isWeb(address) ? html`<a class="viewer-key" href=${address} target="_blank" rel="noreferrer">${
      drawing(icons.sound)}<span>${title}</span></a>` : html`<span class="viewer-key">♪ ${title}</span>`;
  };
  const moment = () => (film() ? key(icons.live, said.live, () => host.play()) : '');
  const add = () => (picture()?.mine && album.details()?.state !== 'closed'
    ? key(icons.microphone, picture().sound ? said.music : said.sound, sound.open) : '');
  const told = () => {
    if (film()) return html`<span>${said.liveHint}</span>`;
    if (picture()?.kind !== 'video' || picture().video) return '';
    return html`<span>${picture().unplayable ? said.noFilm : said.filmComes}</span>`;
  };
  const keys = () => html`<div class="viewer-keys"><button class="viewer-key heart" type="button" @click=${heart}
      aria-pressed=${() => String(Boolean(picture()?.hearted))} aria-label=${() =>
  `${said.heart}, ${said.hearts(picture()?.hearts ?? 0)}`}>${drawing(icons.heart)}<span>${() =>
  picture()?.hearts || ''}</span></button>${moment}${listen}${add}${original}${out}</div>`;
  // A guest cannot delete what a host has hidden, and then send it once more.
  const mayErase = () => asked() === 'withdraw' && (isHost() || picture()?.state !== 'hidden');
  const ask = () => html`<div class="viewer-ask" role="alert"><p>${asked() === 'remove' ? said.removeAsk
    : said.withdrawAsk(mayErase())}</p>
    <button class="viewer-key" type="button" @click=${() => asked.set(null)}>${said.keep}</button>
    <button class="viewer-key danger" type="button" @click=${remove}>${said.sure}</button>${mayErase()
  ? html`<button class="viewer-key danger" type="button" @click=${erase}>${said.atOnce}</button>` : ''}</div>`;
  return html`<div class="viewer-bar">${note}${hearts.note}<div class="viewer-told">${
    who(picture, person)}${told}</div>${() => (asked() ? ask() : keys())}</div>${sound.dialog}`;
});
