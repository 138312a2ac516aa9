import Hub
import Store
import Wire

/// When the programme rings by itself, in the hub's settings. What an owner has not chosen is as the hub's options say.
struct RingTimesPart: SettingsPart {
  let hub: Hub
  let alerts: ProgrammeAlerts
  let fields = Self.order

  static let order = ["tonight_at", "news_at"]

  func kept(in database: Database) throws(StoreError) -> [JSON.Member]? { members(try database.ringTimes()) }

  func read(_ check: inout FieldCheck) -> SettingsDraft? {
    let times = RingTimes(tonight: check.dailyTime("tonight_at"), news: check.dailyTime("news_at"))
    return SettingsDraft(members(times)) { [alerts] change in
      guard try change.database.ringTimes() != times else { return }
      try change.database.save(ringTimes: times)
      alerts.wake(in: change)
    }
  }

  private func members(_ times: RingTimes) -> [JSON.Member] {
    [.init("tonight_at", .string(hub.tonightAt(times))), .init("news_at", .string(hub.newsAt(times)))]
  }
}

extension FieldCheck {
  /// "HH:MM" or "off"; nil if the field is not there.
  fileprivate mutating func dailyTime(_ field: String) -> String? {
    guard let value = value(field, isNeeded: false, accepted: "a time"), value != .null else { return nil }
    guard let text = value.string, DailyTime(text) != nil else {
      fail(field, .noDailyTime, ["seen": .text(value.text)])
      return nil
    }
    return text
  }
}

extension Reason.Kind {
  static let noDailyTime = Self("no-daily-time", "{seen}; a time such as 16:00, or off, is accepted.")
}
