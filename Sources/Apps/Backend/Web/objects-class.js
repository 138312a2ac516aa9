// A class as its owner sees and changes it: fields with their rules, who may do what, rings, and the indexes. The card
// stays while the class changes: in its other parts there may be something that is typed and not saved yet.

import { computed, each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { HubError } from '/keep.js';
import { ask } from '/people/ask.js';
import {
  classes, classOf, countObjects, look, looked, readClass, readClasses, readObjects, removeClass, removeObjects,
  saveClass,
} from '/apps/objects-model.js';
import { fieldOf, grantOf, isParses, json, mayOf, NAME, ownOf, TYPES } from '/apps/objects-plan.js';
import { words } from '/apps/objects-words.js';
import { count } from '/apps/words.js';

const EXAMPLES = {
  rule: '{"min": 0, "max": 10} · {"minLength": 1, "maxLength": 80} · {"pattern": "^[A-Z]"} · '
    + '{"oneOf": ["red", "green"]} · {"dictionary": "german"}',
  rings: '[{"on": "create", "topic": "photos", "template": {"title": "A new photo", "body": "{{title}}"}}]',
  unique: '[["word", "round"]]',
};

const CHANGED = { code: 41201, error: 'Somebody has changed it meanwhile.', help: 'Reload the page.' };

const text = (value) => (value === undefined ? '' : JSON.stringify(value));

/** Saves what `make(schema)` makes of the class as the hub has it when it is its turn. */
const put = async (className, make) => saveClass(className, make(await readClass(className)));

/** A field of JSON with a button that saves it: `make(value, schema)` replaces a class's `part(schema)` as a whole. */
function jsonForm(label, isList, part, { className, schema, doing, say }, make) {
  const saved = signal('');
  const submit = (event) => {
    event.preventDefault();
    const typed = event.target.elements.json.value.trim();
    const { value, problem } = typed === '' ? {} : json(typed, isList);
    say(problem ? words.problems[problem] : '');
    saved.set('');
    if (problem) return;
    doing(async () => {
      const before = text(part(schema.peek())); // with this page's own changes, which were saved before this one
      await put(className, (now) => {
        if (text(part(now)) !== before) throw new HubError(412, CHANGED);
        return make(value, now);
      });
      saved.set(words.saved);
    });
  };
  return html`<form class="json-form" @submit=${submit}><textarea name="json" rows="2" spellcheck="false"
    aria-label=${label} .value=${computed(() => text(part(schema())))} @input=${() => saved.set('')}></textarea><button
    class="button">${words.save}</button><span class="saved" role="status">${saved}</span></form>`;
}

function fieldRow(name, card) {
  const field = (of) => of.fields?.[name] ?? {};
  const now = () => field(card.schema());
  const required = ({ target }) => {
    const isRequired = target.checked;
    card.doing(() => put(card.className, (of) => ({ fields: { [name]: { ...field(of), required: isRequired } } }))
      .finally(() => { target.checked = Boolean(now().required); }));
  };
  const head = html`<strong class="mono-text grow">${name}</strong><small>${() => (now().targetClass
    ? `${now().type} → ${now().targetClass}` : now().type)}</small>`;
  if (isParses(card.className, name)) return html`<li><div class="row">${head}</div></li>`;
  return html`<li><div class="row">${head}<label class="check"><input type="checkbox"
      aria-label=${words.isRequired(name)} .checked=${() => Boolean(now().required)} @change=${required}> ${
    words.required}</label></div>${
    jsonForm(words.ruleOf(name), false, (of) => field(of).rules, card, (rules, of) =>
      ({ fields: { [name]: { ...field(of), rules } } }))}</li>`;
}

function fieldForm({ className, doing }) {
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    const { fieldName, type } = form.elements;
    const [name, chosen] = [fieldName.value, fieldOf(type.value)];
    doing(async () => {
      await put(className, ({ fields }) => ({ fields: { [name]: { ...fields?.[name], ...chosen } } }));
      form.reset();
    });
  };
  const types = () => [...TYPES, ...(classes() ?? []).map((one) => `→ ${one.className}`)];
  return html`<form class="row" @submit=${submit}><label><span class="label">${words.newField}</span>
    <input name="fieldName" aria-required="true" maxlength="128" pattern=${NAME} title=${words.nameRule}
      autocomplete="off"></label>
    <label><span class="label">${words.type}</span><select name="type">${each(types, (one) => one, (one) =>
    html`<option selected=${one === TYPES[0]}>${one}</option>`)}</select></label><button class="button">${
    words.addField}</button></form>`;
}

function permissions(card) {
  const all = (of) => of.classLevelPermissions ?? {};
  const line = (action) => {
    const who = computed(() => mayOf(all(card.schema()), action));
    const choose = ({ target }) => {
      const grant = grantOf(target.value);
      if (!grant) return;
      card.doing(() => put(card.className, (of) => ({ classLevelPermissions: { ...all(of), [action]: grant } }))
        .finally(() => { target.value = who.peek(); }));
    };
    return html`<label class="field"><span class="label">${words.may[action]}</span><select @change=${choose}>${
      ['everybody', 'users', 'nobody'].map((one) => html`<option value=${one} .selected=${() => one === who()}>${
        words.who[one]}</option>`)}${() => (who() === 'some' ? html`<option value="some" .selected=${true}>${
      words.who.some}</option>` : '')}</select></label>`;
  };
  return html`<h3>${words.permissions}</h3><div class="fields">${Object.keys(words.may).map(line)}</div>
    <p class="small quiet">${words.allPermissions}</p>${jsonForm(words.allPermissions, false, all, card, (value) =>
  ({ classLevelPermissions: value ?? {} }))}`;
}

function indexes({ indexes: all = {} }) {
  const names = Object.keys(all);
  return names.length ? html`<ul>${names.map((name) =>
    html`<li><code>${name}</code> <small class="quiet">${text(all[name])}</small></li>`)}</ul>`
    : html`<p class="small quiet">${words.noIndexes}</p>`;
}

const isOpen = signal(false); // also of another class, which has a card of its own

export function classCard(className, acts) {
  const schema = computed(() => classOf(className) ?? {});
  const removing = careful(); // a button that is pressed twice asks once
  const drop = (title, yes, then) => () => removing.doing(() => acts.doing(async () => {
    const all = await countObjects(className);
    const text = words.goesWithIt(count(all));
    if (!await ask({ title: title(className), text, yes, no: words.cancel, danger: true })) return;
    if (all) await removeObjects(className);
    await then();
  }));
  const dropAll = drop(words.removeAllTitle, words.removeAllYes, readObjects);
  const dropClass = drop(words.removeClassTitle, words.removeYes, async () => {
    await removeClass(className);
    if (looked.peek() === className) look('');
    await readClasses();
  });
  const card = { ...acts, className, schema };
  const list = (name) => jsonForm(words[name], true, (of) => of[name], card, (value) => ({ [name]: value ?? [] }));
  return html`<details class="card class-card" open=${isOpen.peek()} @toggle=${({ target }) =>
    isOpen.set(target.open)}><summary>${words.about(className)}</summary>
    <p class="small quiet">${words.ruleHint} <code>${EXAMPLES.rule}</code></p>
    <ul class="class-fields">${each(() => ownOf(schema().fields ?? {}), (name) => name, (name) =>
    fieldRow(name, card))}</ul>${fieldForm(card)}
    ${permissions(card)}
    <h3>${words.unique}</h3><p class="small quiet">${words.uniqueHint} <code>${EXAMPLES.unique}</code></p>
    ${list('unique')}
    <h3>${words.rings}</h3><p class="small quiet">${words.ringsHint} <code>${EXAMPLES.rings}</code></p>
    ${list('rings')}
    <h3>${words.indexes}</h3>${() => indexes(schema())}
    <p class="row"><button class="button danger" type="button" @click=${dropAll}>${words.removeAll}</button>${
  className.startsWith('_') ? '' : html`<button class="button danger" type="button" @click=${dropClass}>${
    words.removeClass}</button>`}</p></details>`;
}
