/// A night of a phone that watches in the background.
public struct LeaseNight: Sendable {
  public enum End: UInt8, Equatable, Sendable {
    /// It still watches in the morning.
    case morning
    /// It ended in an orderly way, and said so.
    case ended
    /// It was suspended or killed.
    case suspended, killed

    public var name: StaticString {
      switch self {
      case .morning: "watching"
      case .ended: "ended"
      case .suspended: "suspended"
      case .killed: "killed"
      }
    }
  }

  /// Seconds from the beginning to the last check.
  public let watched: Double
  public let end: End
  public let leases: Int
  public let checks: Int
  /// Seconds between two checks, at most.
  public let longestGap: Double
  /// The device's messages, by seconds from the beginning.
  public let said: [Notice]

  /// True if the watch ended and the device said nothing then: the worst that can be.
  public var isSilent: Bool {
    end != .morning && !said.contains { $0.at >= watched && $0.at <= watched + LeaseLimits.silence }
  }

  /// - Parameter seconds: how long the night is.
  public init(_ policy: LeasePolicy, _ rules: PhoneRules, seconds: Double, seed: UInt64 = 1) {
    var phone = SimulatedPhone(rules, seed: seed)
    var keeper = LeaseKeeper(policy)
    var next = keeper.enter(&phone)
    while phone.state == .running, !keeper.isOver, phone.now < seconds {
      phone.pass(min(next, seconds - phone.now))
      if phone.state == .running, phone.now < seconds { next = keeper.wake(&phone) }
    }
    let isMorning = phone.state == .running && !keeper.isOver
    // The morning after it is given time to say what it was to say.
    if !isMorning { phone.rest(until: max(phone.now, seconds) + 3_600) }
    (watched, leases, checks) = (phone.lastCheck ?? 0, keeper.leases, phone.checks)
    (longestGap, said) = (phone.longestGap, phone.said)
    end = isMorning ? .morning : keeper.isOver ? .ended : phone.state == .killed ? .killed : .suspended
  }
}
