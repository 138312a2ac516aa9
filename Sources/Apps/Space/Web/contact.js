// Turns contacts of spaces into addresses that may be opened.

import { isWeb } from '/addresses.js';

/** Another space's name, or its host while that is unknown. */
export function spaceName({ name, url }) {
  if (name || !isWeb(url)) return name || url;
  return new URL(url).host.replace(/^www\./, ''); // with its port, unless that is the default
}

const isMail = (value) => /^[^\s@:/]+@[^\s@:/]+$/.test(value);
const mail = (value) => (isMail(value) ? `mailto:${value}` : null);
const scheme = (...names) => (value) => (names.includes(value.split(':')[0].toLowerCase()) ? value : null);
const web = (value) => (isWeb(value) ? value : null);

/** The address for each key of SpaceAPI's contact; null for an invalid value. */
const links = {
  email: mail,
  ml: (value) => mail(value) ?? web(value),
  issue_mail: mail,
  phone: (value) => (/^\+?[\d\s()/.-]+$/.test(value) ? `tel:${value.replace(/[^\d+]/g, '')}` : null),
  sip: scheme('sip', 'sips'),
  irc: scheme('irc', 'ircs'),
  xmpp: (value) => scheme('xmpp')(value) ?? (isMail(value) ? `xmpp:${value}` : null),
  mumble: scheme('mumble'),
  gopher: scheme('gopher'),
  matrix: (value) => (/^[#@!+][^\s]+:[^\s]+$/.test(value) ? `https://matrix.to/#/${encodeURIComponent(value)}` : null),
  mastodon: (value) => {
    const [, user, host] = /^@?([\w.]+)@([\w.-]+)$/.exec(value) ?? [];
    return host ? `https://${host}/@${user}` : null;
  },
  twitter: (value) => (/^@?\w+$/.test(value) ? `https://twitter.com/${value.replace('@', '')}` : null),
};

/** The address of a contact, or null to show it as text. */
export const contactLink = (key, value) => links[key]?.(value) ?? web(value);
