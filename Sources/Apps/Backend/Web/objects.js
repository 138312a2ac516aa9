// The objects of an app: its classes, and a table of one of them that one can page, sort, filter and edit.

import { computed, each, effect, ending, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { explain } from '/explain.js';
import { HubError } from '/keep.js';
import { ask } from '/people/ask.js';
import { drawing, icons } from '/apps/icons.js';
import { app } from '/apps/model.js';
import { classCard } from '/apps/objects-class.js';
import {
  addClass, addObject, asked, classes, columns, edited, found, look, looked, readClasses, readObjects, removeObject,
  saveObject, schema,
} from '/apps/objects-model.js';
import { cell, filterOf, NAME, nextOrder, OPERATORS, PAGE, parsed, typed } from '/apps/objects-plan.js';
import { words } from '/apps/objects-words.js';
import { count, locale } from '/apps/words.js';

const AGAIN = 10_000; // milliseconds between two looks
const LINES = 6; // of a text, at most, that are seen while it is edited

/** Parse's numbers, with words for whoever builds the app, are none of the hub's own. */
const worded = (error) =>
  (error instanceof HubError && error.code < 1000 ? words.refused(error.code, error.message) : null);

/** A cell that is edited after a press. Enter saves, Escape leaves it as it was, Shift and Enter begin a line. */
function valueCell(kept, column, { doing, say, save }) {
  const { name } = column;
  const text = computed(() => cell(kept(), column, locale));
  const kind = column.type === 'Number' ? 'num' : null;
  if (column.isFixed) return html`<td class=${kind}>${text}</td>`;
  const isEdited = signal(false);
  const label = words.edit(name, kept.peek().objectId);
  let opened; // what the control had at first: the browser writes line breaks in its own way
  let isLeft = false; // as it was, or saved; a row that goes takes nothing back
  const turn = (on) => {
    if (isEdited.peek() === on) return;
    isEdited.set(on);
    edited.set(edited.peek() + (on ? 1 : -1));
  };
  ending(() => turn(false));
  const close = (control) => {
    const place = control.closest('td');
    const isInside = document.activeElement === control;
    if (place) place.style.minWidth = `${place.offsetWidth}px`; // the cell that is being pressed stays where it is
    isLeft = true;
    turn(false);
    say('', control);
    if (isInside) queueMicrotask(() => place.querySelector('button')?.focus());
  };
  const keep = (control) => {
    if (!isEdited.peek()) return;
    if (control.value === opened) return close(control);
    const { value, problem } = parsed(control.value, column);
    if (problem) return say(words.problems[problem], control);
    say('', control);
    const className = looked.peek();
    return doing(async () => {
      if (isLeft) return; // saved already: Enter, then a press elsewhere
      await save(className, { [name]: value });
      close(control);
    });
  };
  const press = (event) => {
    const { key, target } = event;
    if (key === 'Escape') close(target);
    if (key !== 'Enter' || event.shiftKey) return;
    event.preventDefault(); // no line break
    keep(target);
  };
  const open = ({ target }) => {
    const place = target.closest('td');
    isLeft = false;
    turn(true);
    queueMicrotask(() => queueMicrotask(() => {
      const control = place.querySelector('input, textarea');
      opened = control?.value;
      control?.focus();
    }));
  };
  const field = () => {
    const before = typed(kept.peek()[name]);
    const leave = ({ target }) => keep(target);
    if (column.type !== 'String') {
      return html`<input aria-label=${label} .value=${before} @keydown=${press} @blur=${leave}>`;
    }
    return html`<textarea aria-label=${label} rows=${String(Math.min(LINES, before.split('\n').length))}
      .value=${before} @keydown=${press} @blur=${leave}></textarea>`;
  };
  return html`<td class=${() => (isEdited() ? 'editing' : kind)}>${() => (isEdited() ? field()
    : html`<button type="button" class="cell" aria-label=${() => `${label}: ${text() || words.nothing}`}
      @click=${open}>${() => text() || html`<i class="none">${words.nothing}</i>`}</button>`)}</td>`;
}

function row(object, acts) {
  const kept = signal(object);
  const save = async (className, changed) => {
    await saveObject(className, object, changed);
    kept.set({ ...object });
  };
  const drop = async () => {
    const name = looked.peek();
    const sure = await ask({
      title: words.removeTitle(object.objectId), text: words.removeText, yes: words.removeYes, no: words.cancel,
      danger: true,
    });
    if (sure) {
      acts.doing(async () => {
        await removeObject(name, object.objectId);
        await readObjects();
      });
    }
  };
  return html`<tr><th scope="row">${object.objectId}</th>${columns.peek().slice(1).map((column) =>
    valueCell(kept, column, { ...acts, save }))}<td><button type="button" class="cell" aria-label=${
    words.removeOne(object.objectId)} @click=${drop}>${words.remove}</button></td></tr>`;
}

const sorted = (name) => {
  const { order } = asked();
  if (order === name) return 'ascending';
  return order === `-${name}` ? 'descending' : null;
};

function table(acts) {
  const sort = (name) => asked.set({ ...asked.peek(), order: nextOrder(asked.peek().order, name), skip: 0 });
  const head = ({ name, type, target }) => (name === 'ACL' ? html`<th scope="col">${name}</th>`
    : html`<th scope="col" class=${type === 'Number' ? 'num' : null}
    aria-sort=${() => sorted(name)}><button type="button" class="cell" @click=${() => sort(name)}>${name} <small>${
  target ? `→ ${target}` : type}</small></button></th>`);
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label=${() => words.tableOf(looked())}>
    <table><thead><tr>${columns().map(head)}<td></td></tr></thead>
      <tbody>${each(() => found()?.results ?? [], ({ objectId }) => objectId, (object) => row(object, acts))}</tbody>
    </table></div>`;
}

function filter(say) {
  const submit = (event) => {
    event.preventDefault();
    const { field, operator, value } = event.target.elements;
    const column = columns.peek().find(({ name }) => name === field.value);
    const isAll = operator.value === 'is' && value.value === ''; // nothing was chosen yet
    const made = isAll ? { value: null } : filterOf(column, operator.value, value.value);
    say(made.problem ? words.problems[made.problem] : '');
    if (!made.problem) asked.set({ ...asked.peek(), where: made.value, skip: 0 });
  };
  return html`<form class="object-filter" @submit=${submit}>
    <label><span>${words.field}</span><select name="field">${columns()
    .filter(({ name }) => name !== 'ACL').map(({ name }) => html`<option>${name}</option>`)}</select></label>
    <label><span>${words.operator}</span><select name="operator">${OPERATORS.map((one) =>
  html`<option value=${one}>${words.operators[one]}</option>`)}</select></label>
    <label><span>${words.value}</span><input name="value" autocomplete="off"></label>
    <button class="button">${drawing(icons.find)}${words.filter}</button>
    ${() => (asked().where ? html`<button class="button" type="button" @click=${() =>
    asked.set({ ...asked.peek(), where: null, skip: 0 })}>${words.unfilter}</button>` : '')}</form>`;
}

function paging() {
  const turn = (by) => asked.set({ ...asked.peek(), skip: Math.max(0, asked.peek().skip + by) });
  // Not `disabled`: whoever turns to the last page would lose the focus.
  const button = (label, by, isOff) => html`<button type="button" class="button" aria-disabled=${String(isOff)}
    @click=${() => isOff || turn(by)}>${label}</button>`;
  // Equal words are no news: a screen reader is told of what changes.
  const range = computed(() => {
    if (!found()) return '';
    const { results, count: all, question: { skip, where } } = found();
    if (!all) return where ? words.empty : words.noObject;
    return words.range(count(skip + 1), count(skip + results.length), count(all));
  });
  return html`<div class="row paging"><p class="small quiet" role="status">${range}</p>${() => {
    const { results, count: all } = found() ?? {};
    const { skip } = asked();
    return all > PAGE ? html`${button(words.before, -PAGE, skip === 0)}${
      button(words.after, PAGE, skip + results.length >= all)}` : '';
  }}</div>`;
}

function adding({ doing, say }) {
  const making = careful();
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const className = looked.peek();
    const fields = {};
    for (const column of columns.peek().filter(({ isFixed }) => !isFixed)) {
      const text = form.elements[`new-${column.name}`].value;
      const { value, problem } = parsed(text, column);
      if (problem) {
        say(`${column.name}: ${words.problems[problem]}`);
        return;
      }
      if (text !== '') fields[column.name] = value;
    }
    say('');
    making.doing(() => doing(async () => {
      await addObject(className, fields);
      form.reset();
      await readObjects();
    }));
  };
  return html`<details class="card"><summary>${words.add}</summary><form @submit=${submit}>
    <div class="fields">${columns().filter(({ isFixed }) => !isFixed).map(({ name, type, target }) => html`
      <label class="field"><span class="label">${name} <small class="quiet">${
  target ? `→ ${target}` : type}</small></span>
        ${type === 'String' ? html`<textarea name=${`new-${name}`} rows="1"></textarea>`
    : html`<input name=${`new-${name}`} autocomplete="off">`}</label>`)}</div>
    <p class="row"><button class="button primary" aria-busy=${() => making.isBusy() || null}>${
  words.addIt}</button></p></form></details>`;
}

function classForm({ doing }) {
  const making = careful();
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const name = form.elements.className.value.trim();
    making.doing(() => doing(async () => {
      await addClass(name);
      form.reset();
      await readClasses();
      look(name);
    }));
  };
  return html`<form class="row" @submit=${submit}><label class="grow"><span class="visually-hidden">${
    words.newClass}</span><input name="className" aria-required="true" maxlength="128"
    pattern=${NAME} title=${words.nameRule} autocomplete="off" placeholder=${words.newClass}></label>
    <button class="button" aria-busy=${() => making.isBusy() || null}>${words.addClass}</button></form>`;
}

const lines = () => `<script src="parse.min.js"></script>
<script>
Parse.initialize('${app().application_id}', '${app().rest_key}');
Parse.serverURL = '${location.origin}/parse';
new Parse.Object('Note').save({ text: 'Ahoy' });
</script>`;

export function objectsPart() {
  // Acts of the reader, one behind the other; none is dropped.
  const { inTurn: doing, note, clear } = careful(worded);
  const trouble = signal('');
  // An error that comes at every look is said once: it would be read aloud again each time.
  const reading = async (act) => {
    try {
      if (await act() !== false) trouble.set('');
    } catch (error) {
      trouble.set(worded(error) ?? await explain(error));
    }
  };
  const problem = signal('');
  let about; // the cell's control that the text is about: while others are edited, it alone takes the text back
  const say = (text, control) => {
    if (!text && control && edited.peek() && control !== about) return;
    for (const [name, value] of [['aria-invalid', 'true'], ['aria-describedby', 'object-problem']]) {
      about?.removeAttribute(name);
      if (text) control?.setAttribute(name, value);
    }
    about = control;
    clear();
    problem.set(text);
  };
  const acts = { doing, say };
  effect(() => {
    looked();
    say('');
  });
  effect(() => {
    const again = () => {
      if (document.hidden || edited.peek()) return;
      reading(async () => {
        await readClasses();
        await readObjects();
      });
    };
    again();
    const timer = setInterval(again, AGAIN);
    ending(() => clearInterval(timer));
  });
  effect(() => {
    asked();
    edited(); // what waited until the last cell was left is read now
    if (looked()) reading(readObjects);
  });
  const shown = computed(() => schema()?.className ?? '');
  const tab = ({ className }) => html`<button type="button" aria-pressed=${() => String(looked() === className)}
    @click=${() => look(className)}>${className}</button>`;
  return html`<section class="objects" aria-labelledby="objects-title">
    <header class="log-head"><h2 id="objects-title">${words.objects}</h2>
      <div class="class-tabs" role="group" aria-label=${words.classes}>${
  each(() => classes() ?? [], ({ className }) => className, tab)}</div></header>
    ${() => (classes()?.length === 0 ? html`<p class="quiet small">${words.none}</p>
      <p class="small" id="save-lines">${words.connect}</p><pre class="lines" tabindex="0" role="group"
        aria-labelledby="save-lines"><code>${lines()}</code></pre>` : '')}
    ${() => (trouble() ? html`<p class="note" data-kind="bad" role="alert">${trouble()}</p>` : '')}
    ${note}<p class="form-error" id="object-problem" aria-live="assertive">${problem}</p>
    ${() => (columns().length ? html`${filter(say)}${table(acts)}${paging()}${adding(acts)}` : '')}
    ${() => (shown() ? classCard(shown(), acts) : '')}
    ${classForm(acts)}</section>`;
}
