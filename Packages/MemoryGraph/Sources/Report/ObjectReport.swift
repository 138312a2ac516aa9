import Analysis
import Capture
import Graph

extension TerminalReport {
  /// The most references that are listed, in each direction.
  private static let listed = 20

  // MARK: One object

  public func object(_ node: Int) -> String {
    let type = graph.type(of: node)
    var lines = [
      style.strong(type.name),
      "  address     \(hexadecimal(graph.addresses[node]))",
      "  size        \(size(graph.bytes(of: node)))",
      "  language    \(type.language.rawValue)",
    ]
    if let place = graph.definitions[graph.typeOf[node]] { lines.append("  defined at  \(place.file):\(place.line)") }
    if !type.superclasses.isEmpty {
      lines.append("  hierarchy   \(([type.name] + type.superclasses).joined(separator: " : "))")
    }
    if graph.strongCounts[node] > 0 {
      let weak = graph.weakCounts[UInt32(node)].map { ", weak \($0)" } ?? ""
      lines.append("  counts      strong \(graph.strongCounts[node]), unowned \(graph.unownedCounts[node])\(weak)")
    }
    lines.append("  state       \(state(node))")
    lines += ownership(node) + waiting(node) + values(of: node)
    let calls = graph.allocation(of: node)
    if !calls.isEmpty { lines += ["", "allocated at"] + calls.map { "  \(describe($0))" } }
    let out = graph.references(of: node)
    let blocks = Set(out.map(\.target)).count
    let times = out.count > blocks ? ", \(grouped(out.count)) times" : ""
    lines += ["", "refers to \(counted(blocks, "block"))\(times)"]
    lines += firsts(out) { reference in
      let field = graph.label(of: node, at: reference.offset) + kind(reference, from: node)
      return "\(field) → \(describe(Int(reference.target)))"
    }
    return page([damageAbove, lines, referrers(of: node)])
  }

  /// A line for each of the first, and the number of the others.
  private func firsts<Row>(_ rows: some Collection<Row>, _ line: (Row) -> String) -> [String] {
    rows.prefix(Self.listed).map { "  \(line($0))" }
      + (rows.count > Self.listed ? ["  … and \(grouped(rows.count - Self.listed)) more"] : [])
  }

  /// The lines about damage for reports without a head.
  private var damageAbove: [String] { graph.damage.isEmpty ? [] : damage().dropFirst() + [""] }

  private func values(of node: Int) -> [String] {
    guard let values = graph.values[UInt32(node)] else { return [] }
    return ["", "holds"]
      + firsts(values) { value in
        "\(graph.label(of: value, in: node)) = " + (value.kind == .text ? "\"\(value.text)\"" : value.text)
      }
  }

  /// The calls at which a suspended task will resume.
  private func waiting(_ node: Int) -> [String] {
    guard let stack = graph.suspendedAt[UInt32(node)] else { return [] }
    return ["", "waits to go on in"]
      + graph.stacks[Int(stack)].map { "  \(describe(graph.frames[Int($0)]))" }
  }

  private func kind(_ reference: Reference, from node: Int) -> String {
    mark(graph.strength(of: reference, from: node))
  }

  private func referrers(of node: Int) -> [String] {
    var found: [String] = graph.roots.filter { Int($0.target) == node }.map(\.label)
    for from in 0..<graph.count {
      for reference in graph.references(of: from) where Int(reference.target) == node {
        let step = Step(from: from, to: node, offset: reference.offset)
        found.append("\(describe(from))\(step.suffix(in: graph))\(kind(reference, from: from))")
      }
    }
    return ["", "referred to \(found.count == 1 ? "once" : "\(grouped(found.count)) times")"] + firsts(found) { $0 }
  }

  // MARK: The path to an object

  /// The surest path from a root to a block, step by step.
  public func path(to node: Int) -> String {
    guard let path = look.examination.reach.path(to: node, in: graph) else {
      let line =
        "\(style.bad("Nothing reaches")) \(describe(node)): it has leaked. \(program) leaks \(look.source) says why."
      return page([damageAbove, [line]])
    }
    let steps = way(path.steps).map { "  \($0)" } + ["  \(describe(node))"]
    return page([damageAbove, [path.root?.label ?? state(path.steps.first?.from ?? node)], steps])
  }
}
