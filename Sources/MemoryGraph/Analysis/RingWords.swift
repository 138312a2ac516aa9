public import Graph

/// A ring in words.
struct RingWords {
  /// The same for rings of the same cause, whatever they are made of in number and where they begin.
  let signature: String
  let title: String

  init(_ steps: [Step], _ graph: ObjectGraph) {
    let names = steps.map { step in graph.type(of: step.from).shortName + step.suffix(in: graph) }
    // A collection's elements are one to a cause: where in it a ring goes through is chance.
    let patterns = steps.map { step in
      let type = graph.type(of: step.from)
      return "\(type.shortName).\(type.pattern(at: step.offset))"
    }
    signature = "ring \(Set(patterns).sorted().joined(separator: " "))"
    // "A.next → A.next → A.next" is "A.next, 3 times".
    var runs: [(name: String, count: Int)] = []
    for name in names {
      if let last = runs.last, last.name == name {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((name, 1))
      }
    }
    let shown = runs.prefix(Self.longest).map { $0.count > 1 ? "\($0.name) (\($0.count) times)" : $0.name }
    let rest = runs.count > Self.longest ? " → … (\(runs.count - Self.longest) more)" : ""
    title = shown.joined(separator: " → ") + rest + " → back to the first"
  }

  /// Steps that a title names.
  private static let longest = 6
}

extension BlockType {
  /// Without the module.
  public var shortName: String {
    guard isOwn, let dot = name.firstIndex(of: ".") else { return name }
    return String(name[name.index(after: dot)...])
  }
}
