// The page on which owners write a notification: a form, and beside it how it will look on each kind of device.

import { computed, effect, element, ending, html, listening, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { areaField, formErrors, textField } from '/fields.js';
import { line, startLive, tellUsable } from '/live.js';
import { change, create, isInside, isSessionKnown, load, may, session } from '/session.js';
import { careful } from '/doing.js';
import { explain } from '/explain.js';
import { isHidden } from '/room-choice.js';
import { words as shell } from '/shell-words.js';
import { upload } from '/upload.js';
import { deviceName } from '/people/told.js';
import { faultsOf, payloadOf, requestOf, shareOf } from '/bells/compose/plan.js';
import { sender, underWay } from '/bells/compose/under-way.js';
import { language, locale, words } from '/bells/compose/words.js';

const PAUSE = 300; // milliseconds without a key until the hub is asked
const SEND = '/api/v1/notifications';
const ATTACHMENTS = '/api/v1/bells/attachments';

// The owners come first: until somebody chooses, it is for them. If a chosen device goes with a session, the option
// without a name is left.
const ROLES = [['role:owner', words.owners], ['role:keykeeper', words.keykeepers], ['role:member', words.members],
  ['role:owner,role:keykeeper,role:member', words.everybody]];

const number = new Intl.NumberFormat(locale);

function look({ platform, title, subtitle, body, buttons, others, bytes, limit, notes }) {
  const share = shareOf({ bytes, limit });
  return html`<li class="look" data-platform=${platform}>
    <h3>${words.platforms[platform] ?? platform}</h3>
    ${bytes === null ? '' : html`<p class="small quiet">${
    words.size(number.format(bytes), limit && number.format(limit))}${share === null ? ''
      : html` <meter value=${String(share)} high="0.9" aria-hidden="true"></meter>`}</p>`}
    ${title || subtitle || body ? html`<div class="looks-like">
      ${title ? html`<p class="bell-title">${title}</p>` : ''}
      ${subtitle ? html`<p class="bell-subtitle">${subtitle}</p>` : ''}
      ${body ? html`<p class="bell-body">${body}</p>` : ''}
      ${buttons.length ? html`<p class="actions">${buttons.map((one) => html`<span class="tag">${one}</span>`)}</p>`
    : ''}</div>` : ''}
    ${others.length ? html`<p class="small quiet">${words.others(others.join(', '))}</p>` : ''}
    ${notes.map((one) => html`<p class="small note">${words.notes[one] ?? one}</p>`)}</li>`;
}

function looks(preview) {
  const it = preview();
  if (it === undefined) return '';
  if (!it) return html`<p class="empty">${words.waiting}</p>`;
  return html`<p>${words.rings[it.rings]} ${it.stays ? words.stays : ''}</p>
    <ul class="looks">${it.platforms.map(look)}</ul>`;
}

function compose() {
  const { card, refresh } = underWay();
  const preview = signal(null); // undefined while the hub does not accept it
  const topics = signal([]);
  const sent = signal(null);
  const errors = formErrors();
  const devices = signal([]);
  const chosen = signal({}); // {payload or attachments, name}
  const worded = ({ fields }) => {
    if (!fields) return null;
    const { others } = faultsOf(fields);
    return others.length ? words.notAccepted(others.join(', ')) : words.marked;
  };
  const { doing, note, isBusy } = careful((error) => (error instanceof SyntaxError ? words.noPayload : worded(error)));
  const trouble = signal(''); // why there is no look; what is so at each pause is said once
  const people = signal([]);
  load('/api/v1/bells/topics').then((all) => topics.set(all.filter(({ room }) => !isHidden(room))), () => {});
  effect(() => {
    const whose = sender();
    for (const [known, url] of [[people, '/api/v1/people'], [devices, '/api/v1/bells/devices?all=1']]) {
      known.set([]); // what somebody was told who has signed out
      if (whose) load(url).then((all) => { if (whose === sender.peek()) known.set(all); }, () => {});
    }
  });
  const rung = computed(() => devices().filter((one) => one.channels.length));
  const markedBy = (error) => Object.fromEntries(Object.entries(faultsOf(error?.fields).placed)
    .map(([field, part]) => [field, chosen.peek().payload ? words.notWithFile : words.wrong[part]]));
  const valuesOf = (form) => Object.fromEntries(new FormData(form));

  let timer;
  let round = 0;
  let missed = null; // the form, if the hub could not be asked
  const ask = async (form) => {
    round += 1;
    const mine = round;
    const { content } = requestOf(valuesOf(form), chosen.peek());
    const isEmpty = !Object.keys(content).length;
    let found = null;
    let problem = null;
    if (!isEmpty) {
      try {
        found = await change('POST', `${SEND}/preview`, { content, language });
      } catch (error) {
        // Somebody who has begun with another field has not forgotten the title.
        if (Object.keys(error.fields ?? {}).join() !== 'content.silent') [found, problem] = [undefined, error];
      }
    }
    if (mine !== round) return; // something was typed meanwhile, for which it is asked once more
    missed = problem && !problem.fields ? form : null;
    preview.set(found);
    errors.set(markedBy(problem));
    const said = problem ? worded(problem) ?? await explain(problem) : '';
    if (mine === round) trouble.set(said);
  };
  effect(() => { if (line() === 'live' && missed) ask(missed); });
  const askNoMore = () => {
    clearTimeout(timer);
    round += 1;
  };
  let isTouched = false; // true if there is something that was not sent
  listening(window, ['beforeunload'], (event) => {
    if (isTouched) event.preventDefault(); // the browser asks in its own words
  });
  const typed = ({ currentTarget: form }) => {
    isTouched = true;
    round += 1;
    sent.set(null);
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE, form);
  };
  ending(() => clearTimeout(timer));
  const send = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    doing(async () => {
      askNoMore();
      errors.set({});
      const values = valuesOf(form);
      const { id } = await create(SEND, requestOf(values, chosen.peek())).catch((error) => {
        errors.show(markedBy(error), form);
        throw error;
      });
      askNoMore();
      isTouched = false;
      form.reset();
      form.elements.to.value = values.to; // whoever writes to somebody may go on writing to them
      chosen.set({});
      preview.set(null);
      trouble.set('');
      sent.set(id);
      refresh();
    });
  };
  const takeFile = ({ currentTarget: input }) => {
    const [form, [file]] = [input.form, input.files];
    input.value = '';
    if (!file) return;
    doing(async () => {
      if (/\.json$/i.test(file.name)) {
        chosen.set({ name: file.name, payload: payloadOf(await file.text()) });
      } else {
        const { blob, type } = await upload(ATTACHMENTS, file, undefined, 'POST');
        chosen.set({ name: file.name, attachments: [{ id: 'file', blob, type }] });
      }
      typed({ currentTarget: form });
    });
  };
  const dropFile = ({ currentTarget: { form } }) => {
    chosen.set({});
    typed({ currentTarget: form });
  };
  const about = { errors, optional: words.optional };
  const nameOf = ({ id, names, name }) => names?.[language] ?? name ?? id;
  const inFull = ({ name, person }) => [deviceName(name), people().find(({ id }) => id === person)?.name]
    .filter(Boolean).join(' · ');
  return html`<form class="card" @submit=${send} @input=${typed}>
      <div class="field"><label for="field-to">${words.to}</label><select id="field-to" name="to" required>
        <option value="" hidden></option>
        ${() => topics().map((one) => html`<option value=${`topic:${one.id}`}>${nameOf(one)}</option>`)}
        ${ROLES.map(([roles, name]) => html`<option value=${roles}
          selected=${roles === 'role:owner'}>${name}</option>`)}
        ${() => (rung().length ? html`<optgroup label=${words.devices}>${rung().map((one) =>
    html`<option value=${`device:${one.id}`}>${inFull(one)}</option>`)}</optgroup>` : '')}
      </select></div>
      ${textField('title', { label: words.subject, errors, longest: 300 })}
      ${areaField('body', { label: words.body, ...about, longest: 4000 })}
      <div class="field"><label for="field-level">${words.level}</label><select id="field-level" name="level">
        ${['', 'passive', 'time-sensitive', 'critical'].map((level) => html`<option value=${level}>${
    words.levels[level]}</option>`)}</select></div>
      <details><summary>${words.more}</summary><div class="fields">
      ${textField('buttons', { label: words.buttons, hint: words.buttonsHint, ...about, longest: 400 })}
      ${textField('url', { label: words.url, ...about, longest: 2000 })}
      ${textField('category', { label: words.category, hint: words.categoryHint, ...about, longest: 64 })}
      <div class="field"><span class="label">${words.file} <span class="optional">${words.optional}</span></span>
        <p class="hint">${words.fileHint}</p>
        <p class="row"><label class="button file-button"><span>${words.choose}</span><input type="file"
          accept="image/*,audio/*,video/*,.json" aria-label=${`${words.file}: ${words.choose}`}
          @input=${(event) => event.stopPropagation()} @change=${takeFile}></label>
        ${() => (chosen().name ? html`<span>${chosen().name}</span>
          <button class="button plain" type="button" @click=${dropFile}>${words.drop}</button>` : '')}</p></div>
      </div></details>
      ${note}${() => (sent() ? html`<p class="note" role="status">${words.sent}
        <a class="tall" href=${`/bells/${sent()}`}>${words.way}</a></p>` : '')}
      <p class="row"><button class="button primary" aria-busy=${() => isBusy() || null}>${words.send}</button></p>
    </form>
    <section class="card" aria-labelledby="looks-title"><h2 id="looks-title">${words.looks}</h2>
      ${() => (trouble() ? html`<p class="note" data-kind="bad" role="alert">${trouble()}</p>` : '')}${() =>
  looks(preview)}</section>${card}`;
}

element('bells-compose', () => {
  beginPage(() => words.title);
  startLive();
  tellUsable();
  // Once it is there, the form stays with all that was typed: a session or a role that ends is told when it is sent.
  let hasForm = false;
  const shown = computed(() => {
    hasForm ||= may('bells.send');
    if (hasForm) return 'form';
    if (!isSessionKnown() && !isInside()) return '';
    return session() === null ? 'stranger' : 'others';
  });
  return html`<header><a class="back" href="/bells">${words.back}</a><h1>${words.title}</h1>
    <p class="quiet">${words.lead}</p></header>${() => {
    const now = shown();
    if (now === 'form') return html`<div class="bells-two halves">${compose()}</div>`;
    return now && html`<section class="card"><p>${words.onlyOwners}</p>${now === 'stranger'
      ? html`<p class="row"><a class="button" href="/join">${shell.signIn}</a></p>` : ''}</section>`;
  }}`;
});
