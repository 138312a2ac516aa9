/// The reason why no graph can be made of a snapshot or file, as a sentence.
public struct GraphError: Error, Equatable, Sendable {
  public var message: String
  public init(_ message: String) { self.message = message }
}
