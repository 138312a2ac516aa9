/// Why a process could not be looked at, in a sentence that says what to do about it.
public struct CaptureError: Error, Equatable, Sendable {
  public enum Code: Sendable {
    /// There is no such process, or it has just ended.
    case gone
    /// The kernel does not let us look.
    case refused
    /// The same, since nobody may trace here: a program that waits for us can do what tracing does.
    case forbidden
    /// Something we do not know how to read: another C library, another machine word.
    case unsupported
    /// It can be read, but what is there contradicts itself.
    case damaged
  }
  public var code: Code
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
