/// The rules of a phone's system for programs in the background, as a value.
public struct PhoneRules: Sendable {
  /// The leases that the phone gives.
  public struct Lending: Sendable {
    /// Leases in a row; nil without an end.
    public var leases: Int?
    /// Seconds of the countdown, and those before it in which the time that remains is called infinite.
    public var countdown: Double
    public var infinite: ClosedRange<Double> = 0...0
  }

  public var lending: Lending
  /// Seconds after which other rules hold, and these.
  public var change: (after: Double, lending: Lending)?
  /// Seconds after which the system ends the program without a reason.
  public var vanishes: Double?
  /// Seconds for stopping after the end of a lease.
  public var warning = 5.0
  /// Seconds until a suspended program that does not resume is killed (signal 9).
  public var patience = 68.0
  /// Positions come only when their callback was set on going to the background, and they were started again.
  public var startsPositionsAgain = true
  /// Timers run only as long as there is a lease.
  public var timersSleep = true
  /// A callback of positions may play a sound.
  public var soundsInCallback = false

  public init(_ lending: Lending) { self.lending = lending }

  func lending(after seconds: Double) -> Lending {
    if let change, seconds >= change.after { return change.lending }
    return lending
  }
}

/// The systems that are known by the nights in which they ended an anchor alarm, or did not.
public enum PhoneSystem: UInt8, Equatable, Sendable, CaseIterable {
  /// Leases without end: an alarm ran for days.
  case ios5
  /// 64 leases in a row of 15 to 20 minutes, infinite at first; then the program is suspended, and killed.
  case ios6
  /// The least that was ever lent: 64 leases of 10 minutes.
  case strict
  /// Lends without end, and from midnight on 64 leases that turn into a countdown of 3 minutes.
  case changing
  /// Ends the program after five hours, without a word.
  case vanishing

  public var name: StaticString {
    switch self {
    case .ios5: "ios5"
    case .ios6: "ios6"
    case .strict: "strict"
    case .changing: "changing"
    case .vanishing: "vanishing"
    }
  }

  public var rules: PhoneRules {
    let six = PhoneRules.Lending(leases: 64, countdown: 600, infinite: 300...600)
    switch self {
    case .ios5:
      var rules = PhoneRules(.init(leases: nil, countdown: 600, infinite: 300...600))
      rules.startsPositionsAgain = false
      return rules
    case .ios6: return PhoneRules(six)
    case .strict: return PhoneRules(.init(leases: 64, countdown: 600))
    case .changing:
      var rules = PhoneRules(.init(leases: nil, countdown: 600, infinite: 300...600))
      rules.change = (3 * 3_600, .init(leases: 64, countdown: 180, infinite: 300...600))
      return rules
    case .vanishing:
      var rules = PhoneRules(six)
      rules.vanishes = 5 * 3_600
      return rules
    }
  }
}
