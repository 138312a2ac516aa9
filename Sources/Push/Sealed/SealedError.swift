/// A failure of this module; `message` is a sentence for people. It never holds a key or a text that was sealed.
public struct SealedError: Error, Equatable, Sendable {
  public var message: String
  public init(_ message: String) { self.message = message }
}
