import Lifecycle
import Observe
import Realtime
public import Store
public import Wire

/// One change in the making: what a room writes, whom it tells, and what rings, of which all happens or nothing does.
/// It is valid inside the transaction of `Hub.commit`, on the writer's thread.
public final class Change {
  public let database: Database
  /// Who changes something.
  public let principal: Principal
  /// Seconds since 1970.
  public let now: Double
  /// Greater than those of all changes before. Live events carry it, and so do answers (`Response.asOf`).
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

  /// Writes down who did what.
  /// - Parameters:
  ///   - what: the subject and what became of it, such as "settings.changed"; pages have words for it.
  ///   - about: whom or what it was done to, as people name it. No secrets.
  ///   - somebody: who did it, where that is not who asked, such as somebody who just came in.
  public func audit(_ what: String, about: String? = nil, by somebody: Principal? = nil) throws(StoreError) {
    try database.audit(somebody ?? principal, what, about: about, now: now)
  }

  /// Tells a channel after the commit, behind the events of earlier commits. It is news, not truth: whoever misses it
  /// fetches.
  /// - Parameter data: asked for after the commit, and only if somebody listens.
  public func publish(
    _ event: String, on channel: String, _ data: @escaping @Sendable @autoclosure () -> JSON
  ) {
    let (channels, number) = (hub.channels, number)
    news.append { channels.publish(event, on: channel, commit: number, data()) }
  }

  /// Has something ring: it is written with the change, and told to every receiver of the outbox until that has
  /// acknowledged it.
  /// - Parameters:
  ///   - topic: what happened, such as "sign.opened".
  ///   - content: what a notification about it needs.
  public func ring(_ topic: String, _ content: JSON) throws(StoreError) {
    let dropped = try database.addRing(topic, content, now: now)
    if dropped > 0 { hub.log.error("rings that nobody has taken were dropped", ["count": "\(dropped)"]) }
    hasRung = true
  }

  /// Does something on the writer's thread after the commit, before live events leave and before the caller of `commit`
  /// goes on: where a room keeps in memory what was written. It must be short, since all writers wait for it.
  public func then(_ work: @escaping () -> Void) { self.work.append(work) }

  /// Somebody may less than before: listeners of private channels are asked again who they are.
  func rightsChanged() {
    let channels = hub.channels
    then { channels.recheck() }
  }

  /// A person is removed, or may less than before: every room is asked in the same transaction.
  package func personLosesRights(_ id: Int, isRemoved: Bool) throws {
    rightsChanged()
    for room in hub.rooms {
      if isRemoved { try room.personRemoved(id, in: self) } else { try room.personLostRights(id, in: self) }
    }
  }

  /// To be called once the body is done: nothing more can be added.
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
