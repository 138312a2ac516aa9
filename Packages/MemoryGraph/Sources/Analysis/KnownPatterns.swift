public import Graph

/// Patterns of findings that are known to be harmless: matching findings are counted and named, but not described.
///
/// One line is one pattern, `KIND WHAT NAME because REASON`, in which WHAT NAME may be repeated: all have to match.
///
///     leak type Foundation.SomeCache* because it lives as long as the process
///     cycle field App.Poller.timer because the timer is cancelled in close()
///     leak function *getpwnam* because the C library keeps the last answer
///     leak type App.Entry function parse* called by App.main* because it lives as long as the process
///
/// KIND is `leak`, `cycle` (a reachable one) or `retained`. WHAT is `type` (of the block without references, or of any
/// in the ring), `field` (of any step of the ring, as "App.Node.next"), `function` or `image` (of any call that led to
/// its allocation, where that was recorded; a function may have its caller behind it). In NAME, `*` stands for any
/// characters. Empty lines, and lines that begin with `#`, are ignored.
///
/// A leak in other people's code that retains objects of the program's own types, or has some in its ring, is reported
/// all the same, unless the line names one of the program's own types, or a function that allocated one.
public struct KnownPatterns: Equatable, Sendable {
  public enum What: String, CaseIterable, Sendable { case type, field, function, image }
  public struct Condition: Equatable, Sendable {
    public var what: What
    public var name: String
  }
  public struct Pattern: Equatable, Sendable {
    public var kinds: [Finding.Kind]
    public var conditions: [Condition]
    public var reason: String
    /// The line without its reason.
    public var text: String
  }

  public var patterns: [Pattern]

  /// - Throws: a sentence that names the line and what is accepted.
  public init(_ text: String) throws(GraphError) {
    patterns = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard let pattern = Self.pattern(String(line)) else {
        throw GraphError(
          "line \(index + 1): \"\(line)\"; accepted is KIND WHAT NAME because REASON, WHAT NAME once or more, KIND "
            + "leak, cycle or retained, WHAT type, field, function or image.")
      }
      patterns.append(pattern)
    }
  }

  private static func pattern(_ line: String) -> Pattern? {
    guard let because = line.firstRange(of: " because ") else { return nil }
    let text = line[..<because.lowerBound]
    let words = text.split(separator: " ").map(String.init)
    let reason = line[because.upperBound...].drop { $0 == " " }
    guard words.count > 1, !reason.isEmpty, What(rawValue: words[1]) != nil else { return nil }
    var conditions: [Condition] = []
    for word in words.dropFirst() {
      if let what = What(rawValue: word), conditions.last?.name.isEmpty != true {
        conditions.append(Condition(what: what, name: ""))
      } else {
        let name = conditions[conditions.count - 1].name
        conditions[conditions.count - 1].name = name.isEmpty ? word : "\(name) \(word)"
      }
    }
    guard conditions.allSatisfy({ !$0.name.isEmpty }) else { return nil }
    let kinds: [String: [Finding.Kind]] = [
      "leak": [.leakedCycle, .rootLeak], "cycle": [.reachableCycle], "retained": [.overRetained],
    ]
    guard let kinds = kinds[words[0]] else { return nil }
    return Pattern(kinds: kinds, conditions: conditions, reason: String(reason), text: String(text))
  }

  /// True if a pattern needs the calls of an allocation, which have to be symbolised first.
  public var asksForCalls: Bool {
    patterns.contains { $0.conditions.contains { $0.what == .function || $0.what == .image } }
  }

  func pattern(for finding: Finding, in graph: ObjectGraph) -> Pattern? {
    patterns.first { pattern in
      guard pattern.kinds.contains(finding.kind) else { return false }
      return pattern.conditions.allSatisfy { condition in
        Self.names(condition, of: finding, in: graph).contains { matches($0, condition.name) }
      } && !pattern.hidesOwn(finding, in: graph)
    }
  }

  private static let calledBy = " called by "

  /// - Parameter areOwn: true for those of the program's own types alone.
  fileprivate static func names(
    _ condition: Condition, of finding: Finding, in graph: ObjectGraph, areOwn: Bool = false
  ) -> Set<String> {
    func isAsked(_ node: Int) -> Bool { !areOwn || graph.type(of: node).isOwn }
    switch condition.what {
    case .type:
      let nodes = finding.ring.isEmpty ? [finding.head] : finding.ring.map(\.from)
      return Set(nodes.lazy.filter(isAsked).map { graph.type(of: $0).name })
    case .field:
      return Set(
        finding.ring.lazy.filter { isAsked($0.from) }.map { graph.type(of: $0.from).name + $0.suffix(in: graph) })
    case .function:
      let calls = graph.allocation(of: finding.head).map { $0.function ?? "" }
      guard condition.name.firstRange(of: calledBy) != nil else { return Set(calls) }
      return Set(zip(calls, calls.dropFirst()).map { $0 + calledBy + $1 })
    case .image: return Set(graph.allocation(of: finding.head).map(\.image))
    }
  }
}

extension KnownPatterns.Pattern {
  /// True if a leak contains objects of the program's own types that the pattern does not name. A ring through a
  /// closure or a captured variable is caused by the closure's author.
  fileprivate func hidesOwn(_ finding: Finding, in graph: ObjectGraph) -> Bool {
    guard finding.isLeak else { return false }
    let isRingOfClosure = finding.ring.contains { [.closure, .box].contains(graph.type(of: $0.from).kind) }
    guard isRingOfClosure || finding.nodes.contains(where: { graph.type(of: $0).isOwn }) else { return false }
    return !conditions.contains { condition in
      switch condition.what {
      case .type, .field:
        KnownPatterns.names(condition, of: finding, in: graph, areOwn: true).contains { matches($0, condition.name) }
      case .function, .image: graph.type(of: finding.head).isOwn
      }
    }
  }
}

/// True if a name matches a pattern, in which `*` stands for any characters.
func matches(_ name: String, _ pattern: String) -> Bool {
  let (name, pattern) = (Array(name.utf8), Array(pattern.utf8))
  let star = UInt8(ascii: "*")
  var (at, place) = (0, 0)
  // The last star and the length it stands for so far: backtracking is needed for the last one only.
  var retry: (place: Int, at: Int)?
  while at < name.count {
    if place < pattern.count, pattern[place] == star {
      retry = (place, at)
      place += 1
    } else if place < pattern.count, pattern[place] == name[at] {
      at += 1
      place += 1
    } else if let last = retry {
      retry = (last.place, last.at + 1)
      (place, at) = (last.place + 1, last.at + 1)
    } else {
      return false
    }
  }
  return pattern[place...].allSatisfy { $0 == star }
}
