import Lifecycle
import Observe
import Realtime
public import Store
public import Wire

/// A change in progress: rows, audit, live events and rings, of which all happen or nothing does. Valid inside the
/// transaction of `Hub.commit`, on the writer's thread.
public final class Change {
  public let database: Database
  /// The actor of the change.
  public let principal: Principal
  /// Seconds since 1970.
  public let now: Double
  /// Greater than the numbers of all changes before. Live events carry it, and so do answers (`Response.asOf`).
  public let number: Int

  private let hub: Hub
  private var work: [() -> Void] = []
  private var news: [() -> Void] = []
  private var hasRung = false

  init(_ hub: Hub, _ database: Database, by principal: Principal) {
    self.hub = hub
    self.database = database
    self.principal = principal
    now = hub.time.now
    number = hub.commits.next()
  }

  /// Adds an entry to the audit.
  /// - Parameters:
  ///   - what: the subject and the action, such as "settings.changed"; pages have words for it.
  ///   - about: the person or thing concerned, by name. No secrets.
  ///   - somebody: the actor, if that is not who asked, such as somebody who has just signed in.
  public func audit(_ what: String, about: String? = nil, by somebody: Principal? = nil) throws(StoreError) {
    try database.audit(somebody ?? principal, what, about: about, now: now)
  }

  /// Sends a live event to a channel after the commit, in the order of the commits. Clients that miss it fetch the
  /// state.
  /// - Parameter data: called after the commit, and only if there is a listener.
  public func publish(
    _ event: String, on channel: Channel, _ data: @escaping @Sendable @autoclosure () -> JSON
  ) {
    let (channels, number) = (hub.channels, number)
    guard let cluster = hub.cluster else {
      return news.append { channels.publish(event, on: channel.name, commit: number, data()) }
    }
    database.touch(.channel(channel.name))
    news.append { cluster.pass(PassedEvent(event: event, channel: channel.name, commit: number, data: data())) }
  }

  /// True if other hubs may change the store too.
  var hasOthers: Bool { hub.cluster != nil }

  /// Adds a ring to the outbox: it is written with the change, and delivered to every receiver until that has
  /// acknowledged it.
  /// - Parameters:
  ///   - topic: the event, such as "sign.opened".
  ///   - content: the data for a notification about it.
  public func ring(_ topic: String, _ content: JSON) throws(StoreError) {
    try database.addRing(topic, content, now: now)
    hasRung = true
    database.touch(.outbox)
  }

  /// Takes notifications of the room back from all devices and lists: what they say is not so any more.
  /// - Parameters:
  ///   - collapseIDs: those of the bells that the room has rung.
  ///   - topic: the event, such as "kettle.cold".
  public func takeBack(_ collapseIDs: [String], _ topic: String) throws(StoreError) {
    try ring(topic, ["taken_back": .array(collapseIDs.map(JSON.string))])
  }

  /// Runs `work` on the writer's thread after the commit, before live events are sent and before the caller of `commit`
  /// continues: for updating what a room has in memory. It must be short, since all writers wait for it.
  public func then(_ work: @escaping () -> Void) { self.work.append(work) }

  /// Somebody has lost rights: those of all listeners of private channels are checked again.
  func rightsChanged() {
    let channels = hub.channels
    database.touch(.rights)
    then { channels.recheck() }
  }

  /// True if the first role has a right that the second has not.
  func losesRights(from: Role, to: Role) -> Bool {
    hub.roomList.rights.contains { $0.roles.contains(from) && !$0.roles.contains(to) }
  }

  /// Ends what rooms keep that was made with a token.
  func endBelongings(ofToken id: Int) throws(StoreError) { try hub.roomList.endBelongings(ofToken: id, in: self) }

  /// A person was removed or has lost rights: every room is told in the same transaction; one that is switched off,
  /// when it is on again (`Hub.tellReturnedRooms`).
  package func personLosesRights(_ id: Int, isRemoved: Bool) throws {
    rightsChanged()
    for room in hub.rooms {
      if isRemoved { try room.personRemoved(id, in: self) } else { try room.personLostRights(id, in: self) }
    }
    for room in hub.roomsOff { try database.keep(untold: id, to: room, isRemoved: isRemoved) }
  }

  /// A person has joined: every room is told in the same transaction.
  func personJoined(_ id: Int, as role: Role) throws {
    for room in hub.rooms { try room.personJoined(id, as: role, in: self) }
  }

  /// Signs a device out: every room is told in the same transaction.
  func removeDevice(_ id: Int) throws {
    try database.removeDevice(id)
    for room in hub.rooms { try room.deviceRemoved(id, in: self) }
  }

  /// Ends the change: nothing more can be added.
  func finish() {
    let (hub, number, hasRung) = (hub, number, hasRung)
    let (work, news) = (work, news)
    database.afterCommit {
      for each in work { each() }
      hub.commits.told(number)
      for each in news { each() }
      if hasRung { hub.outbox.wake() }
    }
  }
}
