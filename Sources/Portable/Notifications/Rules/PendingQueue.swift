public import CivilTime

/// The local requests that wait for their triggers: any number up to `NotificationLimits.pending`, of which the
/// soonest 64 are armed. Whenever one fires or goes, the next soonest takes its place, so none is ever lost. Those that
/// wait for a place need no timer and are not among the 64.
///
/// The queue holds ids and triggers only; the contents stay on disk with whoever holds the queue. The same id added
/// again replaces the earlier one. Times are seconds since 1970.
public struct PendingQueue: Sendable {
  public struct Entry: Equatable, Sendable {
    let idText: [UInt8]
    public let trigger: Trigger?
    /// The time at which it was added; intervals count from here.
    public fileprivate(set) var added: EpochSeconds
    /// The time at which it fired last; before the first time, `added`.
    public fileprivate(set) var last: EpochSeconds
    /// The local time on the clock at `last`, in seconds since 1970 as if the zone were UTC.
    public fileprivate(set) var lastWall: EpochSeconds
    /// The time at which it fires; nil while it waits for a place.
    public fileprivate(set) var due: EpochSeconds?
    /// True if the device was inside its circle at the last fix; nil before the first fix.
    public fileprivate(set) var isInside: Bool?

    public var id: String { String(decoding: idText, as: UTF8.self) }

    public init(
      _ request: Request, added: EpochSeconds, last: EpochSeconds, lastWall: EpochSeconds, due: EpochSeconds?,
      isInside: Bool? = nil
    ) {
      self.init(
        idText: request.json["id"]?.utf8Text ?? [], trigger: request.trigger, added: added, last: last,
        lastWall: lastWall, due: due, isInside: isInside)
    }

    package init(
      idText: [UInt8], trigger: Trigger?, added: EpochSeconds, last: EpochSeconds, lastWall: EpochSeconds,
      due: EpochSeconds?, isInside: Bool?
    ) {
      (self.idText, self.trigger, self.added, self.last) = (idText, trigger, added, last)
      (self.lastWall, self.due, self.isInside) = (lastWall, due, isInside)
    }
  }

  /// A request that fires now.
  public struct Firing: Equatable, Sendable {
    let idText: [UInt8]
    /// The time at which it should have fired: earlier than now if the device was off.
    public let due: EpochSeconds
    /// The request stays, since it repeats.
    public let staysPending: Bool

    public var id: String { String(decoding: idText, as: UTF8.self) }
  }

  /// The zone that a trigger names, or the device's for nil; the device's too if nobody knows the name.
  public typealias Zones = (ZoneName?) -> Zone

  /// By id.
  private var entries: [Entry] = []
  /// Places in `entries` of those that are armed, the soonest first.
  private var armedPlaces: [Int] = []

  public init() {}

  /// A queue as it was kept, in any order. What fell due meanwhile fires with the next `fire`.
  public init(restoring entries: [Entry]) {
    self.entries = entries.sorted { isBefore($0.idText, $1.idText) }
    arm()
  }

  // MARK: Adding and removing

  /// Adds a request; one that would never fire is refused.
  public mutating func add(_ request: Request, now: EpochSeconds, zones: Zones) -> Refusal? {
    var faults = Faults()
    let id = request.json["id"]?.utf8Text ?? []
    let (place, isThere) = place(of: id)
    guard isThere || entries.count < NotificationLimits.pending else {
      faults.refuse(
        [], seen: digits(Int64(entries.count)) + utf8(" are pending"),
        .words("a request is accepted once another has fired or was removed"))
      return faults.refusal
    }
    let wall = zone(of: request.trigger, zones).wall(at: now).seconds
    var entry = Entry(
      idText: id, trigger: request.trigger, added: now, last: now, lastWall: wall, due: now, isInside: nil)
    if case .location? = entry.trigger {
      entry.due = nil
    } else if let trigger = entry.trigger {
      entry.due = trigger.next(after: now, added: now, in: zone(of: trigger, zones))
      if entry.due == nil {
        faults.refuse(
          utf8("trigger"), seen: request.json["trigger"]?.text ?? [], .words("a time that is still to come is accepted")
        )
        return faults.refusal
      }
    }
    if isThere {
      entries[place] = entry
      arm()
    } else {
      entries.insert(entry, at: place)
      for index in armedPlaces.indices where armedPlaces[index] >= place { armedPlaces[index] += 1 }
      arm(place, in: &armedPlaces)
    }
    return nil
  }

  /// True if there was one.
  public mutating func remove(_ id: String) -> Bool { remove(Array(id.utf8)) }

  mutating func remove(_ id: [UInt8]) -> Bool {
    let (place, isThere) = place(of: id)
    guard isThere else { return false }
    entries.remove(at: place)
    arm()
    return true
  }

  // MARK: Firing

  /// Fires the requests that are due, the earliest first. One that repeats fires once for all the times that were
  /// missed.
  public mutating func fire(now: EpochSeconds, zones: Zones) -> [Firing] {
    guard let next, next <= now else { return [] }
    var fired: [Firing] = []
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count)
    for var entry in entries {
      guard let due = entry.due, due <= now else {
        kept.append(entry)
        continue
      }
      entry.last = now
      entry.lastWall = zone(of: entry.trigger, zones).wall(at: now).seconds
      entry.due = nil
      if let trigger = entry.trigger, trigger.repeats {
        entry.due = trigger.next(after: now, added: entry.added, in: zone(of: trigger, zones))
      }
      if entry.due != nil { kept.append(entry) }
      fired.append(Firing(idText: entry.idText, due: due, staysPending: entry.due != nil))
    }
    entries = kept
    arm()
    fired.sort { $0.due != $1.due ? $0.due < $1.due : isBefore($0.idText, $1.idText) }
    return fired
  }

  /// Fires the requests whose circle the device has entered or left. The first fix only tells on which side of a circle
  /// it is.
  public mutating func moved(to fix: Fix, now: EpochSeconds) -> [Firing] {
    var fired: [Firing] = []
    var kept: [Entry] = []
    for var entry in entries {
      guard case .location(let circle, let crossing, let repeats)? = entry.trigger else {
        kept.append(entry)
        continue
      }
      let was = entry.isInside
      let isInside = circle.contains(fix, wasInside: was)
      entry.isInside = isInside
      if let was, was != isInside, crossing == .both || (crossing == .enter) == isInside {
        entry.last = now
        fired.append(Firing(idText: entry.idText, due: now, staysPending: repeats))
        if !repeats { continue }
      }
      kept.append(entry)
    }
    let haveGone = kept.count != entries.count
    entries = kept
    if haveGone { arm() }
    return fired
  }

  // MARK: Clocks

  /// To be called when the device's clock was set. Intervals count seconds and go on as if it had not been. Calendar
  /// triggers go by the new time: after a small step nothing comes twice, and the times that were skipped are due at
  /// once; a large step corrects a wrong clock, so the times that were kept are corrected too.
  public mutating func clockWasSet(by seconds: EpochSeconds, zones: Zones) {
    let isLarge = seconds.magnitude >= NotificationLimits.largeStep.magnitude
    for index in entries.indices {
      let isInterval = if case .interval? = entries[index].trigger { true } else { false }
      guard isInterval || isLarge else { continue }
      entries[index].added += seconds
      entries[index].last += seconds
      entries[index].lastWall += seconds
      if isInterval { entries[index].due = entries[index].due.map { $0 + seconds } }
    }
    zoneChanged(zones: zones)
  }

  /// To be called when the device is in another zone. Calendar triggers are worked out anew from the local time at
  /// which they fired last: times that the clock skips in going east are due at once, and times that it shows again in
  /// going west fire again.
  public mutating func zoneChanged(zones: Zones) {
    for index in entries.indices {
      let entry = entries[index]
      guard case .calendar? = entry.trigger, let trigger = entry.trigger else { continue }
      let zone = zone(of: trigger, zones)
      var start = entry.last
      if EpochSeconds(zone.offset(at: start)) != entry.lastWall - start {
        start = min(start, zone.instant(of: WallTime(seconds: entry.lastWall)))
      }
      // One that has no time any more, since its only one went by in the change, keeps the time it had.
      if let due = trigger.next(after: start, added: min(start, entry.added), in: zone) { entries[index].due = due }
    }
    arm()
  }

  // MARK: Looking

  /// All that are pending, by id.
  public var all: [Entry] { entries }
  /// Those that are armed, the soonest first.
  public var armed: [Entry] { armedPlaces.map { entries[$0] } }
  /// The time at which the next one fires; the only timer that is needed.
  public var next: EpochSeconds? { armedPlaces.first.flatMap { entries[$0].due } }
  public var count: Int { entries.count }

  public subscript(_ id: String) -> Entry? {
    let (place, isThere) = place(of: Array(id.utf8))
    return isThere ? entries[place] : nil
  }

  // MARK: Order

  /// The index of an id; if it is not there, the index at which it would be.
  private func place(of id: [UInt8]) -> (Int, isThere: Bool) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle].idText, id) { low = middle + 1 } else { high = middle }
    }
    return (low, low < entries.count && entries[low].idText == id)
  }

  /// Arms the soonest, in one pass over all.
  private mutating func arm() {
    var armed: [Int] = []
    armed.reserveCapacity(NotificationLimits.armed + 1)
    for index in entries.indices { arm(index, in: &armed) }
    armedPlaces = armed
  }

  /// Puts an entry among those armed, if it is sooner than the last of 64. Most are compared with that one only.
  private func arm(_ index: Int, in armed: inout [Int]) {
    guard let due = entries[index].due else { return }
    var place = armed.count
    while place > 0, let other = entries[armed[place - 1]].due,
      other > due || (other == due && armed[place - 1] > index)
    {
      place -= 1
    }
    guard place < NotificationLimits.armed else { return }
    armed.insert(index, at: place)
    if armed.count > NotificationLimits.armed { armed.removeLast() }
  }

  private func zone(of trigger: Trigger?, _ zones: Zones) -> Zone {
    if case .calendar(_, let name, _)? = trigger { return zones(name) }
    return zones(nil)
  }
}
