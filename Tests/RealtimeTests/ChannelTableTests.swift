import Realtime
import Testing
import Wire

struct ChannelTableTests {
  private static func at(_ uptime: Double) -> ChannelTable.Moment {
    ChannelTable.Moment(uptime: uptime, unix: 1_795_200_000 + uptime)
  }
  private static let somebody = History.Visitor(user: nil, fingerprint: 1)

  private static func table(_ change: (inout RealtimeOptions) -> Void = { _ in }) -> ChannelTable {
    var table = ChannelTable(loops: 2, budget: HistoryBudget())
    change(&table.options)
    return table
  }

  private static func join(
    _ table: inout ChannelTable, _ wish: Subscription, as visitor: History.Visitor, loop: Int,
    _ moment: ChannelTable.Moment
  ) throws -> ChannelTable.Joined {
    let joined = table.join(wish, as: visitor, loop: loop, moment)
    return try #require(joined)
  }

  @Test func `a channel is occupied by the first, vacated by the last, and then forgotten`() throws {
    var table = Self.table()
    let wish = Subscription("space")
    let first = try Self.join(&table, wish, as: Self.somebody, loop: 0, Self.at(0))
    let second = try Self.join(&table, wish, as: Self.somebody, loop: 1, Self.at(0))
    #expect(first.isOccupied && !second.isOccupied)
    #expect(table.listeners(of: "space") == [1, 1])
    #expect(table.leave("space", member: nil, loop: 0, Self.at(1)).isVacated == false)
    #expect(table.occupied == ["space"])
    #expect(table.leave("space", member: nil, loop: 1, Self.at(1)).isVacated == true)
    #expect(table.channels.isEmpty)
  }

  @Test func `a member comes with the first connection and goes with the last, on whichever loop`() throws {
    var table = Self.table()
    var wish = Subscription("presence-a")
    wish.member = User(id: "ada", info: ["name": "Ada"])
    let first = try Self.join(&table, wish, as: Self.somebody, loop: 0, Self.at(0))
    #expect(first.isNewMember)
    let second = try Self.join(&table, wish, as: Self.somebody, loop: 1, Self.at(0))
    #expect(!second.isNewMember)
    #expect(
      second.presence?.json == ["presence": ["ids": ["ada"], "hash": ["ada": ["name": "Ada"]], "count": 1]])
    #expect(table.leave("presence-a", member: "ada", loop: 0, Self.at(1)).isMemberGone == false)
    #expect(table.presence(of: "presence-a")?.ids == ["ada"])
    #expect(table.leave("presence-a", member: "ada", loop: 1, Self.at(1)).isMemberGone == true)
  }

  @Test func `a presence channel has a hundred members, each with any number of connections`() {
    var table = Self.table()
    func enter(_ id: Int) -> Bool {
      table.join(
        Subscription("presence-a", member: User(id: "\(id)")), as: Self.somebody, loop: 0, Self.at(0)) != nil
    }
    for id in 0..<100 { #expect(enter(id)) }
    #expect(!enter(100))
    #expect(enter(99))
    #expect(table.summary(of: "presence-a", Self.at(0)).subscriptions == 101)
    #expect(table.summary(of: "presence-a", Self.at(0)).users == 100)
  }

  @Test func `a cache channel keeps the server's last event for half an hour`() throws {
    var table = Self.table()
    let wish = Subscription("private-cache-a")
    func join(_ uptime: Double) throws -> ChannelTable.Joined {
      try Self.join(&table, wish, as: Self.somebody, loop: 0, Self.at(uptime))
    }
    let first = try join(0)
    #expect(first.lacksCached && first.tellsMiss)
    let second = try join(0)
    #expect(second.lacksCached && !second.tellsMiss, "the app's server hears of it once")
    func record(_ data: String, isServers: Bool, _ uptime: Double) {
      _ = table.record("e", data: data, on: "private-cache-a", isServers: isServers, Self.at(uptime))
    }
    record("1", isServers: true, 1)
    record("2", isServers: true, 2)
    record("3", isServers: false, 3)
    #expect(try join(1_801).cached?.data == "2")
    #expect(table.summary(of: "private-cache-a", Self.at(1_000)).cached?.ttl == 802)
    let late = try join(1_802)
    #expect(late.cached == nil && late.lacksCached && late.tellsMiss)
  }

  @Test func `a plain channel keeps nothing`() throws {
    var table = Self.table()
    #expect(table.record("e", data: "1", on: "a", isServers: true, Self.at(0)) == nil)
    let joined = try Self.join(&table, Subscription("a", since: 5), as: Self.somebody, loop: 0, Self.at(0))
    #expect(joined.serial == nil && joined.missed == .nothing && !joined.lacksCached)
  }

  // MARK: History

  private static func keeping(_ count: Int = 10, seconds: Int = 60) -> ChannelTable {
    table { ($0.historyCount, $0.historySeconds) = (count, seconds) }
  }

  private static func texts(_ missed: History.Missed?) -> [String]? {
    if case .events(let events)? = missed { events.map(\.data) } else { nil }
  }

  @Test func `a client that was lost gets what came since, once`() throws {
    var table = Self.keeping()
    let joined = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 0, Self.at(0))
    #expect(joined.missed == .nothing)
    let first = table.record("e", data: "1", on: "a", isServers: true, Self.at(1))
    _ = table.leave("a", member: nil, loop: 0, lost: Self.somebody, at: first, Self.at(2))
    _ = table.record("e", data: "2", on: "a", isServers: true, Self.at(3))
    _ = table.record("client-e", data: "3", on: "a", isServers: false, Self.at(4))
    let other = History.Visitor(user: nil, fingerprint: 2)
    let others = try Self.join(&table, Subscription("a"), as: other, loop: 0, Self.at(5))
    #expect(others.missed == .nothing)
    let back = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 1, Self.at(5))
    #expect(Self.texts(back.missed) == ["2", "3"])
    let again = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 1, Self.at(5))
    #expect(again.missed == .nothing, "the place is used up")
  }

  @Test func `a client that names its last event gets exactly what followed`() throws {
    var table = Self.keeping()
    let first = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 0, Self.at(0))
    let start = try #require(first.serial)
    for number in 1...12 { _ = table.record("e", data: "\(number)", on: "a", isServers: true, Self.at(1)) }
    func missed(since serial: Int) throws -> History.Missed {
      try Self.join(&table, Subscription("a", since: serial), as: Self.somebody, loop: 0, Self.at(2)).missed
    }
    #expect(try Self.texts(missed(since: start + 10)) == ["11", "12"])
    #expect(try Self.texts(missed(since: start + 12)) == [])
    #expect(try Self.texts(missed(since: start + 2))?.count == 10)
    #expect(try missed(since: start + 1) == .gap, "the second event is not kept any more")
    #expect(try missed(since: start + 13) == .gap, "there is no such event")
    #expect(try missed(since: 3) == .gap, "from before a restart")
  }

  @Test func `events and places are kept for the app's seconds`() throws {
    var table = Self.keeping(seconds: 60)
    _ = table.join(Subscription("a"), as: Self.somebody, loop: 0, Self.at(0))
    let first = table.record("e", data: "1", on: "a", isServers: true, Self.at(0))
    _ = table.leave("a", member: nil, loop: 0, lost: Self.somebody, at: first, Self.at(0))
    _ = table.record("e", data: "2", on: "a", isServers: true, Self.at(30))
    let back = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 0, Self.at(60))
    #expect(Self.texts(back.missed) == ["2"])
    _ = table.leave("a", member: nil, loop: 0, lost: Self.somebody, at: first, Self.at(60))
    let late = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 0, Self.at(95))
    #expect(late.missed == .gap)
  }

  @Test func `a client of which it is unknown what arrived is told that there may be a gap`() throws {
    var table = Self.keeping()
    _ = table.join(Subscription("a"), as: Self.somebody, loop: 0, Self.at(0))
    _ = table.leave("a", member: nil, loop: 0, lost: Self.somebody, at: nil, Self.at(1))
    let back = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 0, Self.at(2))
    #expect(back.missed == .gap)
  }

  @Test func `a user is recognised from another place, and two users never for each other`() {
    var history = History(now: 0)
    history.leave(History.Visitor(user: "ada", fingerprint: 1), at: history.serial, uptime: 0)
    #expect(history.missed(by: History.Visitor(user: "ben", fingerprint: 1), since: nil) == .nothing)
    #expect(history.missed(by: History.Visitor(user: nil, fingerprint: 2), since: nil) == .nothing)
    #expect(history.missed(by: History.Visitor(user: "ada", fingerprint: 2), since: nil) == .events([]))
  }

  @Test func `the events of all channels of an app take a bounded amount of memory`() throws {
    var table = Self.keeping(1_000)
    let text = String(repeating: "x", count: 10_000)
    for number in 0..<1_000 {
      _ = table.record("e", data: text, on: "c\(number % 50)", isServers: true, Self.at(1))
    }
    #expect(table.historyBytes <= RealtimeLimits.historyBytes)
    #expect(table.historyBytes > RealtimeLimits.historyBytes / 2)
    table.clear()
    #expect(table.historyBytes == 0 && table.channels.isEmpty)
  }

  @Test func `strangers who come and go leave a bounded number of channels, and none after a while`() throws {
    var table = Self.keeping()
    for number in 0..<100_000 {
      _ = table.join(Subscription("c\(number)"), as: Self.somebody, loop: 0, Self.at(0))
      // Half of them are lost, half unsubscribe.
      _ = table.leave(
        "c\(number)", member: nil, loop: 0, lost: number % 2 == 0 ? Self.somebody : nil, at: nil, Self.at(0))
    }
    #expect(table.channels.count == RealtimeLimits.awaitingChannels)
    #expect(table.historyBytes > 0 && table.historyBytes <= RealtimeLimits.historyBytes / 2)
    // Who listens meanwhile misses nothing.
    let joined = try Self.join(&table, Subscription("a"), as: Self.somebody, loop: 0, Self.at(1))
    _ = table.record("e", data: "1", on: "a", isServers: true, Self.at(2))
    let back = Subscription("a", since: joined.serial)
    let again = try Self.join(&table, back, as: Self.somebody, loop: 0, Self.at(3))
    #expect(Self.texts(again.missed) == ["1"])
    _ = table.join(Subscription("a"), as: Self.somebody, loop: 0, Self.at(121))
    #expect(table.channels.count == 1 && table.historyBytes == 0)
  }

  @Test func `an app's clients that may come back are bounded, on however many channels`() throws {
    var table = Self.keeping()
    for number in 0..<20_000 {
      let name = "c\(number % 100)"
      // Somebody stays there.
      if number < 100 { _ = table.join(Subscription(name), as: Self.somebody, loop: 0, Self.at(0)) }
      let visitor = History.Visitor(user: "\(number)", fingerprint: number)
      _ = table.join(Subscription(name), as: visitor, loop: 0, Self.at(0))
      _ = table.leave(name, member: nil, loop: 0, lost: visitor, at: nil, Self.at(0))
    }
    #expect(table.historyBytes > 0 && table.historyBytes <= RealtimeLimits.placesOfApp * 80)
    func missed(_ number: Int) throws -> History.Missed {
      let visitor = History.Visitor(user: "\(number)", fingerprint: number)
      return try Self.join(&table, Subscription("c\(number % 100)"), as: visitor, loop: 0, Self.at(1)).missed
    }
    #expect(try missed(19_999) == .gap, "the last that was lost is known")
    #expect(try missed(0) == .nothing)
  }

  /// Expects that a client that listens to `a` can fetch what comes there.
  private static func expectKept(_ table: inout ChannelTable) throws {
    let joined = try join(&table, Subscription("a"), as: somebody, loop: 0, at(1))
    _ = table.record("e", data: "1", on: "a", isServers: true, at(2))
    let back = try join(&table, Subscription("a", since: joined.serial), as: somebody, loop: 0, at(3))
    #expect(texts(back.missed) == ["1"])
  }

  @Test func `many channels without listeners that each have a small event leave room for others`() throws {
    var table = Self.keeping()
    for number in 0..<10_000 { _ = table.record("e", data: "1", on: "c\(number)", isServers: true, Self.at(0)) }
    #expect(table.historyBytes < RealtimeLimits.historyBytes / 2)
    try Self.expectKept(&table)
  }

  @Test func `clients with long names that were lost leave room for events`() throws {
    var table = Self.keeping()
    let name = String(repeating: "x", count: 500)
    for number in 0..<20_000 {
      let channel = "c\(number % 100)"
      // Somebody stays there.
      if number < 100 { _ = table.join(Subscription(channel), as: Self.somebody, loop: 0, Self.at(0)) }
      // Short names make room for long ones.
      let visitor = History.Visitor(user: number < 5_000 ? "\(number)" : "\(name)\(number)", fingerprint: number)
      _ = table.join(Subscription(channel), as: visitor, loop: 0, Self.at(0))
      _ = table.leave(channel, member: nil, loop: 0, lost: visitor, at: nil, Self.at(0))
    }
    #expect(table.historyBytes > RealtimeLimits.placeBytes / 2)
    #expect(table.historyBytes < RealtimeLimits.placeBytes + 1_000)
    try Self.expectKept(&table)
  }

  // MARK: Counts

  @Test func `the count of a crowd is told now and then`() {
    var table = Self.table()
    for _ in 0..<100 { _ = table.join(Subscription("a"), as: Self.somebody, loop: 0, Self.at(0)) }
    #expect(table.countTelling(of: "a") == .now)
    _ = table.join(Subscription("a"), as: Self.somebody, loop: 0, Self.at(0))
    #expect(table.countTelling(of: "a") == .later)
    #expect(table.countTelling(of: "a") == .waits)
    #expect(table.waitingCount(of: "a") == 101)
    #expect(table.countTelling(of: "a") == .later)
  }
}

struct UsersTests {
  @Test func `a user is online from the first sign-in to the end of the last`() {
    var users = Users<Int>()
    #expect(users.signIn(User(id: "ada"), 1).isFirst == true)
    #expect(users.signIn(User(id: "ada"), 2).isFirst == false)
    #expect(users.connections(of: "ada") == [1, 2])
    #expect(users.signOut(User(id: "ada"), 1) == false)
    #expect(users.signOut(User(id: "ada"), 2) == true)
    #expect(users.connections(of: "ada").isEmpty)
  }

  @Test func `whoever watches is told who is there, and is forgotten when gone`() {
    var users = Users<Int>()
    _ = users.signIn(User(id: "ben"), 1)
    var ada = User(id: "ada")
    ada.watchlist = ["ben", "clara"]
    let found = users.signIn(ada, 2)
    #expect(found.online == ["ben"] && found.offline == ["clara"])
    #expect(users.watchers(of: "clara") == [2])
    _ = users.signOut(ada, 2)
    #expect(users.watchers(of: "clara").isEmpty)
  }
}
