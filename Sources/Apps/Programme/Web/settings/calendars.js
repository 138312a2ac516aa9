// The list of calendars with their states, so that owners see at once which cannot be read, and why.

import { each, ending, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { explain, why } from '/explain.js';
import { said } from '/moments.js';
import { idOf, noteInput, textField } from '/fields.js';
import { hubAhead } from '/keep.js';
import { change } from '/session.js';
import { upload } from '/upload.js';
import { calendarAddress, keptUploads, LONGEST, uploadID } from '/programme/settings/addresses.js';
import { words } from '/programme/settings/words.js';

const CALENDARS = '/api/v1/space/calendars';
const LOOK_EVERY = 3_000; // milliseconds, while a calendar is being read
const OURS = '#0b5585';

function calendarsPart({ calendars = [], timezone }, errors) {
  let counter = 0;
  const entry = (calendar) => ({ id: counter += 1, calendar });
  const entries = signal(calendars.map(entry));
  const states = signal([]);
  let timer;

  async function look() {
    clearTimeout(timer);
    try {
      const answer = await change('GET', CALENDARS);
      states.set(answer.calendars);
    } catch ({ status }) { // calendars can be edited without their states
      if (status < 500) return;
    }
    if (states.peek().some(({ looking }) => looking)) timer = setTimeout(look, LOOK_EVERY);
  }

  const stateOf = (calendar) => states().find((state) => state.kind === calendar.kind
    && ('url' in calendar ? state.url === calendar.url : state.id === calendar.id));

  function stateText(state) {
    if (state.looking) return words.state.looking;
    if (state.state === 'failing') return words.state.failing(why(state.reason, state.problem));
    if (!state.as_of) return words.state.new;
    return words.state.good(said(Date.parse(state.as_of), Date.now() + hubAhead(), timezone), state.events);
  }

  const looking = careful();
  const lookNow = (state) => () => looking.atOnce(async () => {
    await change('POST', `${CALENDARS}/refresh`, { calendar: state.calendar });
    look();
  });

  /** One as it is, several folded. */
  function warningsView({ warnings = [], warning_reasons: reasons = [] }) {
    const all = warnings.map((text, place) => () => why(reasons[place], text));
    if (all.length < 2) return all.map((text) => html`<p class="quiet">${text}</p>`);
    return html`<details class="quiet"><summary>${words.warnings(all.length)}</summary>
      <ul>${all.map((text) => html`<li>${text}</li>`)}</ul></details>`;
  }

  const stateView = (calendar) => () => {
    const state = stateOf(calendar);
    if (!state) return '';
    return html`<div class="calendar-state" data-state=${state.state}>
      <p role="status">${() => stateText(state)}</p>
      ${warningsView(state)}
      ${calendar.kind === 'upload' ? '' : html`<button type="button" class="button plain"
        @click=${lookNow(state)}>${words.look}</button>`}</div>`;
  };

  const nameOf = (id, key) => `calendar.${id}.${key}`;
  const remove = (id) => ({ currentTarget }) => {
    noteInput(currentTarget);
    entries.set(entries.peek().filter((one) => one.id !== id));
    document.getElementById('add-calendar')?.querySelector('button')?.focus();
  };

  const text = (id, key, about) => textField(nameOf(id, key), {
    label: words[key], hint: words[`${key}Hint`], errors, autocapitalize: 'none',
    spellcheck: 'false', ...about,
  });

  function color({ id, calendar }) {
    const field = idOf(nameOf(id, 'color'));
    return html`<div class="field"><label for=${field}>${words.color}
        <span class="optional">${words.optional}</span></label>
      <div class="color-row"><label class="check"><input type="checkbox" name=${nameOf(id, 'colored')}
        checked=${Boolean(calendar.color)}> ${words.ownColor}</label>
      <input type="color" id=${field} name=${nameOf(id, 'color')} value=${calendar.color ?? OURS}
        @input=${(event) => { event.target.form.elements[nameOf(id, 'colored')].checked = true; }}></div></div>`;
  }

  const bodies = {
    ics: ({ id, calendar }) => text(id, 'address', { value: calendar.url, inputmode: 'url', longest: LONGEST.url }),
    google: ({ id, calendar }) => html`${text(id, 'id', { value: calendar.id, longest: LONGEST.googleWord })}
      ${text(id, 'key', { value: calendar.key, longest: LONGEST.googleWord })}`,
    caldav: ({ id, calendar }) => html`${text(id, 'address', {
      value: calendar.url, inputmode: 'url', longest: LONGEST.url, hint: words.collectionHint,
    })}
      ${text(id, 'user', { value: calendar.user, longest: LONGEST.name, optional: words.optional })}
      ${text(id, 'password', { value: calendar.password, longest: LONGEST.name, optional: words.optional })}`,
    upload: (one) => fileButton(words.replace, one.calendar.id),
  };

  /** The calendar's own name; else a file's id, which is made of the file's name. */
  const called = (calendar) => calendar.name ?? stateOf(calendar)?.name
    ?? (calendar.kind === 'upload' ? calendar.id : '');

  const view = (one) => html`<div class="calendar" role="group" aria-label=${() =>
    [words.kinds[one.calendar.kind], called(one.calendar)].filter(Boolean).join(': ')}>
    <div class="calendar-head"><span class="row"><span class="tag">${words.kinds[one.calendar.kind]}</span>
        <strong>${() => called(one.calendar)}</strong></span>
      <button type="button" class="button plain danger" @click=${remove(one.id)}>${
  words.remove}<span class="visually-hidden">: ${() => called(one.calendar)}</span></button>
    </div>
    ${stateView(one.calendar)}
    ${bodies[one.calendar.kind](one)}
    <div class="fields">
      ${text(one.id, 'name', {
    value: one.calendar.name, optional: words.optional, longest: LONGEST.name, autocapitalize: 'words',
  })}
      ${color(one)}
    </div>
  </div>`;

  const add = (calendar, focus) => {
    const made = entry(calendar);
    entries.set([...entries.peek(), made]);
    setTimeout(() => document.getElementById(idOf(nameOf(made.id, focus)))?.focus());
  };

  /** Also what was removed from this form, or added to another owner's, until it is saved. */
  const taken = async () => {
    const { uploads } = await change('GET', CALENDARS);
    return [...entries.peek().map(({ calendar }) => calendar.id), ...keptUploads(uploads, Date.now())];
  };

  /** A button that uploads a file: for an existing calendar, or for a new one. */
  function fileButton(label, known) {
    const share = signal(null);
    const told = signal({ kind: '', text: '' });
    const send = async (event) => {
      const [file] = event.target.files;
      event.target.value = '';
      if (!file) return;
      told.set({ kind: '', text: '' });
      try {
        const id = known ?? uploadID(file.name, await taken());
        const answer = await upload(`${CALENDARS}/${id}`, file, share.set);
        const isSaved = stateOf({ kind: 'upload', id });
        told.set({ kind: 'good', text: `${words.uploaded(answer.events)} ${isSaved ? '' : words.notYet}` });
        if (!known) {
          add({ kind: 'upload', id }, 'name');
          noteInput(document.getElementById('add-calendar'));
        }
        look();
      } catch (error) {
        told.set({ kind: 'bad', text: `${words.uploadFailed} ${await explain(error, words.unsaved)}` });
      }
      share.set(null);
    };
    return html`<div><label class="button file-button"><span>${label}</span>
        <input type="file" accept=".ics,text/calendar" aria-label=${label}
          @input=${(event) => event.stopPropagation()} @change=${send}></label>
      ${() => (share() === null ? '' : html`<p><progress max="1" value=${share()} aria-label=${label}></progress>
        <span class="small">${words.sending(share())}</span></p>`)}
      ${() => (told().text ? html`<p class=${told().kind === 'bad' ? 'form-error' : 'small'} role="status">${
      told().text}</p>` : '')}</div>`;
  }

  return {
    view() {
      look();
      ending(() => clearTimeout(timer));
      return html`
        ${() => (entries().length ? '' : html`<p class="quiet">${words.none}</p>`)}
        <div>${each(entries, ({ id }) => id, view)}</div>
        <p class="error">${() => errors.of('calendars')}</p>${looking.note}
        <div class="field" id="add-calendar"><span class="label">${words.add}</span>
          <div class="row">
            <button type="button" class="button" @click=${() => add({ kind: 'ics', url: '' }, 'address')}>${
  words.addIcs}</button>
            ${fileButton(words.addUpload)}
            <button type="button" class="button" @click=${() => add({ kind: 'google', id: '', key: '' }, 'id')}>${
  words.addGoogle}</button>
            <button type="button" class="button" @click=${() => add({ kind: 'caldav', url: '' }, 'address')}>${
  words.addCalDAV}</button>
          </div></div>`;
    },

    take(wanted, wrong, form) {
      const value = (id, key) => form.elements[nameOf(id, key)]?.value.trim() ?? '';
      wanted.calendars = entries.peek().map(({ id, calendar }) => {
        const taken = { ...calendar };
        if (calendar.kind === 'ics') {
          taken.url = calendarAddress(value(id, 'address'));
          const isAddress = /^(https?:\/\/[^/]|file:.)/i.test(taken.url);
          if (!isAddress) wrong[nameOf(id, 'address')] = words.addressWrong;
        } else if (calendar.kind === 'caldav') {
          taken.url = value(id, 'address');
          if (!/^https?:\/\/[^/]/i.test(taken.url)) wrong[nameOf(id, 'address')] = words.collectionWrong;
          for (const key of ['user', 'password']) taken[key] = value(id, key) || null;
        } else if (calendar.kind === 'google') {
          for (const key of ['id', 'key']) {
            taken[key] = value(id, key);
            if (!taken[key]) wrong[nameOf(id, key)] = words.missing;
          }
        }
        delete taken.name;
        delete taken.color;
        if (value(id, 'name')) taken.name = value(id, 'name');
        if (form.elements[nameOf(id, 'colored')]?.checked) taken.color = value(id, 'color');
        return taken;
      });
    },

    /** The form's field for the hub's "calendars[1].url". */
    fieldOf(name) {
      const [, index, key] = /^calendars\[(\d+)\]\.(\w+)$/.exec(name) ?? [];
      const one = entries.peek()[index];
      return one ? nameOf(one.id, key === 'url' ? 'address' : key) : name;
    },
  };
}

/** When those who have subscribed are told of tonight and of what is new; an empty field is "off". */
function ringsPart(known, errors) {
  const times = [['tonight_at', words.tonightAt], ['news_at', words.newsAt]];
  return {
    view: () => html`<p class="hint">${words.ringHint}</p>
      <div class="fields">${times.map(([name, label]) => textField(name, {
    type: 'time', label, errors, value: known[name] === 'off' ? '' : known[name], optional: words.optional,
  }))}</div>`,
    take(wanted, _, form) {
      for (const [name] of times) wanted[name] = form.elements[name].value || 'off';
    },
  };
}

/** The room's section of the owner's form (/settings/place/settings.js). */
export const settings = {
  at: '/api/v1/space/settings',
  lead: words.lead,
  anchors: ['add-calendar'],
  fields: { calendars: words.title, tonight_at: words.tonightAt, news_at: words.newsAt },
  sections: [
    { order: 60, title: words.title, part: calendarsPart }, { order: 65, title: words.ringTitle, part: ringsPart },
  ],
};
