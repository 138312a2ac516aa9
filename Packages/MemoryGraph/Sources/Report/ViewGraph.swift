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

  /// Adds the types of all blocks with their counts in the process. Returns the index of each of the graph's types.
  private static func addTypes(_ examination: Examination, to json: inout JSONWriter) -> [UInt32] {
    let graph = examination.graph
    var definitions: [String: Definition] = [:]
    for (number, type) in graph.types.enumerated() {
      if let known = graph.definitions[UInt32(number)] { definitions[type.name] = known }
    }
    let counts = TypeCount.all(graph, examination.leaks)
    json.list("types") { json in
      for count in counts {
        let type = count.type
        json.object { json in
          json.string("name", type.name)
          json.string("kind", "\(type.kind)")
          json.string("language", type.language.rawValue)
          json.number("own", type.isOwn ? 1 : 0)
          if !type.superclasses.isEmpty { json.strings("hierarchy", type.superclasses) }
          if let known = definitions[type.name] {
            json.list("defined") { json in
              json.string(nil, known.file)
              json.number(nil, known.line)
            }
          }
          json.number("objects", count.objects)
          json.number("bytes", count.bytes)
          json.number("leaked", count.leaked)
        }
      }
    }
    let places = Dictionary(uniqueKeysWithValues: counts.enumerated().map { ($1.type.name, UInt32($0)) })
    return graph.types.map { places[$0.name] ?? 0 }
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
    json.strings("labels", names.all.map(\.text))
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
  private struct Name: Hashable, Sendable {
    let text: String
    let kind: UInt32
  }

  private struct Names {
    private var names = Numbering<Name>()
    var all: [Name] { names.all }
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
      let number = names.number(
        of: Name(text: graph.label(of: node, at: reference.offset), kind: UInt32(kind)))
      if !isNamed { byPlace[key] = number }
      return number
    }
  }
}
