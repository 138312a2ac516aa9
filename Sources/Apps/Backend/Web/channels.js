// The channels that somebody listens to, with their members; without any, the lines that connect a page.

import { each, html } from '/ui.js';
import { kindOf } from '/apps/logbook.js';
import { app, channels, chosen } from '/apps/model.js';
import { words } from '/apps/words.js';

const NAMED = 6; // members that are named in a row

function about({ name, members, users }) {
  const kind = words.kinds[kindOf(name)];
  if (!members?.length) return kind;
  const named = members.slice(0, NAMED);
  return words.members(named.join(', '), users - named.length); // the hub does not list all
}

const row = (channel) => html`<li aria-current=${() => (chosen() === channel.name ? 'true' : null)}>
  <button type="button" @click=${() => chosen.set(channel.name)}><span class="mono-text">${channel.name}</span>
    <small>${about(channel)}</small></button><b>${String(channel.subscriptions)}</b></li>`;

const lines = () => `<script src="pusher.min.js"></script>
<script>
const pusher = new Pusher('${app().key}', { cluster: 'x', wsHost: '${location.hostname}',
  wsPort: ${location.port || 80}, wssPort: ${location.port || 443}, forceTLS: ${location.protocol === 'https:'},
  enabledTransports: ['ws'] });
pusher.subscribe('lobby').bind_global(console.log);
</script>`;

export const channelList = () => html`<section class="channels" aria-labelledby="channels-title">
  <h2 id="channels-title">${words.channels} <small class="quiet">${() =>
  (channels().count ? words.inUse(channels().count) : '')}</small></h2>
  ${() => (channels().count ? '' : html`<p class="quiet small">${words.noChannels}</p>
    <p class="small" id="connect">${words.connect}</p>
    <pre class="lines" tabindex="0" role="group" aria-labelledby="connect"><code>${lines()}</code></pre>`)}
  <ul>${each(() => channels().channels, ({ name }) => name, row)}</ul></section>`;
