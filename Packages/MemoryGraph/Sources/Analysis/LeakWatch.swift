/// Looks at a process again and again and tells what is new: leaks that two looks one after the other have found, each
/// cause once, and where it arose; and again whenever there is twice as much of it. It holds no more than the look
/// before, whatever happens.
public struct LeakWatch: Sendable {
  /// A leak that is new, or has grown, and where it arose.
  public struct News: Sendable {
    /// "leak-1", in the order in which they were told.
    public var id: String
    public var finding: Finding
    /// When it was still reached, or was not there yet; nil when the first look found it. Seconds since 1970.
    public var before: Double?
    /// The look that found it first.
    public var after: Double
    /// nil when its blocks were made and lost between two looks.
    public var vanished: Vanished?
    /// nil when it has just arisen.
    public var growth: Growth?
  }

  /// How a leak has grown since it was last told.
  public struct Growth: Equatable, Sendable {
    /// Blocks: those that were told, and those that two looks have found by now.
    public var from: Int
    public var to: Int
    /// The look that told it last, in seconds since 1970.
    public var since: Double
  }

  private struct Suspect {
    var cause: String
    var origin: String
    /// Some of them: one that is lost again is enough.
    var losses: [Verdict.Loss]
    var before: Double?
    var after: Double
    var vanished: Vanished?

    var withoutLosses: Suspect {
      var copy = self
      copy.losses = []
      return copy
    }

    func news(_ id: String, _ finding: Finding, _ growth: Growth? = nil) -> News {
      News(id: id, finding: finding, before: before, after: after, vanished: vanished, growth: growth)
    }
  }
  private var last: (examination: Examination, verdict: Verdict, time: Double)?
  private var suspects: [Suspect] = []
  /// By cause and origin, as it was first told.
  private var told: [String: (id: String, suspect: Suspect)] = [:]
  /// By cause, how many blocks were told, and when.
  private var extents: [String: (blocks: Int, time: Double)] = [:]

  public init() {}

  /// Takes the next look, and answers what is new in it.
  ///
  /// - Parameter time: when the look was taken, in seconds since 1970.
  public mutating func look(_ examination: Examination, at time: Double) -> [News] {
    let verdict = Verdict(examination)
    let lost = lost(examination)
    var news: [News] = []
    for suspect in suspects where suspect.losses.contains(where: verdict.contains) {
      guard let number = examination.leaks.findings.firstIndex(where: { $0.cause == suspect.cause }) else { continue }
      let finding = examination.leaks.findings[number]
      let known = told[suspect.cause + suspect.origin]
      if let known, let last = extents[suspect.cause] {
        let blocks = finding.objects - (lost[number]?.count ?? 0)
        guard blocks >= 2 * last.blocks else { continue }
        extents[suspect.cause] = (blocks, time)
        news.append(
          known.suspect.news(known.id, finding, Growth(from: last.blocks, to: blocks, since: last.time)))
      } else if told.count < Self.causes {
        // What was there before the first look has its place now.
        let id = told.removeValue(forKey: suspect.cause)?.id ?? "leak-\(told.count + 1)"
        told[suspect.cause + suspect.origin] = (id, suspect.withoutLosses)
        extents[suspect.cause] = (finding.objects, time)
        news.append(suspect.news(id, finding))
      }
    }
    suspects = newSuspects(examination, lost, time)
    last = (examination, verdict, time)
    return news
  }

  /// Causes that are told; behind them the watch is silent, since nobody reads so many.
  private static let causes = 10_000
  /// Blocks of one cause that are remembered until the next look.
  private static let remembered = 1000

  /// What this look finds lost, and the one before did not: nodes, by the number of their finding.
  private func lost(_ examination: Examination) -> [Int: [Int]] {
    var lost: [Int: [Int]] = [:]
    for (node, finding) in examination.leaks.nodes
    where last?.verdict.contains(Verdict.loss(node, finding, examination)) != true {
      lost[finding, default: []].append(node)
    }
    return lost
  }

  private func newSuspects(_ examination: Examination, _ lost: [Int: [Int]], _ time: Double) -> [Suspect] {
    lost.sorted { $0.key < $1.key }.map { number, nodes in
      let finding = examination.leaks.findings[number]
      let vanished = last?.examination.vanished(of: nodes, in: examination)
      return Suspect(
        cause: finding.cause, origin: last == nil ? "" : " from \(Self.place(vanished?.reference ?? ""))",
        losses: nodes.prefix(Self.remembered).map { Verdict.loss($0, number, examination) }, before: last?.time,
        after: time,
        vanished: vanished)
    }
  }

  /// A reference without its numbers: another element of the same array, or the stack of another thread, is no other
  /// place in the program.
  private static func place(_ reference: String) -> String { reference.filter { !$0.isNumber } }
}
