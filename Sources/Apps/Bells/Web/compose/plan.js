// A notification that somebody writes on the page, without a page: pure functions.

/** The titles of buttons, which are written with commas between, as actions. */
export const actionsOf = (text) => text.split(',').map((title) => title.trim()).filter(Boolean)
  .map((title, index) => ({ id: `action-${index + 1}`, title }));

/** A request to the hub, of the form's fields, without empty ones. `to` is spelt as for commands: topic:space. */
export function requestOf({ to = '', title = '', body = '', url = '', category = '', level = '', buttons = '' }) {
  const actions = actionsOf(buttons);
  const parts = {
    title: title.trim(), body: body.trim(), url: url.trim(), category: category.trim(), interruption_level: level,
    actions: actions.length ? actions : '',
  };
  const content = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
  const [kind, ...rest] = to.split(':');
  return { ...(to ? { to: { [kind]: rest.join(':') } } : {}), content };
}

/** How much of a limit a message takes, from 0 to 1; null without a limit. */
export const shareOf = ({ bytes, limit }) => (limit ? Math.min(1, bytes / limit) : null);
