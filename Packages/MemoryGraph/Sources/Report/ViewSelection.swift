package import Analysis
import Graph

/// The nodes that a page shows: all, or the most important ones if there are too many.
package struct ViewSelection {
  /// The most nodes that a browser zooms smoothly without a graphics processor.
  package static let mostNodes = 100_000
  /// The most members of a ring, and nodes of an example, that are listed with a finding.
  static let mostOfFinding = 1_000
  /// The distance in steps from a finding that counts as near.
  private static let nearSteps = 3
  /// Types of the program's own with at most so many objects are shown completely, however small.
  private static let mostOfRare = 1_000

  /// In the order of addresses.
  package private(set) var nodes: [Int] = []
  /// The index in `nodes` of each node of the graph, or -1.
  private var places: [Int32]

  /// The beginning and the end of a long ring or path.
  static func ends<Element>(_ all: [Element]) -> [Element] {
    all.count <= mostOfFinding ? all : Array(all.prefix(mostOfFinding / 2) + all.suffix(mostOfFinding / 2))
  }

  func place(_ node: Int) -> Int? { places[node] < 0 ? nil : Int(places[node]) }

  /// Takes the nodes of findings first, then those near to them, then the program's own objects and the largest blocks.
  package init(_ examination: Examination, _ findings: [Finding], most: Int = mostNodes) {
    let graph = examination.graph
    places = [Int32](repeating: -1, count: graph.count)
    guard graph.count > most else {
      nodes = Array(0..<graph.count)
      for node in nodes { places[node] = Int32(node) }
      return
    }
    for finding in findings {
      let way = examination.reach.path(to: finding.head, in: graph)?.steps ?? []
      take([finding.head] + Self.ends(way.map(\.from)) + Self.ends(finding.ring.map(\.from)), most)
      take(finding.example.prefix(Self.mostOfFinding), most)
    }
    for finding in findings { take(finding.nodes.prefix(most / 2), most) }
    takeNear(graph, most)
    takeRare(graph, most)
    for isOwn in [true, false] { takeLargest(graph, isOwn: isOwn, most) }
    nodes.sort()
    for (place, node) in nodes.enumerated() { places[node] = Int32(place) }
  }

  private mutating func take(_ more: some Sequence<Int>, _ most: Int) {
    for node in more where places[node] < 0 && nodes.count < most {
      places[node] = 0
      nodes.append(node)
    }
  }

  /// Takes what the taken nodes refer to, and what refers to them, step by step.
  private mutating func takeNear(_ graph: ObjectGraph, _ most: Int) {
    var start = 0
    for _ in 0..<Self.nearSteps where nodes.count < most && start < nodes.count {
      let end = nodes.count
      for place in start..<end { take(graph.references(of: nodes[place]).lazy.map { Int($0.target) }, most) }
      var isLast = [Bool](repeating: false, count: graph.count)
      for place in start..<end { isLast[nodes[place]] = true }
      for node in 0..<graph.count where places[node] < 0 {
        if graph.references(of: node).contains(where: { isLast[Int($0.target)] }) { take([node], most) }
      }
      start = end
    }
  }

  /// A million list nodes must not displace the one object with the settings.
  private mutating func takeRare(_ graph: ObjectGraph, _ most: Int) {
    let counts = graph.countsOfTypes
    let isRare = graph.types.indices.map { graph.types[$0].isOwn && counts[$0] <= Self.mostOfRare }
    take((0..<graph.count).lazy.filter { isRare[Int(graph.typeOf[$0])] }, most)
  }

  private mutating func takeLargest(_ graph: ObjectGraph, isOwn: Bool, _ most: Int) {
    let isWanted = graph.types.map { $0.isOwn == isOwn }
    // A count for each size, so that a million need not be sorted.
    var sizes = [Int](repeating: 0, count: 1 << 12)
    func size(_ node: Int) -> Int { min(Int(graph.words[node]), sizes.count - 1) }
    for node in 0..<graph.count where places[node] < 0 && isWanted[Int(graph.typeOf[node])] { sizes[size(node)] += 1 }
    var room = most - nodes.count
    var least = sizes.count
    while least > 0, room > 0 {
      least -= 1
      room -= sizes[least]
    }
    for larger in [true, false] {
      for node in 0..<graph.count where places[node] < 0 && isWanted[Int(graph.typeOf[node])] {
        if larger ? size(node) > least : size(node) == least { take([node], most) }
      }
    }
  }
}
