// The arrangement of the navigation: pure functions, without a page.

export const PLACES = 5; // in a phone's bar
const ROOMS = 4; // rooms in it, beside "more"

/**
 * The rooms and what stands at the foot: {bar, more} of a phone. Where all fits into the bar, nothing is tucked away;
 * else the front room and up to three more stand there, and behind "more" what rings comes first.
 */
export function arranged(rooms, foot, rings = () => false) {
  if (rooms.length + foot.length <= PLACES) return { bar: [...rooms, ...foot], more: [] };
  const tucked = rooms.slice(ROOMS);
  return {
    bar: rooms.slice(0, ROOMS),
    more: [...tucked.filter(rings), ...tucked.filter((one) => !rings(one))],
  };
}
