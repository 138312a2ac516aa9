// The owner's checklist, of the hub's own steps and those that rooms add: worked out without a page.

/**
 * Steps of one id are one: it leads where the first of them leads that says so, and is done when any of them is. What
 * `hint` stands below it, the hub says, or the rooms together. A step that nobody can do is none.
 *
 * `own` are the hub's, `added` the rooms': {id, order, room, isEver, text, hint, to, isDone}. Those of rooms that are
 * not among `shown`, a list of ids in their order, are left out unless they are `isEver`; `isDone` answers undefined
 * while it is not known.
 */
export function stepsOf(own, added, shown, or) {
  const place = ({ room }) => (shown.includes(room) ? shown.indexOf(room) : shown.length);
  const theirs = added.filter(({ room, isEver }) => isEver || shown.includes(room))
    .sort((one, other) => place(one) - place(other));
  const ids = new Set([...own, ...theirs].map(({ id }) => id));
  const found = [...ids].map((id) => {
    const ofRooms = theirs.filter((step) => step.id === id);
    const all = [...own.filter((step) => step.id === id), ...ofRooms];
    const some = all.filter(({ isDone }) => isDone);
    const hints = ofRooms.map(({ hint }) => hint).filter(Boolean);
    return some.length === 0 ? null : {
      ...Object.assign({}, ...[...all].reverse()),
      ...(hints.length ? { hint: hints.join(or) } : {}),
      to: all.find(({ to }) => to)?.to ?? '',
      isDone() {
        const answers = some.map(({ isDone }) => isDone());
        return answers.includes(true) || (answers.includes(undefined) ? undefined : false);
      },
    };
  });
  const order = (step) => step.order ?? 50;
  return found.filter(Boolean).sort((one, other) => order(one) - order(other));
}
