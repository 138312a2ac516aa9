/// Finds the next person to be asked to open when an event begins and the space is closed. A pure rule: one after the
/// other, first those who put themselves down for it, then keykeepers, the one asked longest ago first.
package struct OpenerQuestion: Equatable, Sendable {
  package struct Asked: Equatable, Sendable {
    package var person: Int
    /// Seconds since 1970.
    package var at: Int
    /// True if they said no.
    package var isRefused: Bool

    package init(person: Int, at: Int, isRefused: Bool = false) {
      self.person = person
      self.at = at
      self.isRefused = isRefused
    }
  }

  /// Seconds for an answer, after which the next one is asked too.
  package static let patience = 10 * 60
  /// Seconds after the event's beginning for which anybody is asked.
  package static let longest = 2 * 3600

  /// Those who put themselves down, in their order.
  package var openers: [Int]
  /// Those who may turn the sign, in the order in which they are to be asked.
  package var keykeepers: [Int]
  /// Those who were asked about this event.
  package var asked: [Asked]
  package var start: Int
  package var end: Int

  package init(openers: [Int], keykeepers: [Int], asked: [Asked], start: Int, end: Int) {
    self.openers = openers
    self.keykeepers = keykeepers
    self.asked = asked
    self.start = start
    self.end = end
  }

  package enum Step: Equatable, Sendable {
    case ask(Int)
    /// Nobody is to be asked until this moment, in seconds since 1970.
    case wait(until: Int)
    case over
    /// The next question should have been asked long ago, while the hub was off.
    case missed
  }

  /// The moment from which on nobody is asked, nor is an answer of use.
  package static func last(start: Int, end: Int) -> Int {
    end > start ? min(end, start + longest) : start + longest
  }

  /// - Parameter wasHeld: true if nobody was to be asked until now, as the sign was unknown: then it is not too late.
  package func step(now: Int, wasHeld: Bool) -> Step {
    guard now < Self.last(start: start, end: end) else { return .over }
    if let waiting = asked.filter({ !$0.isRefused }).map(\.at).max(), waiting + Self.patience > now {
      return .wait(until: waiting + Self.patience)
    }
    let all = openers.filter(keykeepers.contains) + keykeepers
    guard let next = all.first(where: { one in !asked.contains { $0.person == one } }) else {
      // An answer still counts, and the question is taken back when the space opens.
      return .wait(until: Self.last(start: start, end: end))
    }
    let due = asked.map { $0.isRefused ? $0.at : $0.at + Self.patience }.max() ?? start
    if !wasHeld, now - due > SpaceLimits.lateBell { return .missed }
    return .ask(next)
  }
}
