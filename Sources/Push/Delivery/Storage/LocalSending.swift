import Store
import Wire

/// Sending at the local time of each device: one notification, to whose deliveries devices are added as the time comes
/// where they are.
extension Database {
  /// Sends a notification to those of its devices whose time has come since the last look. Recipients who are added
  /// after their time are not rung late.
  /// - Parameters:
  ///   - looked: the time of the last look; nil for the first.
  ///     - isDay: true for one day of a rule. Nothing is kept of a day that was nobody's time, as the first may be.
  /// - Returns: nil if it was nobody's time.
  func sendLocal(
    _ submission: Submission, _ local: LocalTime, id: Int, looked: Double?, isDay: Bool, now: Double
  ) throws(StoreError) -> Submitted? {
    let next = local.nextLook(after: now)
    let known = try notification(id)
    // Once it was answered or taken back where it has rung, it rings nowhere else.
    let isEnding = next == nil || (known.map { $0.state != .active } ?? false)
    if !isEnding, let next {
      try run("UPDATE push_scheduled SET at = ?, looked = ? WHERE id = ?", .double(next), .double(now), .int(id))
    } else {
      try run("DELETE FROM push_scheduled WHERE id = ?", .int(id))
    }
    let targets = try targets(of: submission.to)
    let start = looked ?? max(local.since, local.earliest - 1)
    func isDue(_ zone: String?) -> Bool {
      let instant = local.instant(deviceZone: zone)
      return instant > start && instant <= now
    }
    let has = Set(try rows("SELECT device FROM push_deliveries WHERE notification = ?", .int(id), read: { $0.int(0) }))
    let left = targets.devices.filter { !has.contains($0.id) }
    let due = left.filter { isDue($0.zone) }
    // Persons without a device have it in their list when it is time at the hub.
    let owners = Set(targets.devices.compactMap(\.person))
    let isTimeHere = isDue(nil)
    let dueOwners = Set(due.compactMap(\.person))
    let persons = targets.persons.filter {
      isEnding || dueOwners.contains($0) || isTimeHere && !owners.contains($0)
    }
    let isWorthKeeping = isEnding ? known != nil || !isDay : !persons.isEmpty
    guard isWorthKeeping || !due.isEmpty else { return nil }
    let isOver = submission.expiresAt.map { $0 <= now } ?? false
    if known == nil { try insert(submission, id: id, state: isOver ? .expired : .active, now: now) }
    guard let notification = try notification(id) else { return nil }
    let message = notification.message(version: notification.version)
    let obstacle = notification.obstacle(now: now)
    var wakes = try deliver(
      message, to: due, isCritical: submission.isCritical, obstacle: obstacle, now: now)
    if isEnding {
      let isDone = Set(due.map(\.id))
      let missed = TraceEvent(.suppressed, at: now, version: message.version, reason: .timeOver)
      wakes += try deliver(
        message, to: left.filter { !isDone.contains($0.id) }, isCritical: true, obstacle: obstacle ?? missed,
        now: now)
    }
    if notification.state == .active, !message.isSilent {
      try list(id, for: persons, collapse: submission.collapseID, now: now)
    }
    if obstacle == nil, !due.isEmpty, let repetition = submission.repetition {
      try `repeat`(id, repetition, now: now)
    }
    // Listeners have no zone: they hear of it when it rings for the first time.
    let news = known == nil && !isOver ? submission.news(message) : nil
    return Submitted(id: id, isScheduled: false, devices: due.count, persons: persons, wakes: wakes, news: news)
  }

  /// Begins the day of a rule, as a notification of its own, and waits for the next one.
  func beginDay(
    of submission: Submission, _ local: LocalTime, id: Int, _ nextDay: LocalTime.NextDay, now: Double
  ) throws(StoreError) {
    guard let rule = local.rule, var day = local.day else {
      return try run("DELETE FROM push_scheduled WHERE id = ?", .int(id))
    }
    var following = nextDay(rule, local.firstDay, day)
    // After an outage of days only the newest rings.
    var skipped = 0
    while local.on(day).latest <= now, let next = following, local.on(next).earliest <= now,
      skipped < DeliveryLimits.skippedDays
    {
      (day, following, skipped) = (next, nextDay(rule, local.firstDay, next), skipped + 1)
    }
    let today = local.on(day)
    try begin(today, of: submission, series: id, before: following.map(local.on), now: now)
    var rest = submission
    guard let following else {
      // It was the last day: until that is over everywhere, the row of the rule itself can be listed and cancelled.
      rest.local?.day = day
      return try run(
        "UPDATE push_scheduled SET at = ?, looked = ?, submission = ? WHERE id = ?", .double(today.latest),
        .double(now), .text(rest.json.text), .int(id))
    }
    rest.local?.day = following
    try run(
      "UPDATE push_scheduled SET at = ?, submission = ? WHERE id = ?", .double(local.on(following).firstLook(now)),
      .text(rest.json.text), .int(id))
  }

  /// - Parameters:
  ///   - next: the day after it; nil for the last one.
  ///   - looked: nobody is rung for a time until then; nil for the whole day.
  private func begin(
    _ day: LocalTime, of submission: Submission, series: Int, before next: LocalTime?, looked: Double? = nil,
    now: Double
  ) throws(StoreError) {
    var one = submission
    one.local = day
    let lifetime = day.latest + DeliveryLimits.seriesLifetime
    one.expiresAt = min(next?.latest ?? lifetime, lifetime)
    let id = try nextNotification(now)
    try schedule(one, id: id, at: now, series: series)
    if let looked { try run("UPDATE push_scheduled SET looked = ? WHERE id = ?", .double(looked), .int(id)) }
  }

  /// Puts back the rules whose next day a clock has passed over that was ahead. Of days that are under way somewhere
  /// by the right clock, only the hours to come ring.
  func putRulesBack(_ nextDay: LocalTime.NextDay, now: Double) throws(StoreError) {
    let rules = try rows(
      """
      SELECT id, submission FROM push_scheduled
      WHERE series IS NULL AND looked IS NULL AND submission LIKE '%"rule":"%'
      """, read: { (id: $0.int(0), submission: Submission(stored: $0.text(1))) })
    for (id, submission) in rules {
      guard var rest = submission, let local = rest.local, let rule = local.rule, let day = local.day else { continue }
      let begun = local.lastBegun(now)
      guard let next = nextDay(rule, local.firstDay, begun), next < day else { continue }
      var underWay: Set<Int> = []
      for row in try days(ofSeries: id) {
        guard let day = try scheduled(row)?.local?.day else { continue }
        underWay.insert(day)
        // The rule will begin it anew.
        if day > begun { try run("DELETE FROM push_scheduled WHERE id = ?", .int(row)) }
      }
      var passed = nextDay(rule, local.firstDay, local.lastOver(now))
      while let one = passed, one <= begun {
        passed = nextDay(rule, local.firstDay, one)
        if underWay.contains(one) { continue }
        try begin(local.on(one), of: rest, series: id, before: passed.map(local.on), looked: now, now: now)
      }
      rest.local?.day = next
      try run(
        "UPDATE push_scheduled SET at = ?, submission = ? WHERE id = ?", .double(local.on(next).firstLook(now)),
        .text(rest.json.text), .int(id))
    }
  }
}

extension LocalTime {
  /// One day of a rule.
  func on(_ day: Int) -> LocalTime {
    var one = self
    (one.day, one.rule) = (day, nil)
    return one
  }

  func firstLook(_ now: Double) -> Double { nextLook(after: now) ?? now }

  /// The last day whose time has come somewhere on Earth, and the last one whose time is over everywhere.
  fileprivate func lastBegun(_ now: Double) -> Int { dayNumber(of: now + DeliveryLimits.furthestEast) }
  fileprivate func lastOver(_ now: Double) -> Int { dayNumber(of: now - DeliveryLimits.furthestWest) }

  private func dayNumber(of wall: Double) -> Int { Int(((wall - Double(minute * 60)) / 86_400).rounded(.down)) }
}

extension SentNotification {
  /// The reason why it is not sent to further devices; nil if it is.
  fileprivate func obstacle(now: Double) -> TraceEvent? {
    let isExpired = expiresAt.map { $0 <= now } ?? false
    switch state {
    case .withdrawn: return TraceEvent(.suppressed, at: now, version: version, reason: .takenBack)
    case .acted: return TraceEvent(.suppressed, at: now, version: version, reason: .answeredElsewhere)
    case .active where !isExpired: return nil
    default: return TraceEvent(.expired, at: now, version: version, reason: .expired)
    }
  }
}
