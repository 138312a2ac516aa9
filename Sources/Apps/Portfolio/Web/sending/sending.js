// The panel of what was sent of a portfolio: new links, their state, and what came back by them.

import { computed, html, signal } from '/ui.js';
import { copyText } from '/copying.js';
import { careful } from '/doing.js';
import { HubError } from '/keep.js';
import { change, create, load } from '/session.js';
import { sheetHead } from '/sheet-head.js';
import { language } from '/shell-words.js';
import { drawing, icons } from '/portfolio/icons.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { addressesIn, byClient, dayOf as dayHere } from '/portfolio/sending/fields.js';
import { sendForm } from '/portfolio/sending/form.js';
import { oneFileForm } from '/portfolio/sending/one-file.js';
import { sharedList } from '/portfolio/sending/shares.js';
import { said } from '/portfolio/sending/words.js';
import { count, dayOf } from '/portfolio/words.js';

const canShare = Boolean(navigator.share);

/** How a link is doing, in a line. */
const lineOf = ({ state, opened, favourites, remarks, wishes, until }) => [
  said.states[state], said.opened(count(opened)), favourites ? said.favourites(count(favourites)) : '',
  remarks ? said.remarks(count(remarks)) : '', wishes ? said.wishes(count(wishes)) : '',
  state === 'open' && until ? `${said.until} ${dayOf(dayHere(until))}` : '',
].filter(Boolean).join(' · ');

/** {dialog, open(portfolio), heard(portfolio)}: `heard` when the hub has told that something was sent or marked. */
export function sendingPanel(library) {
  const [id, sent, one, marks, editing, asked, told, shares] = [
    signal(null), signal([]), signal(null), signal([]), signal(undefined), signal(null), signal(''), signal([])];
  const { inTurn, atOnce, note, clear } = careful();
  const portfolio = () => library.portfolio(id());
  const whole = () => `${PORTFOLIOS}/${encodeURIComponent(id.peek())}`;
  const address = () => `${whole()}/sent`;
  const at = (which, rest = '') => `${address()}/${encodeURIComponent(which)}${rest}`;

  const refresh = async () => {
    const of = id.peek();
    const [{ sent: all }, { shares: open }] = await Promise.all([load(address()), load(`${whole()}/shares`)]);
    if (of !== id.peek()) return;
    sent.set(all);
    shares.set(open);
    if (!one.peek()) return;
    const now = all.find((other) => other.id === one.peek().id);
    one.set(now ? { ...one.peek(), ...now } : null);
    if (!now) return;
    const { marks: found } = await load(at(now.id, '/marks'));
    if (one.peek()?.id === now.id) marks.set(found); // else another link is looked at by now
  };
  const act = (run) => {
    told.set(''); // of what was done before; what is under way may still tell of itself
    return inTurn(async () => {
      await run();
      await refresh();
    });
  };
  const show = (which) => {
    marks.set([]);
    told.set('');
    one.set(which);
    if (!which) return;
    inTurn(async () => {
      if (one.peek()?.id !== which.id) return; // another one, or none, is looked at by now
      const details = await load(at(which.id)); // with its pictures, which lists do not name
      if (one.peek()?.id === which.id) one.set(details);
      await refresh();
    });
  };
  const hasPrivate = () => library.known.peek().some((gallery) =>
    gallery.portfolio === id.peek() && gallery.pictures.some((picture) => picture.private));
  const send = (wish) => {
    const before = editing.peek();
    const to = before ? at(before.id) : address();
    return act(async () => {
      const made = await (before ? change('PATCH', to, wish) : create(to, wish));
      editing.set(undefined);
      one.set(made);
    });
  };
  const takeBack = ({ id: which }) => {
    const to = `${whole()}/shares/${encodeURIComponent(which)}`;
    act(async () => {
      if (shares.peek().some((share) => share.id === which)) await change('DELETE', to); // else it was pressed twice
    });
  };
  const copied = async (text, words) => {
    told.set('');
    await copyText(text);
    told.set(words);
  };
  const copy = (text, words) => inTurn(() => copied(text, words));
  const namesOf = async (which) => {
    const answer = await fetch(at(which, '/names'));
    if (!answer.ok) throw new HubError(answer.status, await answer.json().catch(() => undefined));
    return answer.text();
  };
  const names = () => atOnce(() => copied(namesOf(one.peek().id), said.namesCopied)); // in turn is late for Safari
  const mail = (event) => {
    event.preventDefault();
    const form = event.target;
    const to = at(one.peek().id, '/mail');
    if (!addressesIn(form.elements.to.value).length) return;
    act(async () => {
      const left = addressesIn(form.elements.to.value);
      if (!left.length) return; // they have it: the button was pressed twice, while the mail was on its way
      // One after the other: those that have a mail are not there any more if another one is refused.
      while (left.length) {
        await create(to, { to: [left[0]], language });
        left.shift();
        form.elements.to.value = left.join(', ');
      }
      told.set(said.mailed);
    });
  };
  const edit = () => {
    clear(); // a mail that was refused is not of the form
    editing.set(one.peek());
  };
  const withdraw = (which) => {
    const to = at(which.id);
    asked.set(null);
    act(() => change('DELETE', to));
  };

  const foundOf = (which) => library.known().filter(({ portfolio: of }) => of === id())
    .flatMap(({ pictures }) => pictures).find((picture) => picture.id === which);
  const pictureOf = (which) => foundOf(which)?.sizes?.['320']?.url;
  const ofShares = {
    pictureOf: (which) => ({ title: foundOf(which)?.title, small: pictureOf(which) }),
    titleOf: (which) => library.gallery(id(), which)?.title ?? '', copy, takeBack,
  };
  const mark = ({ picture, kind, text, file }) => html`<li class="send-mark">${pictureOf(picture)
    ? html`<img src=${pictureOf(picture)} alt="" loading="lazy">` : ''}<span><strong>${said.kinds[kind]}</strong>
    <small>${file}</small>${text ? html`<br>${text}` : ''}</span></li>`;
  const client = ({ name, marks: all }, index) => html`<h4>${name ?? said.client(count(index + 1))}</h4>
    <ul class="list">${all.map(mark)}</ul>`;

  const row = (which) => html`<li><button class="send-row" type="button" @click=${() => show(which)}><strong>${
    which.title}</strong><small>${lineOf(which)}</small></button></li>`;
  const list = () => html`${sent().length ? html`<ul class="list">${sent().map(row)}</ul>`
    : html`<p><strong>${said.none}</strong></p><p class="quiet">${said.noneText}</p>`}
    <p><button class="button primary" type="button" @click=${() => editing.set(null)}>${said.send}</button></p>
    ${sharedList(shares(), ofShares)}`;
  const question = () => (asked() ? html`<div class="note" role="alert"><p>${said.withdrawAsk(asked().title)}</p>
    <p class="row"><button class="button" type="button" @click=${() => asked.set(null)}>${said.keep}</button><button
    class="button danger" type="button" @click=${() => withdraw(asked.peek())}>${said.withdrawYes}</button></p>
    </div>` : '');
  /** The ways to a client. */
  const ways = (now) => html`<div class="field"><label for="send-link">${said.link}</label><input id="send-link"
    readonly value=${now.link} @focus=${({ target }) => target.select()}></div>
    <p class="row"><button class="button primary" type="button" @click=${() => copy(now.link, said.copied)}>${
    said.copy}</button>${canShare ? html`<button class="button" type="button" @click=${() =>
    navigator.share({ title: now.title, url: now.link }).catch(() => {})}>${said.share}</button>` : ''}<a class="button"
    href=${now.link} target="_blank" rel="noopener">${said.look}</a><button class="button" type="button"
    @click=${edit}>${said.change}</button><button class="button danger" type="button"
    @click=${() => asked.set(now)}>${said.withdraw}</button></p>${question}
    <form class="send-mail" @submit=${mail}><div class="field"><label for="send-to">${said.to}</label><input
    id="send-to" name="to" autocomplete="off" autocapitalize="none" inputmode="email" aria-describedby="send-to-hint">
    <p class="hint" id="send-to-hint">${said.toHint}</p></div><p><button class="button">${said.sendMail}</button></p>
    </form>${now.file_bytes ? oneFileForm(now, at(now.id)) : ''}`;
  // What clients do meanwhile changes the line and the marks, but nothing that is being filled in.
  const isOne = computed(() => one() !== null);
  const way = computed(() => {
    const { id: of, title: name, link, pin, state, file_bytes: bytes } = one() ?? {};
    return state === 'open' ? JSON.stringify([of, name, link, pin, bytes]) : '';
  });
  const details = () => html`<p><button class="button plain" type="button" @click=${() => show(null)}>${
    drawing(icons.back)}${said.title}</button></p><h3>${() => one()?.title}</h3><p class="quiet">${() =>
    (one() ? lineOf(one()) : '')}</p>
    ${() => (one()?.locked ? html`<p class="note" data-kind="bad">${said.locked}</p>` : '')}
    ${() => (way() ? ways(one.peek()) : '')}
    <h3>${said.back}</h3>${() => (marks().length ? html`${byClient(marks()).map(client)}<p class="row"><button
    class="button" type="button" @click=${names}>${said.names}</button></p>`
    : html`<p class="quiet">${said.nothingBack}</p>`)}`;
  const content = () => {
    if (!portfolio()) return '';
    if (editing() !== undefined) {
      return sendForm({
        portfolio: portfolio(), hasPrivate: hasPrivate(), before: editing(), send, leave: () => editing.set(undefined),
        picturesOf: (gallery) => (library.turn(), library.pictures(id.peek(), gallery)),
      });
    }
    return isOne() ? details() : list();
  };
  const title = () => (editing() === undefined ? said.title
    : editing() ? said.changing(editing().title) : said.heading);
  const dialog = html`<dialog class="sending-panel" aria-labelledby="sending-title">
    ${sheetHead('sending-title', title)}${note}<p role="status" class="send-told">${told}</p>
    <div>${content}</div></dialog>`.firstElementChild;
  return {
    dialog,
    open: (which) => {
      id.set(which);
      sent.set([]);
      shares.set([]);
      editing.set(undefined);
      show(null);
      inTurn(refresh);
      dialog.showModal();
    },
    heard: (which) => { if (dialog.open && which === id.peek()) refresh().catch(() => {}); },
  };
}
