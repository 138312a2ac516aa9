public import Graph

/// A ring in words. A ring may have a million steps of a few kinds: each kind is put in words once.
package struct RingWords {
  private let ring: [Step]
  private let graph: ObjectGraph

  package init(_ ring: [Step], _ graph: ObjectGraph) {
    self.ring = ring
    self.graph = graph
  }

  private struct Kind: Hashable {
    var type: UInt32
    var offset: Int
    /// Elements have names of their own, such as a dictionary's keys.
    var collection: Int?
  }

  private func kind(_ step: Step) -> Kind {
    let type = graph.typeOf[step.from]
    let hasElements = !graph.types[Int(type)].elements.isEmpty
    return Kind(type: type, offset: step.offset, collection: hasElements ? step.from : nil)
  }

  /// The same for rings of the same cause, whatever they are made of in number and where they begin. A collection's
  /// elements are one to a cause: where in it a ring goes through is chance.
  var signature: String {
    let kinds = Set(ring.lazy.map { Kind(type: graph.typeOf[$0.from], offset: $0.offset) })
    let patterns = Set(
      kinds.map { kind in
        let type = graph.types[Int(kind.type)]
        return "\(type.shortName).\(type.pattern(at: kind.offset))"
      })
    return "ring \(patterns.sorted().joined(separator: " "))"
  }

  /// A step's type, and the field as it stands behind it: "DummyObject", ".next".
  package struct Words {
    package let type: BlockType
    package let suffix: String
    /// How often it follows itself.
    package fileprivate(set) var count = 0

    package var name: String { type.shortName + suffix }
  }

  /// The first steps, and how many more there are.
  package var steps: (shown: [Words], rest: Int) {
    var known: [Kind: Words] = [:]
    var runs: [Words] = []
    var last: Kind?
    for step in ring {
      let kind = kind(step)
      if kind != last {
        let words = known[kind] ?? Words(type: graph.type(of: step.from), suffix: step.suffix(in: graph))
        known[kind] = words
        last = kind
        if runs.last?.name != words.name { runs.append(words) }
      }
      runs[runs.count - 1].count += 1
    }
    return (Array(runs.prefix(Self.longest)), max(0, runs.count - Self.longest))
  }

  /// Asked for once for each cause, of which there may be a million instances. "A.next → A.next → A.next" is
  /// "A.next (3 times)".
  var title: String {
    let (shown, rest) = steps
    let words = shown.map { $0.count > 1 ? "\($0.name) (\($0.count) times)" : $0.name }
    return words.joined(separator: " → ") + (rest > 0 ? " → … (\(rest) more)" : "") + " → back to the first"
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
