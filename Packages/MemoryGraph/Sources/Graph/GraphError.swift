/// Why no graph could be made of a snapshot, in a sentence.
public struct GraphError: Error, Equatable, Sendable {
  public var message: String
  public init(_ message: String) { self.message = message }
}
