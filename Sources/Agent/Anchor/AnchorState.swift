package import AnchorWatch
package import Positions
package import Wire

/// The agent's record of its watch, `anchor.json` in its folder: what it watches, whether it is armed, and what rings.
/// With it the watch goes on after any end of the process, by itself.
package struct AnchorState: Equatable, Sendable {
  static let file = "anchor.json"

  package var form: WatchSettingsForm? {
    didSet { if form == nil { before = oldValue ?? before } }
  }
  /// The settings of the anchor that was weighed last, which the next one begins with.
  package private(set) var before: WatchSettingsForm?
  package var isArmed = false
  /// Seconds since 1970, since when it is armed.
  package var since: Double?
  /// The number of the hub's message that was taken last.
  package var version = 0
  /// The address of the hub that numbered it; nil for one of before this was kept.
  package private(set) var hub: String?
  /// The last order given on this machine that the hub has not judged: until then, what it had does not undo it.
  package var order: Order?
  /// The event that rings on the loudspeaker until somebody acts, and when it came.
  package var ringing: Ringing?
  /// The event that somebody has acted upon last.
  package var acknowledged: Double?
  /// The boat's place outside when somebody said that they are on it; nil once that alarm is over.
  package var outside: Outside?

  package struct Outside: Equatable, Sendable {
    /// Metres from the anchor, and beyond the zone's edge: into a sector that is kept out she can go at the same
    /// distance.
    package var distance: Double
    package var beyond: Double

    package init(distance: Double, beyond: Double) { (self.distance, self.beyond) = (distance, beyond) }

    /// Nil for a boat that is not outside.
    package init?(_ watch: AnchorWatch?) {
      guard let watch, watch.state == .alarm else { return nil }
      self.init(distance: watch.distance, beyond: -watch.room)
    }

    /// True if she lies further out than then.
    package func isLeft(by watch: AnchorWatch) -> Bool {
      watch.distance > distance + AgentWatchLimits.againMetres || -watch.room > beyond + AgentWatchLimits.againMetres
    }
  }

  package struct Ringing: Equatable, Sendable {
    package var kind: String
    package var at: Double
    /// True for one that rings without a pause; false for a warning.
    package var isAlarm: Bool
    /// True when all is well again, but nobody has acted.
    package var isOver = false

    package init(kind: String, at: Double, isAlarm: Bool, isOver: Bool = false) {
      (self.kind, self.at, self.isAlarm, self.isOver) = (kind, at, isAlarm, isOver)
    }

    static let drill = "drill"
    /// True for a drill, which gives way to whatever is meant.
    var isDrill: Bool { kind == Self.drill }

    /// Decides what rings after an event. An alarm that is over is heard now and then until somebody acts; a warning
    /// takes the place of neither, since she comes back by the band along the edge.
    /// - Parameter isOutside: true if she lies where she must not.
    package static func after(_ event: WatchKind, at: Double, _ before: Ringing?, isOutside: Bool) -> Ringing? {
      switch event {
      case .alarm, .positionLost, .depth: return Ringing(kind: "\(event.name)", at: at, isAlarm: true)
      case .warning, .creep, .windShift:
        if let before, before.isAlarm, !before.isDrill { return before }
        return Ringing(kind: "\(event.name)", at: at, isAlarm: false)
      case .clear, .positionBack:
        guard var ringing = before else { return nil }
        // Heard again where she must not lie: that rings on, since no second alarm comes of it.
        if isOutside {
          (ringing.kind, ringing.isAlarm) = ("\(WatchKind.alarm.name)", true)
          return ringing
        }
        // A boat that lies well may still have too little water below her.
        if ringing.isDrill || event == .clear && ringing.kind == "\(WatchKind.depth.name)" { return ringing }
        ringing.isOver = true
        return ringing.isAlarm ? ringing : nil
      case .gap: return before
      }
    }
  }

  package struct Order: Equatable, Sendable {
    /// Its name in a report.
    static let member = "anchor"

    /// Seconds since 1970.
    package var at: Double
    /// The time of the last drop, which begins another anchorage in the hub's history.
    package var droppedAt: Double?
    /// True if the hub does not take orders from here.
    package var isRefused = false

    package init(at: Double, droppedAt: Double? = nil, isRefused: Bool = false) {
      (self.at, self.droppedAt, self.isRefused) = (at, droppedAt, isRefused)
    }
  }

  package init() {}

  /// Further requests of a message of the hub.
  package struct News: Equatable, Sendable {
    package var hasChanged = false
    package var acknowledges = false
    /// True if the hub knows less than the boat, whose watch goes on.
    package var isKept = false
    package var fault: String?
  }

  /// Takes over a message of the hub, or its answer to a report:
  /// `{"version", "armed", "settings", "acknowledged"}`. What is wrong with it is told, and changes nothing.
  /// - Parameters:
  ///   - isAnswer: true for an answer, which is what the hub has now; a push may be late.
  ///   - told: what this was when the report was written which it answers.
  ///   - hub: the address that it came from.
  package mutating func take(
    _ json: JSON, now: Double, isAnswer: Bool, told: AnchorState? = nil, hub: String? = nil
  ) -> News {
    var news = News()
    news.acknowledges = json["acknowledged"]?.bool == true
    guard let version = json["version"]?.int else { return news }
    let before = self
    // The numbers of two hubs say nothing of each other.
    let isStranger = hub != nil && self.hub != nil && hub != self.hub
    if let order {
      guard isAnswer, order.isRefused || order == told?.order else {
        // The order before it was on its way when it was given. The hub has that one now, so this one follows it.
        if isAnswer, let told, told.toldOrder != nil, told.isAs(json) { self.version = version }
        return news
      }
      self.order = nil
      news.hasChanged = true
      if order.isRefused {
        // A watch never ends because a hub does not know of it; ended there later, it ends here too.
        (self.version, self.hub) = (version, hub ?? self.hub)
        return news
      }
    }
    let known = told?.version ?? self.version
    if isAnswer {
      self.hub = hub ?? self.hub
      // One that is older than a push which overtook it says nothing of a hub that has gone back.
      guard isStranger || version > self.version || version < known else {
        news.hasChanged = self != before
        return news
      }
      if isArmed, isStranger ? json["armed"]?.bool != true : version < known, !isAs(json) {
        goOn(at: now, against: json, version: version, dropped: before.order?.droppedAt)
        (news.hasChanged, news.isKept) = (true, true)
        return news
      }
    } else if isStranger || version <= self.version {
      return news
    }
    if let settings = json["settings"] {
      do throws(WatchSettingsForm.Fault) {
        form = settings == .null ? nil : try WatchSettingsForm(settings)
      } catch {
        news.fault = error.message
        return news
      }
    }
    arm(json["armed"]?.bool ?? isArmed, now: now)
    self.version = version
    news.hasChanged = self != before
    return news
  }

  /// The hub was restored from a backup, or is another one: what the boat watches is told to it as if it were ordered
  /// now. Weighed there afterwards, it is weighed here.
  private mutating func goOn(at now: Double, against json: JSON, version: Int, dropped: Double?) {
    let anchor = json["settings"].flatMap { try? WatchSettingsForm($0) }?.settings.anchor
    let isThere = anchor != nil && anchor == form?.settings.anchor
    order = Order(at: now, droppedAt: dropped ?? (isThere ? nil : since ?? now))
    self.version = version
  }

  /// True if the hub's message says the same of the anchor and its watch.
  private func isAs(_ json: JSON) -> Bool {
    guard json["armed"]?.bool == isArmed, let settings = json["settings"] else { return false }
    return settings == .null ? form == nil : (try? WatchSettingsForm(settings)) == form
  }

  /// Somebody has given an order on this machine.
  package mutating func ordered(at now: Double, isDrop: Bool) {
    order = Order(at: now, droppedAt: isDrop ? now : order?.droppedAt)
  }

  /// Somebody has set the machine's clock, by which all times here are. To a machine that slept it looks the same, as
  /// if set ahead: an order that ended a watch grows old then, or it would end one that was begun meanwhile.
  package mutating func clockWasSet(by step: Double) {
    since = since.map { $0 + step }
    acknowledged = acknowledged.map { $0 + step }
    ringing?.at += step
    guard var moved = order, step < 0 || isArmed else { return }
    moved.at += step
    moved.droppedAt = moved.droppedAt.map { $0 + step }
    order = moved
  }

  /// The order that a report tells; nil also for one that the hub does not take.
  package var toldOrder: Order? { order?.isRefused == true ? nil : order }

  /// The order as a report tells it: with the version that it followed, and by its age, since the clocks of boat and
  /// hub differ.
  package func orderMember(now: Double) -> [JSON.Member] {
    guard let order = toldOrder else { return [] }
    /// Beyond what the hub takes, it was given by a clock that knew no time. A watch counts as begun just now, lest
    /// something older ends it; what ends one counts as the oldest.
    func age(_ time: Double) -> Double {
      let age = max(0, now - time)
      return age <= AgentWatchLimits.orderAge ? age : isArmed ? 0 : AgentWatchLimits.orderAge
    }
    let told: JSON = [
      "version": .int(version), "age_s": .double(age(order.at)), "dropped_age_s": JSON(order.droppedAt.map(age)),
      "armed": .bool(isArmed), "settings": form?.json ?? .null,
    ]
    return [.init(Order.member, told)]
  }

  package mutating func arm(_ armed: Bool, now: Double) {
    let armed = armed && form != nil
    if armed != isArmed { since = armed ? now : nil }
    isArmed = armed
    if !armed { (ringing, outside) = (nil, nil) }
  }

  // MARK: On the disk

  /// - Parameter bytes: those of the file.
  init(_ bytes: [UInt8], fault: inout String?) {
    if let json = try? JSON(parsing: bytes) {
      self.init(json, fault: &fault)
    } else {
      self.init()
      fault = "it is no JSON"
    }
  }

  /// A damaged part is left out, with the reason.
  package init(_ json: JSON, fault: inout String?) {
    if let settings = json["settings"], settings != .null {
      do throws(WatchSettingsForm.Fault) {
        form = try WatchSettingsForm(settings)
      } catch {
        fault = error.message
      }
    }
    before = json["before"].flatMap { try? WatchSettingsForm($0) }
    isArmed = json["armed"]?.bool == true && form != nil
    since = json["since"]?.number
    version = json["version"]?.int ?? 0
    hub = json["hub"]?.string
    if let told = json["order"], let at = told["at"]?.number {
      order = Order(at: at, droppedAt: told["dropped_at"]?.number, isRefused: told["refused"]?.bool ?? false)
    }
    acknowledged = json["acknowledged_at"]?.number
    if let told = json["outside"], let distance = told["distance_m"]?.number, let beyond = told["beyond_m"]?.number {
      outside = Outside(distance: distance, beyond: beyond)
    }
    if let told = json["ringing"], let kind = told["kind"]?.string, let at = told["at"]?.number {
      ringing = Ringing(
        kind: kind, at: at, isAlarm: told["alarm"]?.bool ?? true, isOver: told["over"]?.bool ?? false)
    }
  }

  package var json: JSON {
    let told: JSON? = ringing.map {
      ["kind": .string($0.kind), "at": .double($0.at), "alarm": .bool($0.isAlarm), "over": .bool($0.isOver)]
    }
    let order: JSON? = self.order.map {
      ["at": .double($0.at), "dropped_at": JSON($0.droppedAt), "refused": .bool($0.isRefused)]
    }
    let outside: JSON? = self.outside.map { ["distance_m": .double($0.distance), "beyond_m": .double($0.beyond)] }
    return [
      "version": .int(version), "hub": JSON(hub), "armed": .bool(isArmed), "since": JSON(since),
      "settings": form?.json ?? .null, "before": before?.json ?? .null, "order": order ?? .null,
      "ringing": told ?? .null, "acknowledged_at": JSON(acknowledged), "outside": outside ?? .null,
    ]
  }
}
