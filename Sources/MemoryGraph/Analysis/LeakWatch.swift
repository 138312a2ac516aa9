/// Looks at a process again and again and tells what is new: leaks that two looks one after the other have found, each
/// cause once, and where it arose. It holds no more than the look before, whatever happens.
public struct LeakWatch: Sendable {
  /// A leak and where it arose.
  public struct Arisen: Sendable {
    /// "leak-1", in the order in which they were told.
    public var id: String
    public var finding: Finding
    /// When it was still reached, or was not there yet; nil when the first look found it. Seconds since 1970.
    public var before: Double?
    /// The look that found it first.
    public var after: Double
    /// nil when its blocks were made and lost between two looks.
    public var vanished: Vanished?
  }

  private struct Suspect {
    var cause: String
    var origin: String
    /// Some of them: one that is lost again is enough.
    var losses: [Verdict.Loss]
    var before: Double?
    var after: Double
    var vanished: Vanished?
  }
  private var last: (examination: Examination, verdict: Verdict, time: Double)?
  private var suspects: [Suspect] = []
  private var told: Set<String> = []

  public init() {}

  /// Takes the next look, and answers what is new in it.
  ///
  /// - Parameter time: when the look was taken, in seconds since 1970.
  public mutating func look(_ examination: Examination, at time: Double) -> [Arisen] {
    let verdict = Verdict(examination)
    var arisen: [Arisen] = []
    for suspect in suspects where suspect.losses.contains(where: verdict.contains) {
      guard let finding = examination.leaks.findings.first(where: { $0.cause == suspect.cause }),
        told.count < Self.causes, told.insert(suspect.cause + suspect.origin).inserted
      else { continue }
      arisen.append(
        Arisen(
          id: "leak-\(told.count)", finding: finding, before: suspect.before, after: suspect.after,
          vanished: suspect.vanished))
    }
    suspects = newSuspects(examination, time)
    last = (examination, verdict, time)
    return arisen
  }

  /// Causes that are told; behind them the watch is silent, since nobody reads so many.
  private static let causes = 10_000
  /// Blocks of one cause that are remembered until the next look.
  private static let remembered = 1000

  /// What this look finds lost, and the one before did not.
  private func newSuspects(_ examination: Examination, _ time: Double) -> [Suspect] {
    var lost: [Int: [Int]] = [:]
    for (node, finding) in examination.leaks.nodes {
      let loss = Verdict.loss(node, finding, examination)
      if last?.verdict.contains(loss) != true { lost[finding, default: []].append(node) }
    }
    return lost.sorted { $0.key < $1.key }.map { number, nodes in
      let finding = examination.leaks.findings[number]
      let vanished = last?.examination.vanished(of: nodes, in: examination)
      return Suspect(
        cause: finding.cause, origin: last == nil ? "" : " from \(vanished?.reference ?? "")",
        losses: nodes.prefix(Self.remembered).map { Verdict.loss($0, number, examination) }, before: last?.time,
        after: time,
        vanished: vanished)
    }
  }
}
