import Hub
import Leases
import Settings
import Terminal
import Wire

/// `eightbells anchor leases`: nights of a phone that lends the watch its time in leases, in virtual time.
enum LeasesCommand {
  static let command = RoomCommand(
    alone: Verb(
      "anchor leases", usage: "[--policy habit|full] [--system NAME] [--hours N] [--json]",
      options: [
        Option("policy", "habit|full", help: "ends leases by habit, or uses each to its end (both)"),
        Option("system", "NAME", help: "\(PhoneSystem.allCases.map { "\($0.name)" }.joined(separator: ", ")) (ios6)"),
        Option("hours", "N", help: "how long the night is (24)"),
        Option("json", help: "a line of JSON for each night"),
      ],
      summary: "Plays nights in which a phone's system lends the watch its time in leases, beside each other.")
  ) { _, arguments throws(CommandError) in
    let system = try system(arguments["system"] ?? "ios6")
    let hours = try hours(arguments["hours"] ?? "24")
    let policies = try policies(arguments["policy"])
    if !arguments.has("json") { print("\(system.name), a night of \(hours) hours:") }
    for policy in policies {
      let night = LeaseNight(policy.policy, system.rules, seconds: Double(hours) * 3_600)
      print(arguments.has("json") ? json(night, policy, system).text : text(night, policy))
    }
  }

  private enum Policy: String, CaseIterable {
    case habit, full

    var policy: LeasePolicy { self == .habit ? .fatalHabit : .full }
    var words: String {
      self == .habit ? "two leases begun every 15 minutes, the old ones ended" : "each lease used to its end"
    }
  }

  private static func policies(_ text: String?) throws(CommandError) -> [Policy] {
    guard let text else { return Policy.allCases }
    guard let policy = Policy(rawValue: text) else {
      throw CommandError(usage: "--policy \(text.prefix(80)): habit and full are accepted.")
    }
    return [policy]
  }

  private static func system(_ text: String) throws(CommandError) -> PhoneSystem {
    guard let system = PhoneSystem.allCases.first(where: { "\($0.name)" == text }) else {
      let names = PhoneSystem.allCases.map { "\($0.name)" }.joined(separator: ", ")
      throw CommandError(usage: "--system \(text.prefix(80)): \(names) are accepted.")
    }
    return system
  }

  private static func hours(_ text: String) throws(CommandError) -> Int {
    guard let hours = Int(text), (1...240).contains(hours) else {
      throw CommandError(usage: "--hours \(text.prefix(80)): whole hours from 1 to 240 are accepted.")
    }
    return hours
  }

  private static func text(_ night: LeaseNight, _ policy: Policy) -> String {
    let silent = night.isSilent ? ", and nothing says so: the silent end" : ""
    let end = night.end == .morning ? "and still watches" : "then \(night.end.name)\(silent)"
    var lines = [
      "",
      "\(policy.rawValue): \(policy.words)",
      "  watched \(clock(night.watched)), \(end)",
      "  \(night.leases) leases, \(night.checks) checks, at most \(Int(night.longestGap.rounded(.up))) s apart",
    ]
    lines += night.said.map { "  \(clock($0.at))  the device says: \(words($0))" }
    return lines.joined(separator: "\n")
  }

  private static func words(_ notice: Notice) -> String {
    switch notice.kind {
    case .willEnd: "the watch will end, at \(clock(notice.until)) or later"
    case .ends: "the watch ends now"
    case .silent: "the watch is silent since \(clock(notice.until))"
    }
  }

  /// Hours and minutes since the beginning: "10 h 40 min".
  private static func clock(_ seconds: Double) -> String {
    let minutes = Int(seconds / 60)
    let rest = minutes % 60
    return "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
  }

  private static func whole(_ seconds: Double) -> JSON { .int(Int(seconds.rounded())) }

  private static func json(_ night: LeaseNight, _ policy: Policy, _ system: PhoneSystem) -> JSON {
    let said = night.said.map { notice in
      let kind = notice.kind == .willEnd ? "will end" : notice.kind == .ends ? "ends" : "silent"
      return JSON.object([
        .init("at_s", whole(notice.at)), .init("kind", .string(kind)), .init("until_s", whole(notice.until)),
      ])
    }
    return .object([
      .init("system", .string("\(system.name)")), .init("policy", .string(policy.rawValue)),
      .init("watched_s", whole(night.watched)), .init("end", .string("\(night.end.name)")),
      .init("silent", .bool(night.isSilent)), .init("leases", .int(night.leases)),
      .init("checks", .int(night.checks)), .init("longest_gap_s", whole(night.longestGap)),
      .init("said", .array(said)),
    ])
  }
}
