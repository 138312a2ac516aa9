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
    /// When it was added; intervals count from here.
    public fileprivate(set) var added: EpochSeconds
    /// When it fired last; before the first time, when it was added.
    public fileprivate(set) var last: EpochSeconds
    /// What the clock showed then, in wall seconds since 1970.
    public fileprivate(set) var lastWall: EpochSeconds
    /// When it fires; nil while it waits for a place.
    public fileprivate(set) var due: EpochSeconds?
    /// On which side of its circle the device was last; nil before the first fix.
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

  /// A request that appears now.
  public struct Firing: Equatable, Sendable {
    let idText: [UInt8]
    /// When it should have: earlier than now if the device was off.
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

  /// What is due, the earliest first. One that repeats fires once for all the times that were missed.
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

  /// What appears because of where the device is now. The first fix only says on which side of a circle it is.
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
    if kept.count != entries.count {
      entries = kept
      arm()
    } else {
      entries = kept
    }
    return fired
  }

  // MARK: Clocks

  /// The device's clock was set. Intervals go on as if it had not been, since they count seconds. What follows the
  /// calendar goes by the new time: after a small step nothing comes twice, and what was skipped is due at once; a
  /// large one sets a wrong clock right, so the times that were kept are set right too.
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

  /// The device is in another zone: what follows the calendar is worked out anew, from what its clock showed last. What
  /// the clock has passed by, in going east, is due at once; what it shows again, in going west, fires again.
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
  /// When the next one fires: the one timer that is needed.
  public var next: EpochSeconds? { armedPlaces.first.flatMap { entries[$0].due } }
  public var count: Int { entries.count }

  public subscript(_ id: String) -> Entry? {
    let (place, isThere) = place(of: Array(id.utf8))
    return isThere ? entries[place] : nil
  }

  // MARK: Order

  /// Where an id is, or would be.
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
