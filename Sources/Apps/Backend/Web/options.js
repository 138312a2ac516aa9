// The options of an app: switches act at once; numbers and webhooks are saved.

import { computed, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { ask } from '/people/ask.js';
import { app, remove, save } from '/apps/model.js';
import { words as objects } from '/apps/objects-words.js';
import { words } from '/apps/words.js';

const HISTORY = { history_seconds: 120, history_events: 100 };
const SAID = 3_000; // milliseconds for which "Saved" stands there

const options = computed(() => app()?.options ?? {});
/** One option: what is typed elsewhere stays when another one changes. */
const option = (name) => computed(() => options()[name]);

function webhookForm(inTurn, saved) {
  const kinds = Object.keys(words.hooks);
  const add = (event) => {
    event.preventDefault();
    const form = event.target;
    inTurn(async () => {
      const events = kinds.filter((kind) => form.elements[kind].checked);
      const { url, batched } = form.elements;
      if (!url.value) return; // the button was pressed twice
      const hook = { url: url.value.trim(), events, batched: batched.checked };
      await save({ webhooks: [...options.peek().webhooks, hook] });
      form.reset();
      saved();
    });
  };
  return html`<form @submit=${add}><div class="field"><label for="hook-url">${words.address}</label>
      <input id="hook-url" name="url" type="url" aria-required="true" maxlength="2000"
        placeholder="https://"></div>
    <fieldset><legend>${words.tells}</legend><div class="kinds">${kinds.map((kind) => html`<label class="check">
      <input type="checkbox" name=${kind}> ${words.hooks[kind]}</label>`)}</div></fieldset>
    <label class="check"><input type="checkbox" name="batched"> ${words.batched}</label>
    <p class="row"><button class="button">${words.addWebhook}</button></p></form>`;
}

function webhookList(inTurn) {
  const drop = (hook) => inTurn(async () => {
    const all = options.peek().webhooks;
    const place = all.findIndex((one) => JSON.stringify(one) === JSON.stringify(hook));
    if (place >= 0) await save({ webhooks: all.filter((_, index) => index !== place) });
  });
  const all = computed(() => JSON.stringify(options().webhooks ?? []));
  const row = (hook) => html`<li><span class="grow"><strong>${hook.url}</strong><small>${
    hook.events.map((kind) => words.hooks[kind]).join(', ')}</small></span>
    <button class="button danger" type="button" @click=${() => drop(hook)}>${words.remove}
      <span class="visually-hidden">${hook.url}</span></button></li>`;
  return () => (all() === '[]' ? '' : html`<ul class="list">${JSON.parse(all()).map(row)}</ul>`);
}

export function optionsCard() {
  const { inTurn, note } = careful();
  const saved = signal('');
  let timer;
  const tell = (name) => {
    saved.set(name);
    clearTimeout(timer);
    timer = setTimeout(() => saved.set(''), SAID);
  };
  /** What could not be saved is taken back where it was chosen, or typed. */
  const put = (changed, undo, name = Object.keys(changed)[0]) => inTurn(async () => {
    try {
      await save(changed);
    } catch (error) {
      undo();
      throw error;
    }
    tell(name);
  });
  const mark = (name) => html`<span class="saved" role="status">${() => (saved() === name ? words.saved : '')}</span>`;
  const turn = (name, label, isOn = option(name), change = (on) => ({ [name]: on })) => html`
    <label class="switch"><span>${label} ${mark(name)}</span><input type="checkbox" role="switch" .checked=${isOn}
      @change=${({ target }) => put(change(target.checked), () => { target.checked = isOn.peek(); }, name)}></label>`;
  const number = (name, label, most) => html`<label class="field"><span class="label">${label} ${mark(name)}</span>
    <input type="number" min="0" max=${String(most)} required .value=${option(name)}
      @change=${({ target }) => {
    if (target.reportValidity()) {
      put({ [name]: Number(target.value) }, () => { target.value = options.peek()[name]; });
    }
  }}></label>`;
  const keeps = computed(() => options().history_seconds > 0 && options().history_events > 0);
  const end = async () => {
    const sure = await ask({
      title: words.deleteTitle(app.peek().name), text: words.deleteText, yes: words.deleteYes, no: words.cancel,
      danger: true,
    });
    if (!sure) return;
    inTurn(async () => {
      await remove();
      location.assign('/apps');
    });
  };
  const refused = signal(''); // why the hub does not take a network, which stays to be mended
  const networks = ({ target }) => inTurn(async () => {
    refused.set('');
    try {
      await save({ master_networks: target.value.split(/[\s,]+/).filter(Boolean) });
    } catch (error) {
      if (!error.fields) throw error;
      const { explainedFields } = await import('/errors.js');
      refused.set([...new Set(Object.values(explainedFields(error)))].join(' '));
      return;
    }
    tell('master_networks');
  });
  const rename = ({ target }) => {
    if (target.reportValidity()) put({ name: target.value.trim() }, () => { target.value = app.peek().name; });
  };
  return html`<section class="options card" aria-labelledby="options-title"><h2 id="options-title">${words.options}</h2>
    <label class="field"><span class="label">${words.rename} ${mark('name')}</span>
      <input required maxlength="100" autocomplete="off" .value=${computed(() => app().name)} @change=${rename}></label>
    ${turn('client_events', words.clientEvents)}${turn('subscription_count', words.subscriptionCount)}
    ${turn('authorized_connections', words.authorized)}
    ${turn('history_seconds', words.history, keeps,
    (on) => (on ? HISTORY : { history_seconds: 0, history_events: 0 }))}
    ${() => (keeps() ? html`<div class="fields">${number('history_seconds', words.historySeconds, 3600)}${
      number('history_events', words.historyEvents, 1000)}</div>` : '')}
    ${turn('user_channels', words.userChannels)}${turn('client_classes', objects.clientClasses)}
    <p class="small quiet">${objects.clientClassesHint}</p>
    ${turn('public_files', objects.publicFiles)}<p class="small quiet">${objects.publicFilesHint}</p>
    ${turn('verify_emails', objects.verifyEmails)}
    <div class="field"><label for="master-networks">${objects.masterNetworks} ${mark('master_networks')}</label>
      <input id="master-networks" autocomplete="off" spellcheck="false" placeholder="192.0.2.0/24"
        aria-describedby="master-networks-hint master-networks-error" aria-invalid=${() => (refused() ? 'true' : null)}
        .value=${computed(() => (options().master_networks ?? []).join(', '))} @change=${networks}>
      <p class="hint" id="master-networks-hint">${objects.masterNetworksHint}</p>
      <p class="error" id="master-networks-error" aria-live="assertive">${refused}</p></div>
    <h3>${words.limits} <small class="quiet">${words.limitsHint}</small></h3>
    <div class="fields">${number('connections', words.mostConnections, 1_000_000)}${
  number('messages_a_day', words.mostMessages, 1_000_000_000)}${
  number('objects', words.mostObjects, 1_000_000_000)}${
  number('object_megabytes', words.mostObjectMegabytes, 1_000_000)}${
  number('file_megabytes', words.mostFileMegabytes, 1_000_000)}${
  number('requests_a_second', words.mostRequests, 100_000)}</div>
    ${turn('enabled', words.enabled)}<p class="small quiet">${words.enabledHint}</p>
    <h3>${words.webhooks} ${mark('webhooks')}</h3><p class="small quiet">${words.webhooksAbout}</p>
    ${webhookList(inTurn)}${webhookForm(inTurn, () => tell('webhooks'))}${note}
    <p class="row"><button class="button danger" type="button" @click=${end}>${words.delete}</button></p></section>`;
}
