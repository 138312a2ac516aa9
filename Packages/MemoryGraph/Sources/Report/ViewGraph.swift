import Analysis
import Graph

/// Types, nodes, references and roots for the page.
enum ViewGraph {
  static func add(
    _ examination: Examination, _ findings: [Finding], _ selection: ViewSelection, to json: inout JSONWriter
  ) {
    let graph = examination.graph
    let placeOf = addTypes(examination, to: &json)
    json.column("address", wide: selection.nodes.map { graph.addresses[$0] })
    json.column("words", selection.nodes.map { graph.words[$0] })
    json.column("type", selection.nodes.map { placeOf[Int(graph.typeOf[$0])] })
    json.column("strong", selection.nodes.map { graph.strongCounts[$0] })
    json.column("unowned", selection.nodes.map { graph.unownedCounts[$0] })
    json.column("finding", findingOf(findings, selection))
    if let dominators = examination.dominators {
      json.column("retained", wide: selection.nodes.map { UInt64(dominators.retainedBytes(of: $0)) })
      json.column("retainedBlocks", selection.nodes.map { UInt32(dominators.retainedBlocks(of: $0)) })
    }
    addReferences(graph, selection, to: &json)
    json.list("roots") { json in
      for root in graph.roots {
        guard let place = selection.place(Int(root.target)) else { continue }
        json.list { json in
          json.number(nil, place)
          json.string(nil, root.label)
        }
      }
    }
  }

  /// Adds all types with their counts in the whole process; types with the same name are merged. Returns the index of
  /// each of the graph's types.
  private static func addTypes(_ examination: Examination, to json: inout JSONWriter) -> [UInt32] {
    let graph = examination.graph
    var types: [BlockType] = []
    var byName: [String: UInt32] = [:]
    var definitions: [UInt32: Definition] = [:]
    let placeOf = graph.types.enumerated().map { number, type in
      let place = byName[type.name] ?? UInt32(types.count)
      if let known = graph.definitions[UInt32(number)] { definitions[place] = known }
      if place == types.count {
        types.append(type)
        byName[type.name] = place
      }
      return place
    }
    var objects = [Int](repeating: 0, count: types.count)
    var bytes = objects
    var leaked = objects
    for node in 0..<graph.count {
      let place = Int(placeOf[Int(graph.typeOf[node])])
      objects[place] += 1
      bytes[place] += graph.bytes(of: node)
    }
    for leak in examination.leaks.nodes { leaked[Int(placeOf[Int(graph.typeOf[leak.node])])] += 1 }
    json.list("types") { json in
      for (place, type) in types.enumerated() {
        json.object { json in
          json.string("name", type.name)
          json.string("kind", "\(type.kind)")
          json.string("language", type.language.rawValue)
          json.number("own", type.isOwn ? 1 : 0)
          if !type.superclasses.isEmpty {
            json.list("hierarchy") { json in type.superclasses.forEach { json.string(nil, $0) } }
          }
          if let known = definitions[UInt32(place)] {
            json.list("defined") { json in
              json.string(nil, known.file)
              json.number(nil, known.line)
            }
          }
          json.number("objects", objects[place])
          json.number("bytes", bytes[place])
          json.number("leaked", leaked[place])
        }
      }
    }
    return placeOf
  }

  /// The finding of each node: its index plus 1, or 0.
  private static func findingOf(_ findings: [Finding], _ selection: ViewSelection) -> [UInt32] {
    var result = [UInt32](repeating: 0, count: selection.nodes.count)
    for (number, finding) in findings.enumerated() {
      for node in finding.nodes { if let place = selection.place(node) { result[place] = UInt32(number + 1) } }
    }
    return result
  }

  /// Adds the references between nodes of the file, and the number of the others. Names and kinds are indices in a
  /// list, since most are the same few.
  private static func addReferences(_ graph: ObjectGraph, _ selection: ViewSelection, to json: inout JSONWriter) {
    var first: [UInt32] = [0]
    var (targets, labels): ([UInt32], [UInt32]) = ([], [])
    var names = Names()
    var moreOut = [UInt32](repeating: 0, count: selection.nodes.count)
    var moreIn = moreOut
    for (place, node) in selection.nodes.enumerated() {
      for reference in graph.references(of: node) {
        guard let target = selection.place(Int(reference.target)) else {
          moreOut[place] += 1
          continue
        }
        targets.append(UInt32(target))
        labels.append(names.place(node, reference, graph))
      }
      first.append(UInt32(targets.count))
    }
    json.column("first", first)
    json.column("target", targets)
    json.column("label", labels)
    json.list("labels") { json in for name in names.all { json.string(nil, name.text) } }
    json.column("kinds", names.all.map(\.kind))
    guard selection.nodes.count < graph.count else { return }
    for node in 0..<graph.count where selection.place(node) == nil {
      for reference in graph.references(of: node) {
        if let place = selection.place(Int(reference.target)) { moreIn[place] += 1 }
      }
    }
    json.column("moreOut", moreOut)
    json.column("moreIn", moreIn)
  }

  /// The kinds of references, in the page's order (`ObjectGraph.strength`).
  private static let kinds = ["strong", "weak", "unowned", "unmanaged", "conservative"]

  /// A reference's field, and the index of its kind in `kinds`.
  private struct Name: Hashable {
    let text: String
    let kind: UInt32
  }

  /// Names of references, each once.
  private struct Names {
    private(set) var all: [Name] = []
    private var byName: [Name: UInt32] = [:]
    private var byPlace: [UInt64: UInt32] = [:]

    mutating func place(_ node: Int, _ reference: Reference, _ graph: ObjectGraph) -> UInt32 {
      // The lowest bits of an offset are free.
      let place = reference.offset | Int(reference.kind.rawValue)
      let key = UInt64(graph.typeOf[node]) << 40 | UInt64(truncatingIfNeeded: place) & 0xFF_FFFF_FFFF
      // A dictionary with known keys describes its elements by them.
      let isNamed =
        graph.values[UInt32(node)] != nil && graph.type(of: node).elements.contains { $0.role == .key }
      if !isNamed, let known = byPlace[key] { return known }
      let strength = graph.strength(of: reference, from: node)
      guard let kind = ViewGraph.kinds.firstIndex(of: strength) else { preconditionFailure("no kind: \(strength)") }
      let name = Name(text: graph.label(of: node, at: reference.offset), kind: UInt32(kind))
      let number = byName[name] ?? UInt32(all.count)
      if number == all.count {
        all.append(name)
        byName[name] = number
      }
      if !isNamed { byPlace[key] = number }
      return number
    }
  }
}
