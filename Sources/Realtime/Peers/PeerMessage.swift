import Wire

/// A message between hubs about the channels of apps.
package struct PeerMessage: Equatable, Sendable {
  /// A sign of life, once a second: the number of the last `told`, whether the hub sends the apps' webhooks, and the
  /// hubs of which it wants to be told everything anew.
  package struct Hello: Equatable, Sendable {
    package var number: Int
    package var isKeeper: Bool
    package var wants: [String] = []

    package init(number: Int, isKeeper: Bool, wants: [String] = []) {
      (self.number, self.isKeeper, self.wants) = (number, isKeeper, wants)
    }
  }

  /// A member of a presence channel, who is there at a hub, or not any more.
  package struct Member: Equatable, Sendable {
    package var user: User
    package var isThere: Bool

    package init(user: User, isThere: Bool) { (self.user, self.isThere) = (user, isThere) }
  }

  /// A user who is signed in at a hub, or not any more.
  package struct Standing: Equatable, Sendable {
    package var user: String
    package var isOnline: Bool

    package init(user: String, isOnline: Bool) { (self.user, self.isOnline) = (user, isOnline) }
  }

  /// A channel as it is at a hub.
  package struct Channel: Equatable, Sendable {
    package var name: String
    package var subscriptions: Int
    /// Those who have come or gone.
    package var members: [Member] = []

    package init(name: String, subscriptions: Int, members: [Member] = []) {
      (self.name, self.subscriptions, self.members) = (name, subscriptions, members)
    }
  }

  /// The changes of an app at a hub. All of it says how things are now, so that hearing it twice does no harm.
  package struct Told: Equatable, Sendable {
    package var app: String
    package var channels: [Channel] = []
    package var users: [Standing] = []

    package init(app: String) { self.app = app }

    package var isEmpty: Bool { channels.isEmpty && users.isEmpty }
  }

  /// An event on its way to the subscribers of other hubs.
  package struct Event: Equatable, Sendable {
    package var app: String
    package var event: String
    package var data: String
    package var channels: [String]
    package var except: String?
    package var commit: Int?
    package var userID: String?
    /// True for an event of the app's server.
    package var isServers: Bool

    package init(
      app: String, event: String, data: String, channels: [String], except: String? = nil, commit: Int? = nil,
      userID: String? = nil, isServers: Bool
    ) {
      (self.app, self.event, self.data, self.channels) = (app, event, data, channels)
      (self.except, self.commit, self.userID, self.isServers) = (except, commit, userID, isServers)
    }
  }

  package enum Content: Equatable, Sendable {
    case hello(Hello)
    case told(Told, number: Int)
    /// Everything is told anew from here on, or has been.
    case begin(number: Int), whole(number: Int)
    case event(Event)
    case terminate(app: String, user: String)
    case bye
  }

  package var hub: String
  package var content: Content

  package init(hub: String, _ content: Content) { (self.hub, self.content) = (hub, content) }
}

extension PeerMessage {
  package var bytes: [UInt8] {
    var members = [JSON.Member("hub", .string(hub))]
    func add(_ name: String, _ value: JSON) { members.append(JSON.Member(name, value)) }
    switch content {
    case .hello(let hello):
      add("hello", .int(hello.number))
      add("keeper", .bool(hello.isKeeper))
      add("wants", .array(hello.wants.map { .string($0) }))
    case .told(let told, let number):
      add("number", .int(number))
      add("app", .string(told.app))
      add("channels", .array(told.channels.map(\.json)))
      add("users", .array(told.users.map { .array([.string($0.user), .bool($0.isOnline)]) }))
    case .begin(let number): add("begin", .int(number))
    case .whole(let number): add("whole", .int(number))
    case .event(let event):
      add("app", .string(event.app))
      add("event", .string(event.event))
      add("data", .string(event.data))
      add("channels", .array(event.channels.map { .string($0) }))
      if let except = event.except { add("except", .string(except)) }
      if let commit = event.commit { add("commit", .int(commit)) }
      if let userID = event.userID { add("user", .string(userID)) }
      if event.isServers { add("servers", true) }
    case .terminate(let app, let user):
      add("app", .string(app))
      add("terminate", .string(user))
    case .bye: add("bye", true)
    }
    return JSON.object(members).bytes
  }

  /// Nil for bytes that are no message.
  package init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes, values: .max), let hub = json["hub"]?.string else { return nil }
    func content() -> Content? {
      if let number = json["hello"]?.int {
        let wants = json["wants"]?.array?.compactMap(\.string) ?? []
        return .hello(Hello(number: number, isKeeper: json["keeper"]?.bool == true, wants: wants))
      }
      if let number = json["begin"]?.int { return .begin(number: number) }
      if let number = json["whole"]?.int { return .whole(number: number) }
      if json["bye"]?.bool == true { return .bye }
      guard let app = json["app"]?.string else { return nil }
      if let number = json["number"]?.int { return .told(Told(app, json), number: number) }
      if let user = json["terminate"]?.string { return .terminate(app: app, user: user) }
      guard let event = json["event"]?.string, let data = json["data"]?.string else { return nil }
      return .event(
        Event(
          app: app, event: event, data: data, channels: json["channels"]?.array?.compactMap(\.string) ?? [],
          except: json["except"]?.string, commit: json["commit"]?.int, userID: json["user"]?.string,
          isServers: json["servers"]?.bool == true))
    }
    guard let content = content() else { return nil }
    (self.hub, self.content) = (hub, content)
  }
}

extension PeerMessage.Told {
  fileprivate init(_ app: String, _ json: JSON) {
    self.init(app: app)
    channels = json["channels"]?.array?.compactMap(PeerMessage.Channel.init) ?? []
    users =
      json["users"]?.array?.compactMap { one in
        guard let id = one.array?.first?.string, let isOnline = one.array?.last?.bool else { return nil }
        return PeerMessage.Standing(user: id, isOnline: isOnline)
      } ?? []
  }
}

extension PeerMessage.Channel {
  /// [name, subscriptions, [[member, is there, info]]]
  fileprivate var json: JSON {
    let members = members.map { one -> JSON in
      .array([.string(one.user.id), .bool(one.isThere)] + (one.user.info.map { [$0] } ?? []))
    }
    return .array([.string(name), .int(subscriptions), .array(members)])
  }

  fileprivate init?(_ json: JSON) {
    guard let parts = json.array, parts.count == 3, let name = parts[0].string, let count = parts[1].int else {
      return nil
    }
    (self.name, subscriptions) = (name, count)
    members =
      parts[2].array?.compactMap { one in
        guard let values = one.array, values.count >= 2, let id = values[0].string, let isThere = values[1].bool
        else { return nil }
        return PeerMessage.Member(user: User(id: id, info: values.dropFirst(2).first), isThere: isThere)
      } ?? []
  }
}
