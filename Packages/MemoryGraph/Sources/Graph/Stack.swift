/// The calls that led somewhere, the innermost first: where a block was allocated, or where a task waits.
public typealias Stack = [UInt32]

/// One call: a place in a program or in one of its libraries.
public struct Frame: Hashable, Sendable {
  /// In the process that was looked at: a place within the call, not behind it, or where a function goes on.
  public var address: UInt64
  /// The file it was loaded from, such as "/usr/bin/victim"; empty when unknown.
  public var image: String
  /// Demangled, as Swift's author wrote it; nil when it was not looked for, `nameless` when it was in vain.
  public var function: String?
  public var file: String?
  public var line: Int?

  /// What the toolchain's `Runtime` calls a function without a symbol.
  public static let nameless = "<unknown>"

  public init(address: UInt64, image: String = "", function: String? = nil, file: String? = nil, line: Int? = nil) {
    self.address = address
    self.image = image
    self.function = function
    self.file = file
    self.line = line
  }
}
