public import Graph

/// A ring in words.
package struct RingWords {
  /// The same for rings of the same cause, whatever they are made of in number and where they begin.
  let signature: String
  let title: String
  /// Its steps, such as "DummyObject.next", and how often each follows itself: those that the title names.
  package let steps: [(name: String, count: Int)]
  /// How many more there are.
  package let rest: Int

  package init(_ steps: [Step], _ graph: ObjectGraph) {
    // A ring may have a million steps of a few kinds: each kind is put in words once.
    struct Kind: Hashable {
      var type: UInt32
      var offset: Int
    }
    var names: [Kind: String] = [:]
    // "A.next → A.next → A.next" is "A.next, 3 times".
    var runs: [(name: String, count: Int)] = []
    var last: Kind?
    for step in steps {
      let kind = Kind(type: graph.typeOf[step.from], offset: step.offset)
      if kind != last {
        let name = names[kind] ?? graph.type(of: step.from).shortName + step.suffix(in: graph)
        names[kind] = name
        last = kind
        if runs.last?.name != name { runs.append((name, 0)) }
      }
      runs[runs.count - 1].count += 1
    }
    signature = "ring \(Set(names.values).sorted().joined(separator: " "))"
    self.steps = Array(runs.prefix(Self.longest))
    rest = runs.count - self.steps.count
    let shown = self.steps.map { $0.count > 1 ? "\($0.name) (\($0.count) times)" : $0.name }
    title = shown.joined(separator: " → ") + (rest > 0 ? " → … (\(rest) more)" : "") + " → back to the first"
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
