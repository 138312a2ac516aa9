import Synchronization

/// The last events of a channel, and the places of clients that were lost: a client that comes back gets what came
/// since, each event once and in order, or is told that some are not kept any more.
package struct History: Sendable {
  package struct Event: Sendable, Equatable {
    package var serial: Int
    var uptime: Double
    package var event: String
    package var data: String
    var commit: Int?
    var userID: String?

    /// An estimate of the memory.
    var bytes: Int { event.utf8.count + data.utf8.count + (userID?.utf8.count ?? 0) + 96 }
  }

  /// The data by which a client is recognised when it returns.
  package struct Visitor: Sendable, Equatable {
    /// Its user, signed in or a member of the channel.
    package var user: String?
    /// A digest of its address and program, for a client without a user.
    package var fingerprint: Int

    package init(user: String?, fingerprint: Int) {
      self.user = user
      self.fingerprint = fingerprint
    }

    /// Two users are never the same client, however alike their programs.
    func mayBe(_ other: Visitor) -> Bool {
      if let user, let otherUser = other.user { return user == otherUser }
      return fingerprint == other.fingerprint
    }
  }

  private struct Place: Sendable {
    let visitor: Visitor
    /// The last event that it was sent; nil if it is unknown which one arrived.
    let serial: Int?
    let uptime: Double

    /// An estimate of the memory.
    var bytes: Int { (visitor.user?.utf8.count ?? 0) + 64 }
  }

  /// The answer to a client that has come back.
  package enum Missed: Equatable, Sendable {
    /// A new client.
    case nothing
    case events([Event])
    case gap
  }

  /// The number of the newest event. Numbers begin at the wall clock's microseconds, so that those from before a
  /// restart are recognised as older, and are exact in JavaScript. Where there are several hubs they begin at its
  /// seconds and a random part of them: each hub numbers for itself, and a number of another one is unknown to it.
  package private(set) var serial: Int
  /// All events after this one are kept.
  private var start: Int
  private var events: [Event] = []
  /// The events at the beginning that have been dropped, until the list is shortened.
  private var dropped = 0
  private var places: [Place] = []
  private(set) var eventBytes = 0
  private(set) var placeBytes = 0

  /// - Parameter now: seconds since 1970.
  package init(now: Double, isOneOfSeveral: Bool = false) {
    serial = isOneOfSeveral ? Int(now) << 21 + Int.random(in: 0..<1 << 21) : Int(now * 1_000_000)
    start = serial
  }

  package var isEmpty: Bool { !hasEvents && places.isEmpty }
  var bytes: Int { eventBytes + placeBytes }
  var hasEvents: Bool { dropped < events.count }
  var placeCount: Int { places.count }

  /// - Returns: the event's number.
  package mutating func append(
    _ event: String, data: String, commit: Int? = nil, userID: String? = nil, uptime: Double
  ) -> Int {
    serial += 1
    let entry = Event(serial: serial, uptime: uptime, event: event, data: data, commit: commit, userID: userID)
    events.append(entry)
    eventBytes += entry.bytes
    return serial
  }

  /// Drops what is beyond the bounds.
  package mutating func trim(count: Int, seconds: Double, uptime: Double) {
    while dropped < events.count,
      events.count - dropped > count || events[dropped].uptime < uptime - seconds
    {
      dropOldest()
    }
    let old = places.prefix { $0.uptime < uptime - seconds }
    placeBytes -= old.reduce(0) { $0 + $1.bytes }
    places.removeFirst(old.count)
  }

  /// Drops the oldest events until at most so many bytes of them are left.
  package mutating func trim(bytes most: Int) {
    while eventBytes > most, dropped < events.count { dropOldest() }
  }

  private mutating func dropOldest() {
    start = events[dropped].serial
    eventBytes -= events[dropped].bytes
    // Its texts take no memory any more.
    events[dropped] = Event(serial: start, uptime: 0, event: "", data: "")
    dropped += 1
    if dropped > 32, dropped * 2 > events.count {
      events.removeFirst(dropped)
      dropped = 0
    }
  }

  /// Keeps the place of a client that was lost.
  /// - Parameters:
  ///   - serial: the last event that it was sent; nil if it is unknown which one arrived.
  ///   - mayGrow: false if the place has to be that of other clients, the first that were lost.
  package mutating func leave(_ visitor: Visitor, at serial: Int?, uptime: Double, mayGrow: Bool = true) {
    let place = Place(visitor: visitor, serial: serial, uptime: uptime)
    if !mayGrow {
      guard placeBytes >= place.bytes else { return }
      // Several may have to go for one: names of users are long or short.
      var freed = 0
      while freed < place.bytes { freed += removePlace(at: 0).bytes }
    } else if places.count >= RealtimeLimits.places {
      _ = removePlace(at: 0)
    }
    places.append(place)
    placeBytes += place.bytes
  }

  private mutating func removePlace(at index: Int) -> Place {
    let place = places.remove(at: index)
    placeBytes -= place.bytes
    return place
  }

  /// The events that a client has missed.
  /// - Parameter since: the last event that it says it has got; without it its place is looked for, and used up.
  package mutating func missed(by visitor: Visitor, since: Int?) -> Missed {
    if let since { return after(since) }
    guard let index = places.firstIndex(where: { $0.visitor.mayBe(visitor) }) else { return .nothing }
    return after(removePlace(at: index).serial)
  }

  private func after(_ seen: Int?) -> Missed {
    guard let seen, seen >= start, seen <= serial else { return .gap }
    return .events(events[dropped...].filter { $0.serial > seen })
  }
}

/// The memory that histories of all apps may take together.
package final class HistoryBudget: Sendable {
  private let taken = Atomic(0)

  package init() {}

  package var isSpent: Bool { taken.load(ordering: .relaxed) >= RealtimeLimits.allHistoryBytes }
  package func change(by bytes: Int) { taken.add(bytes, ordering: .relaxed) }
}
