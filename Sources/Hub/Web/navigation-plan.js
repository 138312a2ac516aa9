// The arrangement of the navigation: pure functions, without a page.

const PLACES = 5; // in a phone's bar
const ROOMS = 4; // rooms in it, beside "more"

/**
 * The rooms in a phone's navigation: {bar, more}. If all fit, they are in the bar; else the front room and up to three
 * more are, and the others are in "more", those that ring first.
 */
export function arranged(rooms, foot, rings = () => false) {
  if (rooms.length + foot.length <= PLACES) return { bar: [...rooms, ...foot], more: [] };
  const tucked = rooms.slice(ROOMS);
  return {
    bar: rooms.slice(0, ROOMS),
    more: [...tucked.filter(rings), ...tucked.filter((one) => !rings(one))],
  };
}
