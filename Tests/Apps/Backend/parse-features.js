// Everything of objects in Parse's manner, used as an app's makers use it, by an unmodified Parse JS SDK: under Node
// and in a browser.

const SECONDS = 20;

function equal(seen, wanted) {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

/** The promise fails with this code of Parse's. */
async function refused(promise, code) {
  let error;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  if (!error) throw new Error(`was taken, and should be refused with ${code}`);
  equal(error.code, code);
}

/** The first argument of the next event of this name. */
function next(emitter, name) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${name} within ${SECONDS} s`)), SECONDS * 1000);
    emitter.on(name, function heard(told, before) {
      clearTimeout(timer);
      emitter.removeListener?.(name, heard);
      resolve([told, before]);
    });
  });
}

/** Runs all features, one after the other; returns what went wrong with each, or 'passed'. */
globalThis.features = async function features(Parse, { application, key, url }) {
  Parse.initialize(application, key);
  Parse.serverURL = url;
  Parse.User.enableUnsafeCurrentUser?.();
  // The objects are those that the query brought, not those that this page knew before.
  Parse.Object.disableSingleInstance();
  // Two runs against one hub must not see each other's objects.
  const run = Math.random().toString(36).slice(2, 10);
  const named = (name) => Parse.Object.extend(`${name}_${run}`);
  const user = (name) => `${name}-${run}`;

  async function made(Kind, list) {
    const objects = list.map((fields) => new Kind(fields));
    await Parse.Object.saveAll(objects);
    return objects;
  }
  const names = async (query) => (await query.find()).map((one) => one.get('name'));

  const all = {
    async objects() {
      const Word = named('Word');
      const word = await new Word({ name: 'anchor', points: 8, tags: ['sea'], on: { board: true }, none: null }).save();
      equal([word.id.length, word.createdAt instanceof Date], [10, true]);
      word.increment('points', 2);
      word.add('tags', 'ship');
      word.set('on.deck', 3);
      await word.save();
      word.addUnique('tags', 'sea');
      await word.save();
      const again = await new Parse.Query(Word).get(word.id);
      equal([again.get('points'), again.get('tags'), again.get('on')],
        [10, ['sea', 'ship'], { board: true, deck: 3 }]);
      again.remove('tags', 'sea');
      again.unset('points');
      await again.save();
      equal([again.get('tags'), again.has('points')], [['ship'], false]);
      await again.destroy();
      await refused(new Parse.Query(Word).get(word.id), 101);
    },

    async types() {
      const Place = named('Place');
      const other = await new Place({ name: 'other' }).save();
      const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
      const point = new Parse.GeoPoint(53.08, 8.8);
      const area = new Parse.Polygon([[0, 0], [0, 1], [1, 1]]);
      const list = [1, [2], { three: 3 }];
      const place = await new Place({ at, point, area, other, text: 'Möwe 🕭', list }).save();
      const seen = await new Parse.Query(Place).include('other').get(place.id);
      equal([seen.get('at').getTime(), seen.get('point').latitude, seen.get('text'), seen.get('list')],
        [at.getTime(), 53.08, 'Möwe 🕭', list]);
      equal([seen.get('area') instanceof Parse.Polygon, seen.get('other').get('name')], [true, 'other']);
      seen.set('text', 5);
      await refused(seen.save(), 111);
    },

    async queries() {
      const Word = named('Asked');
      await made(Word, [
        { name: 'anchor', points: 8, tags: ['sea', 'ship'] }, { name: 'bell', points: 5, tags: ['ship'] },
        { name: 'Clock', points: 13, tags: [] }, { name: 'dog', points: 1 }]);
      const query = () => new Parse.Query(Word).ascending('name');
      const sets = {
        equal: query().equalTo('name', 'bell'),
        range: query().greaterThan('points', 1).lessThanOrEqualTo('points', 8),
        in: query().containedIn('name', ['dog', 'bell']),
        notIn: query().notContainedIn('name', ['dog', 'bell', 'anchor']),
        contains: query().equalTo('tags', 'ship'),
        containsAll: query().containsAll('tags', ['ship', 'sea']),
        containedBy: query().containedBy('tags', ['ship', 'wood']).exists('tags').notEqualTo('name', 'Clock'),
        exists: query().doesNotExist('tags'),
        regex: query().matches('name', /^c/i),
        startsWith: query().startsWith('name', 'an'),
        or: Parse.Query.or(query().equalTo('points', 1), query().equalTo('points', 5)).descending('points'),
        skip: query().skip(1).limit(2),
        and: Parse.Query.and(query().greaterThan('points', 4), query().lessThan('points', 7)),
      };
      const found = {};
      for (const [name, one] of Object.entries(sets)) found[name] = await names(one);
      equal(found, {
        equal: ['bell'], range: ['anchor', 'bell'], in: ['bell', 'dog'], notIn: ['Clock'],
        contains: ['anchor', 'bell'], containsAll: ['anchor'], containedBy: ['bell'], exists: ['dog'],
        regex: ['Clock'], startsWith: ['anchor'], or: ['bell', 'dog'], skip: ['anchor', 'bell'], and: ['bell'],
      });
      equal(await query().greaterThan('points', 4).count(), 3);
      const { results, count } = await query().limit(1).withCount().find();
      equal([results.length, count], [1, 4]);
      const [chosen] = await query().select('points').find();
      equal([chosen.get('points'), chosen.has('name')], [13, false]);
      let seen = 0;
      await new Parse.Query(Word).each(() => { seen += 1; }, { batchSize: 2 });
      equal(seen, 4);
      await refused(new Parse.Query(Word).withJSON({ where: { name: { $sad: 1 } } }).find(), 107);
    },

    async places() {
      const Place = named('Geo');
      await made(Place, [
        { name: 'Bremen', at: new Parse.GeoPoint(53.08, 8.8) },
        { name: 'Berlin', at: new Parse.GeoPoint(52.52, 13.4) },
        { name: 'Lisbon', at: new Parse.GeoPoint(38.72, -9.14) }]);
      const here = new Parse.GeoPoint(52.5, 13.3);
      equal(await names(new Parse.Query(Place).near('at', here)), ['Berlin', 'Bremen', 'Lisbon']);
      equal(await names(new Parse.Query(Place).withinKilometers('at', here, 100)), ['Berlin']);
      const box = [new Parse.GeoPoint(50, 5), new Parse.GeoPoint(55, 15)];
      equal(await names(new Parse.Query(Place).withinGeoBox('at', ...box).ascending('name')), ['Berlin', 'Bremen']);
      const corners = [[30, -12], [45, -12], [45, 0], [30, 0]].map(([lat, lon]) => new Parse.GeoPoint(lat, lon));
      equal(await names(new Parse.Query(Place).withinPolygon('at', corners)), ['Lisbon']);
    },

    async pointersAndRelations() {
      const [Album, Photo] = [named('Album'), named('Photo')];
      const album = await new Album({ name: 'Harbour' }).save();
      const photos = await made(Photo, [{ name: 'one', album }, { name: 'two', album }, { name: 'three' }]);
      const [first] = await new Parse.Query(Photo).equalTo('album', album).include('album').ascending('name').find();
      equal([first.get('name'), first.get('album').get('name')], ['one', 'Harbour']);
      const albums = new Parse.Query(Album).equalTo('name', 'Harbour');
      equal(await names(new Parse.Query(Photo).matchesQuery('album', albums).descending('name')), ['two', 'one']);
      equal(await names(new Parse.Query(Photo).doesNotMatchKeyInQuery('name', 'name', new Parse.Query(Photo)
        .exists('album'))), ['three']);
      album.relation('best').add(photos.slice(0, 2));
      await album.save();
      album.relation('best').remove(photos[0]);
      await album.save();
      equal(await names(album.relation('best').query()), ['two']);
      equal((await first.get('album').fetch()).get('name'), 'Harbour');
    },

    async many() {
      const Word = named('Many');
      const words = await made(Word, Array.from({ length: 45 }, (_, number) => ({ number })));
      equal(await new Parse.Query(Word).count(), 45);
      await Parse.Object.destroyAll(words);
      equal(await new Parse.Query(Word).count(), 0);
    },

    async users() {
      const ada = await new Parse.User({ username: user('ada'), password: 'lovelace', score: 1 }).signUp();
      equal([/^r:[0-9a-f]{32}$/.test(ada.getSessionToken()), Parse.User.current().id], [true, ada.id]);
      ada.set('score', 2);
      await ada.save();
      const session = await Parse.Session.current();
      equal(session.get('user').id, ada.id);
      const token = ada.getSessionToken();
      equal([(await Parse.User.current().fetch()).get('score'), Parse.User.current().getSessionToken()], [2, token]);
      await refused(new Parse.User({ username: user('ada'), password: 'x' }).signUp(), 202);
      await Parse.User.become(token);
      await Parse.User.logOut();
      await refused(Parse.User.become(token), 209);
      await refused(Parse.User.logIn(user('ada'), 'wrong'), 101);
      const back = await Parse.User.logIn(user('ada'), 'lovelace');
      equal([back.get('score'), back.get('password')], [2, undefined]);
      await Parse.User.logOut();
    },

    async anonymous() {
      const nobody = await Parse.AnonymousUtils.logIn();
      equal(Parse.AnonymousUtils.isLinked(nobody), true);
      nobody.set('username', user('carl'));
      nobody.set('password', 'secret');
      await nobody.save();
      await Parse.User.logOut();
      equal((await Parse.User.logIn(user('carl'), 'secret')).id, nobody.id);
      await Parse.User.logOut();
    },

    async rights() {
      const Note = named('Note');
      const bob = await new Parse.User({ username: user('bob'), password: 'b' }).signUp();
      const note = new Note({ name: 'mine' });
      note.setACL(new Parse.ACL(bob));
      await note.save();
      const acl = new Parse.ACL(bob);
      const crew = await new Parse.Role(`crew-${run}`, acl).save();
      const shared = new Note({ name: 'of the crew' });
      const forCrew = new Parse.ACL();
      forCrew.setRoleReadAccess(crew, true);
      shared.setACL(forCrew);
      await shared.save();
      equal(await names(new Parse.Query(Note)), ['mine']);
      crew.getUsers().add(bob);
      await crew.save();
      equal(await names(new Parse.Query(Note).ascending('name')), ['mine', 'of the crew']);
      await Parse.User.logOut();
      equal(await names(new Parse.Query(Note)), []);
      await refused(note.save({ name: 'yours' }), 101);
    },

    async files() {
      const bytes = [...'Ahoy'].map((letter) => letter.charCodeAt(0));
      await refused(new Parse.File('ahoy.txt', bytes, 'text/plain').save(), 130);
      await Parse.AnonymousUtils.logIn();
      const file = await new Parse.File('ahoy.txt', bytes, 'text/plain').save();
      const Note = named('Filed');
      const note = await new Note({ file }).save();
      const seen = (await new Parse.Query(Note).get(note.id)).get('file');
      equal(seen.url(), file.url());
      equal(await (await fetch(seen.url())).text(), 'Ahoy');
      await Parse.User.logOut();
    },

    async config() {
      equal((await Parse.Config.get()).get('nothing'), undefined);
    },

    async functions() {
      await refused(Parse.Cloud.run('nothing', { word: 'anchor' }), 141);
    },

    async liveQuery() {
      const Word = named('Live');
      // A class is there with its first object.
      await new Word({ name: 'first', points: 0 }).save();
      const subscription = await new Parse.Query(Word).greaterThan('points', 4).subscribe();
      const heard = async (name, act) => {
        const told = next(subscription, name);
        await act();
        const [object, before] = await told;
        return [object.get('name'), object.get('points'), before?.get?.('points')];
      };
      const word = new Word({ name: 'anchor', points: 8 });
      equal(await heard('create', () => word.save()), ['anchor', 8, undefined]);
      equal(await heard('update', () => word.save({ points: 9 })), ['anchor', 9, 8]);
      equal(await heard('leave', () => word.save({ points: 1 })), ['anchor', 1, 9]);
      equal(await heard('enter', () => word.save({ points: 5 })), ['anchor', 5, 1]);
      equal(await heard('delete', () => word.destroy()), ['anchor', 5, undefined]);
      await subscription.unsubscribe();
      await Parse.LiveQuery.close();
    },
  };

  const told = {};
  for (const [name, feature] of Object.entries(all)) {
    try {
      await feature();
      told[name] = 'passed';
    } catch (error) {
      told[name] = String(error?.stack || error?.message || error);
    }
  }
  return told;
};
