/// A program's policy for using its leases.
public enum LeasePolicy: Equatable, Sendable {
  /// Ends them by habit: every so many seconds it begins so many new ones, whatever is left of the old.
  case habit(every: Double, leases: Int)
  /// Uses each to its end, and says in time when it is the last.
  case full

  /// The habit of the night in which an anchor alarm died: its log ends a task every 15 minutes and begins another, and
  /// its timer begins one more.
  public static let fatalHabit = LeasePolicy.habit(every: 900, leases: 2)
}

/// Keeps a watch in the background alive for as long as the system allows, and lets it end in no silence.
public struct LeaseKeeper: Sendable {
  public let policy: LeasePolicy
  /// Leases that were begun.
  public private(set) var leases = 0
  /// True when the watch ended by itself, in an orderly way.
  public private(set) var isOver = false
  private var began = 0.0
  private var isLast = false
  private var told = 0

  public init(_ policy: LeasePolicy) { self.policy = policy }

  /// At the very moment at which the program goes to the background; returns seconds until `wake`.
  public mutating func enter(_ lender: inout some Lender) -> Double {
    lender.startPositions()
    began = lender.now
    if lender.beginLease() { leases = 1 } else { isLast = true }
    return wake(&lender)
  }

  /// Called again and again; returns seconds until the next time.
  public mutating func wake(_ lender: inout some Lender) -> Double {
    lender.check()
    switch policy {
    case .habit(let seconds, let count): return habit(&lender, seconds, count)
    case .full: return full(&lender)
    }
  }

  private mutating func habit(_ lender: inout some Lender, _ seconds: Double, _ count: Int) -> Double {
    if lender.now - began >= seconds {
      began = lender.now
      for _ in 0..<count {
        lender.endLease()
        if lender.beginLease() { leases += 1 }
      }
    }
    return min(LeaseLimits.check, seconds - (lender.now - began))
  }

  private mutating func full(_ lender: inout some Lender) -> Double {
    let end = lender.warning >= LeaseLimits.stop ? 0 : LeaseLimits.stop
    if lender.remaining <= end, !isLast {
      // The next begins before the old one ends: between them the program would be suspended.
      if lender.beginLease() {
        leases += 1
        lender.endLease()
      } else {
        isLast = true
      }
    }
    if isLast, lender.remaining <= end {
      isOver = true
      lender.notify(Notice(.ends, at: lender.now, until: lender.now))
      lender.endLease()
      return .infinity
    }
    foretell(&lender)
    lender.notify(Notice(.silent, at: lender.now + LeaseLimits.silence, until: lender.now))
    return max(min(LeaseLimits.check, lender.remaining - end), 0.1)
  }

  /// From the last lease but one on, the device says that the watch will end, and when at the earliest.
  private mutating func foretell(_ lender: inout some Lender) {
    guard leases > told, leases >= LeaseLimits.leases - 1 else { return }
    told = leases
    let left = max(LeaseLimits.leases - leases, 0)
    let own = min(lender.remaining, LeaseLimits.shortest)
    lender.notify(
      Notice(.willEnd, at: lender.now, until: lender.now + own + Double(left) * LeaseLimits.shortest))
  }
}
