/// A leak in the body of a test.
public struct Leak: Sendable, CustomStringConvertible {
  /// "retain cycle" or "root leak".
  public let kind: String
  /// The chain of references that closes the cycle, or the object without references.
  public let title: String
  /// The number of instances; `objects` and `bytes` are for all of them.
  public let instances: Int
  public let objects: Int
  public let bytes: Int
  /// The types of all objects in it, such as "App.Node", sorted.
  public let types: [String]
  /// The steps of the first ring, such as "App.Player.onEnd"; empty for a root leak.
  public let chain: [String]
  /// The call that allocated the first object, such as "makeRing(_:) /App/Ring.swift:12"; nil if not recorded.
  public let allocation: String?

  init(_ finding: JSONValue, types: Set<String>) {
    kind = finding["kind"].text
    title = finding["title"].text
    instances = finding["instances"].integer ?? 1
    objects = finding["objects"].integer ?? 0
    bytes = finding["bytes"].integer ?? 0
    self.types = types.sorted()
    chain = finding["cycle"].elements.map { step in
      let field = step["field"].text
      let sign = field.hasPrefix("[") ? "" : field.hasPrefix("+") ? " " : "."
      return step["type"].text + sign + field
    }
    let told = finding["backtrace"].elements.first { $0["line"].integer != nil }
    allocation = told.map { "\($0["function"].text) \($0["file"].text):\($0["line"].integer ?? 0)" }
  }

  private static let toldSteps = 12

  public var description: String {
    var lines = [title]
    let times = instances == 1 ? "" : ", found \(instances) times; the first"
    lines.append("\(kind): \(objects) \(objects == 1 ? "block" : "blocks"), \(bytes) bytes\(times)")
    if let allocation { lines.append("allocated at \(allocation)") }
    lines += chain.prefix(Self.toldSteps).map { "  \($0) →" }
    if chain.count > Self.toldSteps { lines.append("  … \(chain.count - Self.toldSteps) more steps") }
    if !chain.isEmpty { lines.append("  and back to the first") }
    return lines.joined(separator: "\n")
  }
}

/// The reason why leaks cannot be detected, as a sentence.
public struct LeakTestingError: Error, CustomStringConvertible {
  public let message: String
  public var description: String { message }
}
