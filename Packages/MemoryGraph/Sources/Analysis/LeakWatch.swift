/// Examines a process repeatedly and reports new leaks: those found by two consecutive looks, each cause once, with its
/// origin, and again whenever its number of blocks has doubled. It never keeps more than the previous look.
public struct LeakWatch: Sendable {
  /// A leak that is new or has grown, with its origin.
  public struct News: Sendable {
    /// The id, such as "leak-1", in the order of the reports.
    public var id: String
    public var finding: Finding
    /// The time of the last look in which it was reachable or did not exist; nil when the first look found it. Seconds
    /// since 1970.
    public var before: Double?
    /// The time of the look that found it first.
    public var after: Double
    /// Nil when its blocks were allocated and leaked between two looks.
    public var vanished: Vanished?
    /// Nil when it is new.
    public var growth: Growth?
  }

  /// The growth of a leak since its last report.
  public struct Growth: Equatable, Sendable {
    /// The number of blocks at the last report, and confirmed by now.
    public var from: Int
    public var to: Int
    /// The time of the last report, in seconds since 1970.
    public var since: Double
  }

  private struct Suspect {
    var cause: String
    var origin: String
    /// Some of its blocks: one of them found again confirms the leak.
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
  /// The leaks first reported, by cause and origin.
  private var told: [String: (id: String, suspect: Suspect)] = [:]
  private var extents: [String: (blocks: Int, time: Double)] = [:]

  public init() {}

  /// Takes the next look, and returns what is new.
  ///
  /// - Parameter time: the time of the look, in seconds since 1970.
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
        // The origin of leaks that are older than the first look is known now.
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

  /// The most causes that are reported; then the watch is silent, since nobody reads more.
  private static let causes = 10_000
  /// The most blocks of one cause that are remembered until the next look.
  private static let remembered = 1000

  /// The nodes that leaked between the previous look and this one, by the number of their finding.
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

  /// A reference without its numbers: another element of the same array, or another thread's stack, is the same place
  /// in the program.
  private static func place(_ reference: String) -> String { reference.filter { !$0.isNumber } }
}
