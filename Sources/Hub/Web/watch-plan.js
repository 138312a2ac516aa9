// Which rooms have something to say on a front room: worked out without a page.

const WANTS_A_LOOK = ['warn', 'bad'];

/**
 * The rooms whose card stands there, in the order of the navigation; what wants a look comes first. What the page shows
 * by itself (`shown`, a set of rooms) stands there only if it wants a look, too.
 */
export function onWatch(rooms, stateOf, shown = new Set()) {
  const wants = ({ id }) => WANTS_A_LOOK.includes(stateOf(id).lamp);
  const said = rooms.filter((room) => stateOf(room.id)?.card && (!shown.has(room.id) || wants(room)));
  return [...said.filter(wants), ...said.filter((room) => !wants(room))];
}
