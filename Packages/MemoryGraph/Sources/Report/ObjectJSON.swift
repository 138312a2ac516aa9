import Analysis
import Capture
import Graph

/// The description of one block, in addition to the usual report.
extension JSONReport {
  /// The most references of a block that are listed, in each direction; "references_found" and "referrers_found" count
  /// all.
  private static let listed = 10_000

  static func addObject(_ node: Int, _ examination: Examination, to json: inout JSONWriter) {
    let graph = examination.graph
    json.object("object") { json in
      addNode(node, graph, to: &json)
      json.strings("superclasses", graph.type(of: node).superclasses)
      if let place = graph.definitions[graph.typeOf[node]] {
        json.object("defined") { json in
          json.string("file", place.file)
          json.number("line", place.line)
        }
      }
      if graph.strongCounts[node] > 0 {
        json.object("counts") { json in
          json.number("strong", Int(graph.strongCounts[node]))
          json.number("unowned", Int(graph.unownedCounts[node]))
          json.number("weak", Int(graph.weakCounts[UInt32(node)] ?? 0))
        }
      }
      json.string("state", examination.state(node).rawValue)
      if let finding = examination.leaks.nodes.first(where: { $0.node == node })?.finding {
        json.string("finding", examination.leaks.findings[finding].id)
      }
      if let dominators = examination.dominators {
        json.number("retained", dominators.retainedBytes(of: node))
        if let owner = dominators.owner(of: node) { json.object("owner") { addNode(owner, graph, to: &$0) } }
      }
      json.list("values") { json in
        for value in graph.values[UInt32(node)] ?? [] {
          json.object { json in
            json.string("field", graph.label(of: value, in: node))
            json.string("kind", value.kind.rawValue)
            json.string("value", value.text)
          }
        }
      }
      addReferences(node, graph, to: &json)
      addStack("backtrace", graph.allocation(of: node), to: &json)
      if let stack = graph.suspendedAt[UInt32(node)] {
        addStack("waits_in", graph.stacks[Int(stack)].map { graph.frames[Int($0)] }, to: &json)
      }
    }
  }

  private static func addReferences(_ node: Int, _ graph: ObjectGraph, to json: inout JSONWriter) {
    func add(_ from: Int, _ reference: Reference, other: Int, to json: inout JSONWriter) {
      json.object { json in
        addNode(other, graph, to: &json)
        json.string("field", graph.label(of: from, at: reference.offset))
        json.string("strength", graph.strength(of: reference, from: from))
      }
    }
    let references = graph.references(of: node)
    json.number("references_found", references.count)
    json.list("references") { json in
      for reference in references.prefix(listed) { add(node, reference, other: Int(reference.target), to: &json) }
    }
    json.strings("roots", graph.roots.filter { Int($0.target) == node }.map(\.label))
    var found = 0
    json.list("referrers") { json in
      for from in 0..<graph.count {
        for reference in graph.references(of: from) where Int(reference.target) == node {
          found += 1
          if found <= listed { add(from, reference, other: from, to: &json) }
        }
      }
    }
    json.number("referrers_found", found)
  }

  /// The path to a block, as `path`; without steps and root if it is unreachable.
  static func addPath(to node: Int, _ examination: Examination, to json: inout JSONWriter) {
    let graph = examination.graph
    let path = examination.reach.path(to: node, in: graph)
    json.object("path") { json in
      json.string("state", examination.state(node).rawValue)
      if let path { json.string("root", path.root?.label ?? "unknown") }
      json.list("steps") { json in for step in path?.steps ?? [] { add(step, graph, to: &json) } }
      json.object("target") { addNode(node, graph, to: &$0) }
    }
  }
}

extension Examination {
  enum State: String {
    case reachable
    case leaked
    /// The C library's own, which need not be freed.
    case library = "library's own"
    /// Lost in only one of two looks: it was being moved.
    case inTransit = "on its way"
  }

  func state(_ node: Int) -> State {
    if graph.exempt.contains(node) { return .library }
    if graph.inTransit.contains(node) { return .inTransit }
    return reach.contains(node) ? .reachable : .leaked
  }
}
