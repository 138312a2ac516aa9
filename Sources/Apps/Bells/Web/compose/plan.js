// A notification that somebody writes on the page, without a page: pure functions.

/** The titles of buttons, which are written with commas between, as actions. */
export const actionsOf = (text) => text.split(',').map((title) => title.trim()).filter(Boolean)
  .map((title, index) => ({ id: `action-${index + 1}`, title }));

/**
 * A request to the hub, of the form's fields, without empty ones. `to` is spelt as for commands, topic:space, with
 * commas between several. A file brings the rest: `payload`, a content or a whole request, in which the fields take the
 * place of its own members, and which says itself whether it sounds; and `attachments`.
 */
export function requestOf({
  to = '', title = '', body = '', url = '', category = '', level = '', buttons = '',
}, { payload = {}, attachments = [] } = {}) {
  const actions = actionsOf(buttons);
  const parts = {
    title: title.trim(), body: body.trim(), url: url.trim(), category: category.trim(), interruption_level: level,
    actions: actions.length ? actions : '', attachments: attachments.length ? attachments : '',
  };
  const { content: within, ...request } = payload.content ? payload : { content: payload };
  const typed = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
  const isSpoken = typed.title || typed.body;
  const sound = isSpoken && level !== 'passive' && !Object.keys(payload).length ? { sound: 'default' } : {};
  const targets = to.split(',').map((one) => {
    const [kind, ...rest] = one.split(':');
    return { [kind]: rest.join(':') };
  });
  const recipients = targets.length > 1 ? targets : targets[0];
  return { ...request, ...(to ? { to: recipients } : {}), content: { ...within, ...typed, ...sound } };
}

const FIELDS = { title: 'title', body: 'body', url: 'url', category: 'category', actions: 'buttons', silent: 'title' };

/**
 * What the hub does not accept, of its errors of fields: `placed` has the parts of a content by the form's fields, and
 * `others` the hub's names of what stands in no field. A content that shows nothing is said of its member `silent`.
 */
export function faultsOf(fields = {}) {
  const [placed, others] = [{}, []];
  for (const name of Object.keys(fields)) {
    const part = /^content\.(\w+)/.exec(name)?.[1];
    if (FIELDS[part]) placed[FIELDS[part]] ??= part;
    else others.push(name);
  }
  return { placed, others };
}

/** The payload in a file's text. Throws for what is no object in JSON. */
export function payloadOf(text) {
  const payload = JSON.parse(text);
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) throw new SyntaxError('No object');
  return payload;
}

/** How much of a limit a message takes, from 0 to 1; null without a limit. */
export const shareOf = ({ bytes, limit }) => (limit ? Math.min(1, bytes / limit) : null);
