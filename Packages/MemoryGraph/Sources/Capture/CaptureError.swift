/// The reason why a process could not be examined, as a sentence with a remedy.
public struct CaptureError: Error, Equatable, Sendable {
  public enum Code: Sendable {
    /// There is no such process, or it has just ended.
    case gone
    /// The kernel does not allow it.
    case refused
    /// The same because tracing is forbidden here; a program that waits for the tool can do what tracing would.
    case forbidden
    /// An unknown C library, or another word size.
    case unsupported
    /// The memory can be read, but its contents are inconsistent.
    case damaged
  }
  public var code: Code
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
