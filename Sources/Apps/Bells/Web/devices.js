// The devices that are rung for the signed-in person, with what each can do.

import { html, signal } from '/ui.js';
import { ask } from '/people/ask.js';
import { ago, deviceName } from '/people/told.js';
import { careful } from '/doing.js';
import { devices, removeDevice } from '/bells/model.js';
import { obstacle } from '/bells/push.js';
import { tryDevice, tryView } from '/bells/try.js';
import { words } from '/bells/words.js';

const MARKS = {
  yes: 'M5 12.5l4.5 4.5L19 7.5', no: 'M6 12h12', maybe: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 4v16',
};
const CAN = ['locked', 'offline', 'silent', 'sound', 'vibration', 'car'];

const can = (name, value = 'no') => html`<td data-name=${words.can[name]} role="cell"><span class="can"
  data-can=${value}>
  <svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d=${MARKS[value] ?? MARKS.maybe} /></svg>
  <span>${words.canWords[value] ?? value}</span></span></td>`;

function facts(device) {
  const all = [words.kinds[device.kind] ?? device.kind];
  if (!device.channels.length) all.push(words.doesNotRing);
  if (device.this) all.push(words.thisOne);
  else all.push(device.connected ? words.connected : words.seen(ago(device.seen_at)));
  return all.join(' · ');
}

export function devicesCard() {
  const { inTurn, note } = careful();
  const trying = careful(); // it may be followed for half a minute, and keeps nothing else waiting
  const trial = signal(null);
  const tried = signal(null); // the device that rings
  const remove = async (device) => {
    const sure = await ask({
      title: words.removeTitle(deviceName(device.name)), text: words.removeText, yes: words.remove, danger: true,
    });
    if (sure) inTurn(() => removeDevice(device.id));
  };
  const tryIt = async ({ id }) => {
    if (tried.peek() === id) return;
    tried.set(id);
    await trying.atOnce(() => tryDevice(trial, id));
    if (tried.peek() === id) tried.set(null);
  };
  const row = (device) => html`<tr role="row"><th scope="row" role="rowheader">${deviceName(device.name)}
      <small>${() => facts(device)}</small></th>${CAN.map((name) => can(name, device.can?.[name]))}
    <td class="act" role="cell">${device.channels.length ? html`<button class="button tight" type="button"
      aria-busy=${() => tried() === device.id || null} @click=${() => tryIt(device)}>${words.tryIt}<span
      class="visually-hidden">: ${deviceName(device.name)}</span></button>` : ''}
      ${device.this ? '' : html`<button class="button plain tight" type="button" @click=${() => remove(device)}>${
    words.remove}<span class="visually-hidden">: ${deviceName(device.name)}</span></button>`}</td></tr>`;
  return html`<section class="card devices" id="devices" aria-labelledby="devices-title">
    <h2 id="devices-title">${words.devices}</h2><p class="small quiet">${words.devicesText}</p>
    ${() => {
    const all = devices.value();
    if (!all) return '';
    if (!all.length) return html`<p class="empty">${words.noDevicesYet} ${obstacle() ? '' : words.beginHere}</p>`;
    return html`<table class="table" role="table" aria-labelledby="devices-title">
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${words.device}</th>${CAN.map((name) =>
    html`<th role="columnheader" scope="col">${words.can[name]}</th>`)}<th role="columnheader" scope="col"><span
      class="visually-hidden">${words.tryIt}</span></th></tr></thead>
      <tbody role="rowgroup">${all.map(row)}</tbody></table>`;
  }}${note}${trying.note}${tryView(trial)}</section>`;
}
