// The hub's answers about an album's pictures, page by page.

const MOST = 500; // pictures of one answer
const FEWEST = 60; // where the line is too slow for more

/**
 * Makes the function that asks for an album's pictures: `pages(query, asking)` gives the answers to a query such as
 * 'mine=1&' one after the other, and calls `asking()` before each question. After a time-out it asks for fewer.
 */
export function pagesOf(album) {
  let most = MOST;
  return async function* pages(query = '', asking = () => {}) {
    let after = '';
    do {
      asking();
      const answer = await album.ask('GET', `/pictures?${query}limit=${most}${after}`).catch((error) => {
        // Some browsers call a time-out an AbortError.
        if (/^(Timeout|Abort)Error$/.test(error.name)) most = Math.max(FEWEST, Math.floor(most / 2));
        throw error;
      });
      after = answer.next ? `&after=${encodeURIComponent(answer.next)}` : '';
      yield answer;
    } while (after);
  };
}
