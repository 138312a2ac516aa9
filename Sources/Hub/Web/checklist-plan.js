// The logic of the owner's checklist, without a page: the hub's own steps and those that rooms add.

/**
 * Steps with the same id become one: its `to` is the first that is given, and it is done when any of them is. The
 * `hint` is the hub's, or else those of the rooms together; of several rooms, `ways` has each one's {hint, to}. A step
 * that nobody can do is left out.
 *
 * `own` are the hub's steps, `added` the rooms': {id, order, room, text, hint, to, isDone}. Steps of rooms that are not
 * in `shown`, a list of ids in their order, are left out; `isDone` returns undefined while unknown.
 */
export function stepsOf(own, added, shown, or) {
  const place = ({ room }) => (shown.includes(room) ? shown.indexOf(room) : shown.length);
  const theirs = added.filter(({ room }) => shown.includes(room))
    .sort((one, other) => place(one) - place(other));
  const ids = new Set([...own, ...theirs].map(({ id }) => id));
  const found = [...ids].map((id) => {
    const ofRooms = theirs.filter((step) => step.id === id);
    const all = [...own.filter((step) => step.id === id), ...ofRooms];
    const some = all.filter(({ isDone }) => isDone);
    const hinted = ofRooms.filter(({ hint }) => hint);
    return some.length === 0 ? null : {
      ...Object.assign({}, ...[...all].reverse()),
      ...(hinted.length ? { hint: hinted.map(({ hint }) => hint).join(or) } : {}),
      ways: hinted.length > 1 ? hinted.map(({ hint, to }) => ({ hint, to })) : [],
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
