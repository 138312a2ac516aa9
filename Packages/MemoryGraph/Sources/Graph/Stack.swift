/// A call stack, the innermost call first: of a block's allocation, or of a suspended task.
public typealias Stack = [UInt32]

/// One call: a place in a program or in one of its libraries.
public struct Frame: Hashable, Sendable {
  /// The address in the process: within the call instruction, or where a suspended function resumes.
  public var address: UInt64
  /// The file it was loaded from, such as "/usr/bin/victim"; empty when unknown.
  public var image: String
  /// Demangled, in Swift's notation; nil when it was not symbolised, `nameless` when it has no symbol.
  public var function: String?
  public var file: String?
  public var line: Int?

  /// The name that the toolchain's `Runtime` gives to a function without a symbol.
  public static let nameless = "<unknown>"

  public init(address: UInt64, image: String = "", function: String? = nil, file: String? = nil, line: Int? = nil) {
    self.address = address
    self.image = image
    self.function = function
    self.file = file
    self.line = line
  }
}
