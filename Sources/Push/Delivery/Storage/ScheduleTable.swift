public import Store
import Wire

/// Notifications that wait for their time.
extension Database {
  /// - Parameter series: the row of the rule of which this is a day.
  func schedule(_ submission: Submission, id: Int, at: Double, series: Int? = nil) throws(StoreError) {
    try run(
      "INSERT INTO push_scheduled (id, at, submission, sender, series) VALUES (?, ?, ?, ?, ?)", .int(id), .double(at),
      .text(submission.json.text), .text(submission.sender), Value(series))
  }

  /// The scheduled notifications, the soonest first; the days of a rule are not listed.
  /// - Parameters:
  ///   - sender: only those of this sender; nil for all.
  ///   - last: the id of the last one of the page before; nil for the first page.
  /// - Returns: nil if `last` waits no more.
  public func scheduled(
    of sender: String? = nil, after last: Int? = nil, limit: Int
  ) throws(StoreError) -> [(id: Int, submission: Submission)]? {
    var (at, id) = (-Double.infinity, 0)
    if let last {
      let known = try first(
        "SELECT at FROM push_scheduled WHERE id = ? AND series IS NULL", .int(last), read: { $0.double(0) })
      guard let known else { return nil }
      (at, id) = (known, last)
    }
    let select = "SELECT id, submission FROM push_scheduled WHERE series IS NULL"
    let page = "AND at >= ? AND (at > ? OR id > ?) ORDER BY at, id LIMIT ?"
    func read(_ row: Row) -> (id: Int, submission: Submission?) { (row.int(0), Submission(stored: row.text(1))) }
    let found =
      if let sender {
        try rows(
          "\(select) AND sender = ? \(page)", .text(sender), .double(at), .double(at), .int(id), .int(limit),
          read: read)
      } else {
        try rows("\(select) \(page)", .double(at), .double(at), .int(id), .int(limit), read: read)
      }
    return found.compactMap { row in row.submission.map { (row.id, $0) } }
  }

  public func scheduled(_ id: Int) throws(StoreError) -> Submission? {
    try first("SELECT submission FROM push_scheduled WHERE id = ?", .int(id), read: { Submission(stored: $0.text(0)) })
      ?? nil
  }

  /// A rule with the day on which a device in the hub's zone is rung next: a day that has begun somewhere on Earth is a
  /// row of its own, though its time may be to come here.
  public func withNextDay(_ submission: Submission, id: Int, now: Double) throws(StoreError) -> Submission {
    guard submission.local?.rule != nil else { return submission }
    for row in try days(ofSeries: id) {
      guard let day = try scheduled(row)?.local, day.instant(deviceZone: nil) > now else { continue }
      var next = submission
      next.local?.day = day.day
      return next
    }
    return submission
  }

  public func scheduledCount() throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_scheduled", read: { $0.int(0) }) ?? 0
  }

  /// The number of those of a sender; the days of a rule do not count.
  public func scheduledCount(of sender: String) throws(StoreError) -> Int {
    try number("SELECT count(*) FROM push_scheduled WHERE sender = ? AND series IS NULL", .text(sender))
  }

  /// Those of some files that something that waits names among its attachments; names are of letters and digits. One
  /// look at all that waits, which may be very much, finds them all.
  public func scheduled(naming files: Set<String>) throws(StoreError) -> Set<String> {
    if files.isEmpty { return [] }
    let lengths = Set(files.map(\.utf8.count))
    var named: Set<String> = []
    try scan("SELECT submission FROM push_scheduled WHERE submission LIKE '%attachments%'", [], isMade: true) { row in
      let words = row.text(0).utf8.split { !$0.isAlphanumeric }
      for word in words where lengths.contains(word.count) {
        let name = String(decoding: word, as: UTF8.self)
        if files.contains(name) { named.insert(name) }
      }
      return named.count == files.count
    }
    return named
  }

  /// The time of the soonest one.
  func nextScheduled() throws(StoreError) -> Double? {
    try first("SELECT at FROM push_scheduled ORDER BY at LIMIT 1", read: { $0.double(0) })
  }

  /// Sends those whose time has come, at most `DeliveryLimits.duePerCommit`.
  /// - Parameters:
  ///   - nextDay: the days of rules.
  ///   - members: the persons of a role.
  public func sendDue(
    now: Double, nextDay: LocalTime.NextDay = { _, _, _ in nil }, members: RoleMembers = { _, _ in [] }
  ) throws(StoreError) -> [Submitted] {
    let due = try rows(
      "SELECT id, submission, looked, series FROM push_scheduled WHERE at <= ? ORDER BY at, id LIMIT ?",
      .double(now), .int(DeliveryLimits.duePerCommit), read: DueRow.init)
    var sent: [Submitted] = []
    for row in due {
      let id = row.id
      var submission = row.submission
      // A rule's own row waits for the days to come, each of which is resolved by itself.
      if let to = submission?.to, submission?.local?.rule == nil { submission?.to = try resolved(to, members) }
      if let submission, let local = submission.local {
        if local.rule == nil {
          let here = try sendLocal(submission, local, id: id, looked: row.looked, isDay: row.isDay, now: now)
          if let here { sent.append(here) }
          continue
        }
        if row.looked == nil {
          try beginDay(of: submission, local, id: id, nextDay, now: now)
          continue
        }
      }
      try run("DELETE FROM push_scheduled WHERE id = ?", .int(id))
      if let submission, submission.place != nil || submission.local != nil {
        try insert(submission, id: id, state: .expired, now: now)
        continue
      }
      if let submission { sent.append(try send(submission, id: id, now: now)) }
    }
    return sent
  }

  /// The recipients, with the persons in place of their roles.
  func resolved(_ recipients: [Recipient], _ members: RoleMembers) throws(StoreError) -> [Recipient] {
    var all: [Recipient] = []
    for recipient in recipients {
      if case .role(let role) = recipient {
        all += try members(self, role).map(Recipient.person)
      } else {
        all.append(recipient)
      }
    }
    return all
  }

  /// - Returns: false if there is none with that id.
  func changeScheduled(_ id: Int, content: JSON) throws(StoreError) -> Bool {
    guard var submission = try scheduled(id) else { return false }
    submission.content = content
    try run("UPDATE push_scheduled SET submission = ? WHERE id = ?", .text(submission.json.text), .int(id))
    return true
  }

  /// Gives a notification that waits another time, an instant or a local one; it is worth delivering as long after it
  /// as before.
  /// - Returns: false if there is none with that id, or it has rung already where its time has come.
  public func reschedule(
    _ id: Int, at: Double?, local: LocalTime?, now: Double
  ) throws(StoreError) -> Bool {
    let found = try first(
      "SELECT submission FROM push_scheduled WHERE id = ? AND series IS NULL", .int(id),
      read: { Submission(stored: $0.text(0)) })
    guard var submission = found ?? nil, submission.place == nil, try notification(id) == nil else { return false }
    // The day of a rule that is under way goes by the new time, too; where it has rung already, that stays.
    for day in try days(ofSeries: id) { _ = try cancelScheduled(day, now: now) }
    let before = submission.local?.latest ?? submission.at ?? now
    submission.expiresAt = submission.expiresAt.map { $0 - before + (local?.latest ?? at ?? now) }
    (submission.at, submission.local) = (at, local)
    try run(
      "UPDATE push_scheduled SET at = ?, looked = NULL, submission = ? WHERE id = ?",
      .double(local?.firstLook(now) ?? at ?? now), .text(submission.json.text), .int(id))
    return true
  }

  /// Cancels a scheduled notification. It is kept as taken back, so that its trace says so, and its id is not used
  /// again.
  /// - Returns: false if there is none with that id.
  func cancelScheduled(_ id: Int, now: Double) throws(StoreError) -> Bool {
    guard let submission = try scheduled(id) else { return false }
    try run("DELETE FROM push_scheduled WHERE id = ?", .int(id))
    // If its time has come in some zone, it was sent there and has a row.
    if try notification(id) == nil { try insert(submission, id: id, state: .withdrawn, now: now) }
    return true
  }

  /// The days of a rule that are under way.
  func days(ofSeries id: Int) throws(StoreError) -> [Int] {
    try rows("SELECT id FROM push_scheduled WHERE series = ? ORDER BY id", .int(id), read: { $0.int(0) })
  }
}

/// A row of `push_scheduled` whose time has come.
private struct DueRow {
  let id: Int
  let submission: Submission?
  let looked: Double?
  let isDay: Bool

  init(_ row: Row) {
    id = row.int(0)
    submission = Submission(stored: row.text(1))
    looked = row.optionalDouble(2)
    isDay = !row.isNull(3)
  }
}

extension Submission {
  /// The JSON in which it is kept until its time.
  var json: JSON {
    [
      "to": .array(to.map(\.json)), "content": content, "collapse": JSON(collapseID), "expires": JSON(expiresAt),
      "priority": .int(priority.rawValue), "at": JSON(at), "sender": .string(sender), "room": JSON(room),
      "topic": JSON(topic),
      "topics": .array(topics.map(JSON.string)), "local": local?.json ?? .null, "place": place ?? .null,
      "repeat": repetition?.json ?? .null,
    ]
  }

  /// The message for listeners to its topics; nil without topics.
  func news(_ message: Outgoing) -> TopicNews? {
    let others = topics.filter { $0 != topic }
    let all = (topic.map { [$0] } ?? []) + others
    return all.isEmpty ? nil : TopicNews(message, topics: all)
  }

  /// True if it passes quiet hours.
  var isCritical: Bool { content["interruption_level"]?.string == "critical" }

  init?(stored text: String) {
    guard let json = try? JSON(parsing: text), let to = json["to"]?.array, let content = json["content"],
      let sender = json["sender"]?.string
    else { return nil }
    self.init(
      to: to.compactMap(Recipient.init), content: content, collapseID: json["collapse"]?.string,
      expiresAt: json["expires"]?.number, priority: Priority(rawValue: json["priority"]?.int ?? 0) ?? .normal,
      at: json["at"]?.number, local: json["local"].flatMap(LocalTime.init),
      place: json["place"].flatMap { $0.members == nil ? Optional.none : $0 },
      repetition: json["repeat"].flatMap(Repetition.init), sender: sender, room: json["room"]?.string,
      topic: json["topic"]?.string, topics: (json["topics"]?.array ?? []).compactMap(\.string))
  }
}

extension LocalTime {
  fileprivate var json: JSON {
    [
      "minute": .int(minute), "day": JSON(day), "rule": JSON(rule), "first": .int(firstDay), "since": JSON(since),
      "zone": .string(zone),
    ]
  }

  fileprivate init?(_ json: JSON) {
    guard let minute = json["minute"]?.int, let since = json["since"]?.number, let zone = json["zone"]?.string else {
      return nil
    }
    self.init(
      minute: minute, day: json["day"]?.int, rule: json["rule"]?.string, firstDay: json["first"]?.int ?? 0,
      since: since, zone: zone)
  }
}

extension Repetition {
  fileprivate var json: JSON {
    ["every": JSON(every), "limit": .int(limit), "then": .array(then.map(\.json))]
  }

  fileprivate init?(_ json: JSON) {
    guard let every = json["every"]?.number, let limit = json["limit"]?.int else { return nil }
    self.init(every: every, limit: limit, then: (json["then"]?.array ?? []).compactMap { Recipient($0) })
  }
}

extension Recipient {
  var json: JSON {
    switch self {
    case .device(let id): ["device": .int(id)]
    case .person(let id): ["person": .int(id)]
    case .topic(let id): ["topic": .string(id)]
    case .role(let name): ["role": .string(name)]
    }
  }

  init?(_ json: JSON) {
    if let id = json["device"]?.int {
      self = .device(id)
    } else if let id = json["person"]?.int {
      self = .person(id)
    } else if let id = json["topic"]?.string {
      self = .topic(id)
    } else if let name = json["role"]?.string {
      self = .role(name)
    } else {
      return nil
    }
  }
}
