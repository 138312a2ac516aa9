// A class as its owner sees and changes it: fields with their rules, who may do what, rings, and the indexes.

import { html, signal } from '/ui.js';
import { ask } from '/people/ask.js';
import { look, readClasses, removeClass, saveClass } from '/apps/objects-model.js';
import { grantOf, json, mayOf, ownOf } from '/apps/objects-plan.js';
import { words } from '/apps/objects-words.js';

const EXAMPLES = {
  rule: '{"min": 0, "max": 10} · {"minLength": 1, "maxLength": 80} · {"pattern": "^[A-Z]"} · '
    + '{"oneOf": ["red", "green"]} · {"dictionary": "german"}',
  rings: '[{"on": "create", "topic": "photos", "template": {"title": "A new photo", "body": "{{title}}"}}]',
  unique: '[["word", "round"]]',
};

const text = (value) => (value === undefined ? '' : JSON.stringify(value));

/** A field of JSON with a button that saves it; `take` gets its value, undefined if it is empty. */
function jsonForm(label, value, isList, { doing, say }, take) {
  const saved = signal('');
  const submit = (event) => {
    event.preventDefault();
    const typed = event.target.elements.json.value.trim();
    const { value: now, problem } = typed === '' ? {} : json(typed, isList);
    say(problem ? words.problems[problem] : '');
    saved.set('');
    if (problem) return;
    doing(async () => {
      await take(now);
      await readClasses();
      saved.set(words.saved);
    });
  };
  return html`<form class="json-form" @submit=${submit}><textarea name="json" rows="2" spellcheck="false"
    aria-label=${label} .value=${text(value)}></textarea><button class="button">${words.save}</button>
    <span class="saved" role="status">${saved}</span></form>`;
}

function fieldRow(name, field, acts) {
  const put = (changed) => saveClass({ fields: { [name]: { ...field, ...changed } } });
  const required = ({ target }) => acts.doing(async () => {
    await put({ required: target.checked });
    await readClasses();
  });
  return html`<li><div class="row"><strong class="mono-text grow">${name}</strong><small>${field.targetClass
    ? `${field.type} → ${field.targetClass}` : field.type}</small><label class="check"><input type="checkbox"
      aria-label=${words.isRequired(name)} .checked=${Boolean(field.required)} @change=${required}> ${
    words.required}</label></div>${
    jsonForm(words.ruleOf(name), field.rules, false, acts, (rules) => put({ rules }))}</li>`;
}

function permissions({ classLevelPermissions: all = {} }, acts) {
  const choose = (action) => ({ target }) => {
    const grant = grantOf(target.value);
    if (!grant) return;
    acts.doing(async () => {
      await saveClass({ classLevelPermissions: { ...all, [action]: grant } });
      await readClasses();
    });
  };
  const line = (action) => {
    const who = mayOf(all[action]);
    const choices = ['everybody', 'users', 'nobody', ...(who === 'some' ? ['some'] : [])];
    return html`<label class="field"><span class="label">${words.may[action]}</span><select @change=${choose(action)}>${
      choices.map((one) => html`<option value=${one} .selected=${one === who}>${words.who[one]}</option>`)}</select>
      </label>`;
  };
  return html`<h3>${words.permissions}</h3><div class="fields">${Object.keys(words.may).map(line)}</div>
    <p class="small quiet">${words.allPermissions}</p>${jsonForm(words.allPermissions, all, false, acts, (now) =>
  saveClass({ classLevelPermissions: now ?? {} }))}`;
}

function indexes({ indexes: all = {} }) {
  const names = Object.keys(all);
  return html`<h3>${words.indexes}</h3>${names.length ? html`<ul>${names.map((name) =>
    html`<li><code>${name}</code> <small class="quiet">${text(all[name])}</small></li>`)}</ul>`
    : html`<p class="small quiet">${words.noIndexes}</p>`}`;
}

const isOpen = signal(false); // also after a change, which draws the card anew

export function classCard(schema, acts) {
  const { className, fields } = schema;
  const drop = async () => {
    const sure = await ask({
      title: words.removeClassTitle(className), text: words.removeClassText, yes: words.removeYes, no: words.cancel,
      danger: true,
    });
    if (!sure) return;
    acts.doing(async () => {
      await removeClass();
      look('');
      await readClasses();
    });
  };
  return html`<details class="card class-card" open=${isOpen.peek()} @toggle=${({ target }) =>
    isOpen.set(target.open)}><summary>${words.about(className)}</summary>
    <p class="small quiet">${words.ruleHint} <code>${EXAMPLES.rule}</code></p>
    <ul class="class-fields">${ownOf(fields).map((name) => fieldRow(name, fields[name], acts))}</ul>
    ${permissions(schema, acts)}
    <h3>${words.unique}</h3><p class="small quiet">${words.uniqueHint} <code>${EXAMPLES.unique}</code></p>
    ${jsonForm(words.unique, schema.unique, true, acts, (unique) => saveClass({ unique: unique ?? [] }))}
    <h3>${words.rings}</h3><p class="small quiet">${words.ringsHint} <code>${EXAMPLES.rings}</code></p>
    ${jsonForm(words.rings, schema.rings, true, acts, (rings) => saveClass({ rings: rings ?? [] }))}
    ${indexes(schema)}
    ${className.startsWith('_') ? '' : html`<p class="row"><button class="button danger" type="button" @click=${drop}>${
      words.removeClass}</button></p>`}</details>`;
}
