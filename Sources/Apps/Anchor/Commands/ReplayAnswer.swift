import AnchorWatch
import Positions
import Terminal

/// Judges the readings of a track as they come. Until the anchor's place is known, its first fixes wait.
struct ReplayAnswer {
  private let question: ReplayQuestion
  private var waiting: [Fix] = []
  private var replay: Replay?
  private(set) var refusals: [Refusal: Int] = [:]
  private var last: Position?
  /// Positions of other receivers in the track, which are not judged, and the metres by which they were elsewhere.
  private(set) var witnesses = 0
  private(set) var apart = 0.0
  /// Their places since the last fix.
  private var beside: [Position] = []
  /// The times of the first and the last fix.
  private(set) var span: ClosedRange<Double>?

  init(_ question: ReplayQuestion) {
    self.question = question
    if case .place(let place) = question.anchor { begin(place) }
  }

  mutating func take(_ reading: Positions.Reading) {
    switch reading {
    case .refused(let refusal):
      refusals[refusal, default: 0] += 1
    case .witness(let fix, _):
      witnesses += 1
      beside.append(fix.position)
    case .fix(let fix):
      compare(before: fix.position)
      last = fix.position
      span = span.map { min($0.lowerBound, fix.time)...max($0.upperBound, fix.time) } ?? fix.time...fix.time
      if replay != nil {
        replay?.take(fix)
      } else {
        waiting.append(fix)
        if case .median(let count) = question.anchor, waiting.count == count { begin() }
      }
    }
  }

  /// The result, at the end of the track.
  mutating func end(_ source: String) throws(CommandError) -> Replay {
    if replay == nil { begin() }
    compare(before: nil)
    guard var replay else { throw CommandError("\(source): no position in it\(reasons).") }
    for _ in 0..<refusals.values.reduce(0, +) { replay.refuse() }
    return replay
  }

  /// The reasons of what was refused, in brackets: " (no fix 3, half a line 1)".
  var reasons: String {
    let told = Refusal.allCases.compactMap { refusal in refusals[refusal].map { "\(refusal.rawValue) \($0)" } }
    return told.isEmpty ? "" : " (\(told.joined(separator: ", ")))"
  }

  /// Compares the witnesses between two fixes with the nearer one: the other may be a passage away.
  private mutating func compare(before next: Position?) {
    for place in beside {
      apart = max(apart, [last, next].compactMap { $0?.distance(to: place) }.min() ?? 0)
    }
    beside = []
  }

  private mutating func begin() {
    if let place = Position.median(waiting.map(\.position)) { begin(place) }
  }

  private mutating func begin(_ place: Position) {
    replay = Replay(question.settings(around: place), raw: question.isRaw)
    for fix in waiting { replay?.take(fix) }
    waiting = []
  }
}
