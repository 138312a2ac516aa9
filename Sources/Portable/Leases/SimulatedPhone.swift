/// A phone in virtual time with the rules of a system, for `LeaseNight` and for tests.
public struct SimulatedPhone: Lender, Sendable {
  public enum State: UInt8, Equatable, Sendable { case running, suspended, killed }
  public let rules: PhoneRules
  public private(set) var now = 0.0
  public private(set) var state = State.running
  /// The device's messages: those shown, and those to come.
  public private(set) var said: [Notice] = []
  public private(set) var waiting: [Notice] = []
  public private(set) var checks = 0
  public private(set) var lastCheck: Double?
  public private(set) var longestGap = 0.0

  private var ends: [(infiniteUntil: Double, end: Double)] = []
  private var lent = 0
  private var suspended = 0.0
  private var hasPositions: Bool
  private var random: UInt64

  public init(_ rules: PhoneRules, seed: UInt64 = 1) {
    (self.rules, random, hasPositions) = (rules, seed, !rules.startsPositionsAgain)
  }

  // MARK: As the program sees it

  public var warning: Double { rules.warning }

  public var remaining: Double {
    guard let last = ends.last else { return 0 }
    return now < last.infiniteUntil ? .infinity : last.end - now
  }

  public mutating func beginLease() -> Bool {
    let lending = rules.lending(after: now)
    guard state == .running, lent < lending.leases ?? .max else { return false }
    lent += 1
    let infinite = lending.infinite.lowerBound + (lending.infinite.upperBound - lending.infinite.lowerBound) * chance()
    ends.append((now + infinite, now + infinite + lending.countdown))
    return true
  }

  public mutating func endLease() { if !ends.isEmpty { ends.removeFirst() } }

  public mutating func startPositions() { hasPositions = true }

  public mutating func check() {
    guard state == .running, hasPositions else { return }
    if let lastCheck { longestGap = max(longestGap, now - lastCheck) }
    (lastCheck, checks) = (now, checks + 1)
  }

  public mutating func notify(_ notice: Notice) {
    guard state == .running else { return }
    waiting.removeAll { $0.kind == notice.kind || notice.kind == .ends && $0.kind == .silent }
    waiting.append(notice)
    deliver()
  }

  /// True if a sound is heard.
  public func sound(fromCallback: Bool) -> Bool {
    state == .running && (fromCallback ? rules.soundsInCallback : !ends.isEmpty || !rules.timersSleep)
  }

  // MARK: The night

  /// Time goes by, for at most so many seconds: until the program is suspended or killed, if that comes before.
  public mutating func pass(_ seconds: Double) {
    let wanted = now + seconds
    // A lease that is at its end leaves the warning's seconds; without a lease the program stands still at once.
    let stop = rules.timersSleep ? ends.last.map { $0.end + rules.warning } ?? now : .infinity
    let vanishes = rules.vanishes ?? .infinity
    now = min(wanted, max(stop, now), max(vanishes, now))
    if now >= vanishes {
      state = .killed
    } else if now >= stop, now < wanted || ends.isEmpty {
      (state, suspended) = (.suspended, now)
    }
    deliver()
  }

  /// The rest of the night without the program: it is killed when it does not resume in time.
  public mutating func rest(until end: Double) {
    if state == .suspended, suspended + rules.patience <= end { state = .killed }
    now = max(now, end)
    deliver()
  }

  private mutating func deliver() {
    said += waiting.filter { $0.at <= now }
    waiting.removeAll { $0.at <= now }
  }

  /// From 0 to 1 (SplitMix64).
  private mutating func chance() -> Double {
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) / 9_007_199_254_740_992
  }
}
