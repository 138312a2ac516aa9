public import Graph

/// The description of a ring. A ring may have a million steps of a few kinds: each kind is described once.
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
    /// Set for an element of a collection, such as a dictionary, whose elements are described by their keys.
    var collection: Int?
  }

  private func kind(_ step: Step) -> Kind {
    let type = graph.typeOf[step.from]
    let hasElements = !graph.types[Int(type)].elements.isEmpty
    return Kind(type: type, offset: step.offset, collection: hasElements ? step.from : nil)
  }

  /// A step's type, and its field as written behind it: "DummyObject", ".next".
  package struct Words {
    package let type: BlockType
    package let suffix: String
    /// The number of its consecutive repetitions.
    package fileprivate(set) var count = 0

    package var name: String { type.shortName + suffix }
  }

  /// The first steps, and the number of the others.
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

  /// The title. Called once for each cause, which may have a million instances. "A.next → A.next → A.next" becomes
  /// "A.next (3 times)".
  var title: String {
    let (shown, rest) = steps
    let words = shown.map { $0.count > 1 ? "\($0.name) (\($0.count) times)" : $0.name }
    return words.joined(separator: " → ") + (rest > 0 ? " → … (\(rest) more)" : "") + " → back to the first"
  }

  private static let longest = 6
}

/// The signatures of rings: the same for rings of the same cause, whatever their length and beginning. All elements of
/// a collection count as the same, since it is chance through which of them a ring goes. There may be a million rings
/// of a few causes: each pattern is written once.
struct RingSignatures {
  private struct Place: Hashable {
    var type: UInt32
    var offset: Int
  }
  private let graph: ObjectGraph
  private var patternOf: [Place: UInt32] = [:]
  private var patterns = Numbering<String>()
  private var known: [Set<UInt32>: String] = [:]

  init(_ graph: ObjectGraph) { self.graph = graph }

  mutating func signature(of ring: [Step]) -> String {
    var found: Set<UInt32> = []
    for step in ring { found.insert(pattern(Place(type: graph.typeOf[step.from], offset: step.offset))) }
    if let words = known[found] { return words }
    let words = "ring \(found.map { patterns.all[Int($0)] }.sorted().joined(separator: " "))"
    known[found] = words
    return words
  }

  private mutating func pattern(_ place: Place) -> UInt32 {
    if let number = patternOf[place] { return number }
    let type = graph.types[Int(place.type)]
    let number = patterns.number(of: "\(type.shortName).\(type.pattern(at: place.offset))")
    patternOf[place] = number
    return number
  }
}

extension BlockType {
  public var shortName: String {
    guard isOwn, let dot = name.firstIndex(of: ".") else { return name }
    return String(name[name.index(after: dot)...])
  }
}
