// Every feature of Channels, used as an app's makers use it, by an unmodified pusher-js: under Node and in a browser.

const SECONDS = 20;

/** Waits for an event of a channel, a connection or a user; with a condition, for the first one that meets it. */
function next(target, event, isMeant = () => true) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${event} within ${SECONDS} s`)), SECONDS * 1000);
    target.bind(event, function heard(data, more) {
      if (!isMeant(data, more)) return;
      clearTimeout(timer);
      target.unbind(event, heard);
      resolve(data);
    });
  });
}

function equal(seen, wanted) {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

/** Runs all features at once; returns what went wrong with each, or 'passed'. */
globalThis.features = async function features(Pusher, { key, host, port, server }) {
  const clients = [];

  function client(user = 'ada', watch = '') {
    const watched = watch ? `&watch=${watch}` : '';
    const pusher = new Pusher(key, {
      cluster: 'none',
      wsHost: host,
      wsPort: port,
      forceTLS: false,
      enableStats: false,
      enabledTransports: ['ws'],
      channelAuthorization: { endpoint: `${server}/auth?user=${user}`, transport: 'ajax' },
      userAuthentication: { endpoint: `${server}/user?user=${user}${watched}`, transport: 'ajax' },
    });
    clients.push(pusher);
    return pusher;
  }

  async function joined(pusher, name) {
    const channel = pusher.subscribe(name);
    const data = await next(channel, 'pusher:subscription_succeeded');
    return [channel, data];
  }

  async function call(name, ...rest) {
    const body = JSON.stringify({ call: name, arguments: rest });
    const answer = await fetch(`${server}/call`, { method: 'POST', body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  async function triggered(channel, name, data, ...rest) {
    const heard = next(channel, name);
    await call('trigger', channel.name, name, data, ...rest);
    equal(await heard, data);
  }

  const tried = {
    async public() {
      const [one, other] = [client(), client()];
      const [channel] = await joined(one, 'lobby');
      await joined(other, 'lobby');
      await triggered(channel, 'word', { word: 'anchor', nested: [1, 'ä"\\\n'] });
      // The one that is excluded hears the next event only.
      const heard = next(channel, 'turn');
      await call('trigger', 'lobby', 'turn', 1, one.connection.socket_id);
      await call('trigger', 'lobby', 'turn', 2);
      equal(await heard, 2);
      one.unsubscribe('lobby');
      await joined(one, 'lobby');
    },
    async private() {
      const pusher = client();
      const [channel] = await joined(pusher, 'private-room');
      await triggered(channel, 'word', 'anchor');
      const refused = await next(pusher.subscribe('private-secret'), 'pusher:subscription_error');
      equal(refused.status, 403);
    },
    async encrypted() {
      const [channel] = await joined(client(), 'private-encrypted-room');
      await triggered(channel, 'word', { word: 'anchor' });
    },
    async presence() {
      const [ada, ben] = [client('ada'), client('ben')];
      const [channel, members] = await joined(ada, 'presence-table');
      equal([members.count, members.me], [1, { id: 'ada', info: { name: 'Ada' } }]);
      const added = next(channel, 'pusher:member_added');
      await joined(ben, 'presence-table');
      equal(await added, { id: 'ben', info: { name: 'Ben' } });
      equal(channel.members.count, 2);
      // A second page of the same user is no news; the third user is.
      const third = next(channel, 'pusher:member_added');
      await joined(client('ben'), 'presence-table');
      const cara = client('cara');
      await joined(cara, 'presence-table');
      equal((await third).id, 'cara');
      const removed = next(channel, 'pusher:member_removed');
      cara.disconnect();
      equal((await removed).id, 'cara');
      const { users } = await call('users_info', 'presence-table');
      equal(users.map((user) => user.id).sort(), ['ada', 'ben']);
      equal((await call('channel_info', 'presence-table', ['user_count'])).user_count, 2);
    },
    async cache() {
      const missed = client().subscribe('cache-words');
      await next(missed, 'pusher:cache_miss');
      await triggered(missed, 'word', 'anchor');
      equal(await next(client().subscribe('cache-words'), 'word'), 'anchor');
    },
    async clientEvents() {
      const [ada, ben] = [client('ada'), client('ben')];
      const [one] = await joined(ada, 'presence-typing');
      const [other] = await joined(ben, 'presence-typing');
      const own = [];
      one.bind('client-word', (data) => own.push(data));
      const heard = new Promise((resolve) => other.bind('client-word', (data, more) => resolve([data, more])));
      one.trigger('client-word', { word: 'anchor' });
      equal(await heard, [{ word: 'anchor' }, { user_id: 'ada' }]);
      const back = next(one, 'client-word');
      other.trigger('client-word', 'back');
      equal([await back, own], ['back', ['back']]);
    },
    async signIn() {
      const pusher = client('gil');
      pusher.signin();
      const heard = next(pusher.user, 'note');
      await pusher.user.signinDonePromise;
      equal(pusher.user.user_data.id, 'gil');
      await next(pusher.user.serverToUserChannel, 'pusher:subscription_succeeded');
      await call('send_to_user', 'gil', 'note', { text: 'your turn' });
      equal(await heard, { text: 'your turn' });
    },
    async watchlist() {
      const ida = client('ida', 'jan');
      ida.signin();
      const online = next(ida.user.watchlist, 'online');
      await ida.user.signinDonePromise;
      const jan = client('jan');
      jan.signin();
      equal((await online).user_ids, ['jan']);
      const offline = next(ida.user.watchlist, 'offline');
      jan.disconnect();
      equal((await offline).user_ids, ['jan']);
    },
    async terminate() {
      const pusher = client('kai');
      pusher.signin();
      await next(pusher.connection, 'connected');
      await pusher.user.signinDonePromise;
      const gone = next(pusher.connection, 'state_change', ({ previous }) => previous === 'connected');
      await call('terminate_user_connections', 'kai');
      await gone;
    },
    async count() {
      const channel = client().subscribe('counted');
      const two = next(channel, 'pusher:subscription_count', (data) => data.subscription_count === 2);
      await next(channel, 'pusher:subscription_succeeded');
      await joined(client(), 'counted');
      await two;
    },
    async batch() {
      const [one] = await joined(client(), 'batch-one');
      const [other] = await joined(client(), 'batch-two');
      const heard = Promise.all([next(one, 'word'), next(other, 'word')]);
      const batch = [['batch-one', 1], ['batch-two', 2]].map(([channel, data]) => ({ channel, name: 'word', data }));
      await call('trigger_batch', batch);
      equal(await heard, [1, 2]);
    },
  };

  /** Alone, since it cuts the line of all. A client that comes back hears what it missed, in order and once. */
  async function history() {
    const [ada, ben] = [client('ada'), client('ben')];
    const [plain] = await joined(ada, 'history');
    const [table] = await joined(ben, 'presence-history');
    const heard = [];
    plain.bind('word', (data) => heard.push(data));
    const atTable = next(table, 'word', (data) => data === 4);
    await call('trigger', 'history', 'word', 1);
    await call('trigger', 'presence-history', 'word', 1);
    await fetch(`${server}/cut`, { method: 'POST' });
    for (const number of [2, 3]) await call('trigger', ['history', 'presence-history'], 'word', number);
    await Promise.all([ada, ben].map((one) => next(one.connection, 'connected')));
    const all = next(plain, 'word', (data) => data === 4);
    await call('trigger', ['history', 'presence-history'], 'word', 4);
    await Promise.all([all, atTable]);
    equal(heard, [1, 2, 3, 4]);
  }

  const told = {};
  async function run(name, feature) {
    try {
      await feature();
      told[name] = 'passed';
    } catch (error) {
      told[name] = String(error);
    }
  }
  await Promise.all(Object.entries(tried).map(([name, feature]) => run(name, feature)));
  await run('history', history);
  for (const one of clients) one.disconnect();
  return told;
};
