// What stands in the navigation, and where: worked out without a page.

export const PLACES = 5; // in the bar of a phone
const ROOMS = 4; // in it, beside "more"

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
