public import Graph

/// A ring in words.
struct RingWords {
  private let steps: [Step]
  private let graph: ObjectGraph

  init(_ steps: [Step], _ graph: ObjectGraph) {
    self.steps = steps
    self.graph = graph
  }

  /// The same for rings of the same cause, whatever they are made of in number and where they begin. A collection's
  /// elements are one to a cause: where in it a ring goes through is chance.
  var signature: String {
    let patterns = steps.map { step in
      let type = graph.type(of: step.from)
      return "\(type.shortName).\(type.pattern(at: step.offset))"
    }
    return "ring \(Set(patterns).sorted().joined(separator: " "))"
  }

  /// Asked for once for each cause, of which there may be a million instances.
  var title: String {
    // "A.next → A.next → A.next" is "A.next, 3 times".
    var runs: [(name: String, count: Int)] = []
    for name in steps.map({ graph.type(of: $0.from).shortName + $0.suffix(in: graph) }) {
      if let last = runs.last, last.name == name {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((name, 1))
      }
    }
    let shown = runs.prefix(Self.longest).map { $0.count > 1 ? "\($0.name) (\($0.count) times)" : $0.name }
    let rest = runs.count > Self.longest ? " → … (\(runs.count - Self.longest) more)" : ""
    return shown.joined(separator: " → ") + rest + " → back to the first"
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
