// A table at the hub: who sits there is the presence of a channel, what they lay are its client events, and rounds and
// words are objects, which live queries tell to everybody. Parse and Pusher are the unmodified libraries.

/* global Parse, Pusher */
import { current, draw, PLAYERS } from './rules.js';

const LAYING = 250; // milliseconds between two events that say how many letters somebody has laid
const SESSION_ENDED = 209;
export const [DUPLICATE, REFUSED] = [137, 142];

/** Words are checked by the hub: each language has its class, with its own list. */
const CLASSES = { en: 'Word', de: 'Wort' };

/** Signs in as somebody without a password, who is remembered on this phone, and says how he is called. */
async function signIn(name) {
  const user = Parse.User.current() ?? await Parse.AnonymousUtils.logIn();
  user.set('name', name);
  user.increment('visits');
  try {
    await user.save();
  } catch (error) {
    if (error.code !== SESSION_ENDED) throw error;
    await Parse.User.logOut().catch(() => {});
    return signIn(name);
  }
  return user;
}

const roundOf = (object) => ({
  id: object.id, object, at: object.createdAt.getTime(), letters: object.get('letters'),
  language: object.get('language'),
});
const wordOf = (object) => ({
  id: object.id, at: object.createdAt.getTime(), word: object.get('word'), player: object.get('player').id,
});

/**
 * Sits down at a table. `show` gets {me, players, round, words, laying, isLost} whenever something of it has changed;
 * with `isFull` the table was left again.
 */
export async function sitDown({ app, table, name }, show) {
  const { hostname, port, protocol } = new URL(app.hub);
  const secure = protocol === 'https:';
  Parse.initialize(app.applicationId, app.restKey);
  Parse.serverURL = `${app.hub}/parse`;
  const user = await signIn(name);
  // The hub's clock counts: all screens end at the same moment, also on a phone whose clock is wrong.
  const ahead = user.updatedAt.getTime() - Date.now();
  const state = { me: user.id, players: new Map(), round: null, words: [], laying: new Map(), isLost: false };
  const tell = (changed) => show(Object.assign(state, changed));

  const pusher = new Pusher(app.key, {
    cluster: 'x', wsHost: hostname, wsPort: port || 80, wssPort: port || 443, forceTLS: secure,
    enabledTransports: ['ws', 'wss'],
    // The hub signs for who is signed in.
    channelAuthorization: {
      endpoint: `${app.hub}/parse/channels/auth`,
      headersProvider: () => ({
        'X-Parse-Application-Id': app.applicationId,
        'X-Parse-REST-API-Key': app.restKey,
        'X-Parse-Session-Token': user.getSessionToken(),
      }),
    },
  });
  pusher.connection.bind('state_change', ({ current: now }) => tell({ isLost: now !== 'connected' }));
  const channel = pusher.subscribe(`presence-words-${table}`);
  const seated = () => {
    const players = new Map();
    channel.members.each(({ id, info }) => players.set(id, info?.name ?? '?'));
    tell({ players });
  };
  channel.bind('pusher:subscription_succeeded', (members) => {
    if (members.count <= PLAYERS) return seated();
    pusher.disconnect();
    return tell({ isFull: true });
  });
  channel.bind('pusher:member_added', seated);
  channel.bind('pusher:member_removed', ({ id }) => {
    state.laying.delete(id);
    seated();
  });
  channel.bind('client-laying', ({ count }, { user_id: id }) => {
    state.laying.set(id, count);
    tell({});
  });

  const rounds = new Map();
  let open = null; // the subscription to the words of the round

  async function follow(round) {
    open?.unsubscribe();
    const words = new Map();
    const query = new Parse.Query(CLASSES[round.language]).equalTo('round', round.object).limit(1000);
    const add = (objects) => {
      for (const object of objects) words.set(object.id, wordOf(object));
      if (state.round?.id === round.id) tell({ words: [...words.values()] });
    };
    tell({ round, words: [], laying: new Map() });
    open = await query.subscribe();
    open.on('create', (object) => add([object]));
    // After each connection: what was taken while there was none.
    open.on('open', async () => add(await query.find()));
    add(await query.find());
  }

  const found = (objects) => {
    for (const object of objects) rounds.set(object.id, roundOf(object));
    const round = current(rounds.values());
    if (round && round.id !== state.round?.id) return follow(round);
    return null;
  };
  const ofTable = new Parse.Query('Round').equalTo('table', table).descending('createdAt').limit(PLAYERS);
  const news = await ofTable.subscribe();
  news.on('create', (object) => found([object]));
  news.on('open', async () => found(await ofTable.find()));
  await found(await ofTable.find());

  tell({});

  let laid = 0;
  let later;
  return {
    now: () => Date.now() + ahead,
    begin: async (language) => {
      const round = new Parse.Object('Round');
      await round.save({ table, language, letters: draw(language) });
      await found([round]);
    },
    take: async (word) => {
      const object = new Parse.Object(CLASSES[state.round.language]);
      await object.save({ word, round: state.round.object, player: user });
    },
    /** Says how many letters are laid, now and then. */
    lay(count) {
      laid = count;
      later ??= setTimeout(() => {
        later = undefined;
        channel.trigger('client-laying', { count: laid });
      }, LAYING);
    },
  };
}
