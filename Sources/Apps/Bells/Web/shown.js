// What is shown of a notification, on pages and by the service worker: what the rules say, in the reader's language and
// with its actions; its texts alone where the rules do not come in time, or do not accept it.

/** Milliseconds for which the rules are waited for: something that rings is not held up by a slow network. */
export const PATIENCE = 1_000;

/** A content that the hub has checked, in a language, as the rules have it: other members, none for null. */
export const inLanguage = (whole, language) => ({ ...whole, ...whole.localized?.[language] });

/** Without the rules: a tap leads to the list, where all else is. */
function plain(whole, language) {
  const { title, subtitle, body } = inLanguage(whole, language);
  return {
    content: { title, subtitle, body }, actions: [], buttons: [],
    rings: true, stays: false, vibration: false, badge: false,
  };
}

/**
 * {content} in a language, its `actions`, the `buttons` among them for which there is `room`, and how a device presents
 * it ({rings, stays, vibration, badge}) in the `state` in which it comes.
 */
export function shownBy(rules, whole, { language, room, state }) {
  if (!rules) return plain(whole, language);
  try {
    const content = rules.localized(whole, language);
    const { banner, all: actions } = rules.actions(content, { buttons: room });
    // Where notifications are not allowed, none comes here.
    const { rings, stays, vibration, badge } = rules.present(content, {
      settings: { authorization: 'authorized' }, state,
    });
    return { content, actions, buttons: actions.slice(0, banner.length), rings, stays, vibration, badge };
  } catch (error) {
    console.error(error);
    return plain(whole, language);
  }
}
