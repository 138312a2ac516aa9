// Selects the rooms with a card on a front room: pure functions, without a page.

const WANTS_A_LOOK = ['warn', 'bad'];

/**
 * The rooms that have a card, in the order of the navigation, those that need attention first. Rooms in `shown` (a
 * set), which the page shows itself, have one only if they need attention.
 */
export function onWatch(rooms, stateOf, shown = new Set()) {
  const wants = ({ id }) => WANTS_A_LOOK.includes(stateOf(id).lamp);
  const said = rooms.filter((room) => stateOf(room.id)?.card && (!shown.has(room.id) || wants(room)));
  return [...said.filter(wants), ...said.filter((room) => !wants(room))];
}
