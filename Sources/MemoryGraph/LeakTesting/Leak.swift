import Analysis
import Graph

/// Something that has leaked in the body of a test.
public struct Leak: Sendable, CustomStringConvertible {
  /// "retain cycle" or "root leak".
  public let kind: String
  /// The chain that closes it, or what nothing refers to.
  public let title: String
  public let objects: Int
  public let bytes: Int
  /// The types of all that has leaked with it, such as "App.Node", in order.
  public let types: [String]

  init(_ finding: Finding, in graph: ObjectGraph) {
    kind = finding.kind.rawValue
    title = finding.title
    objects = finding.objects
    bytes = finding.bytes
    types = Set(finding.nodes.map { graph.type(of: $0).name }).sorted()
  }

  public var description: String { "\(kind), \(objects) blocks, \(bytes) bytes: \(title)" }
}

/// Why nothing can be said of a body's leaks, in a sentence.
public struct LeakTestingError: Error, CustomStringConvertible {
  public let message: String
  public var description: String { message }
}
