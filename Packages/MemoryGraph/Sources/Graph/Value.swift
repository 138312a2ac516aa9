/// A readable value in a block: a string, a number, an image.
public struct Value: Equatable, Sendable {
  public enum Kind: String, Sendable {
    case text
    case number
    /// A complete file of a known kind, such as a PNG, in `bytes`.
    case image
  }
  /// The offset in bytes from the block's start.
  public var offset: Int
  public var kind: Kind
  /// The text shown; a long one is cut.
  public var text: String
  public var bytes: [UInt8]
  /// The field, if its offset is ambiguous: an optional structure that is nil begins where its first part would. Not
  /// stored in files.
  public var field: String?

  public init(offset: Int, kind: Kind, text: String, bytes: [UInt8] = [], field: String? = nil) {
    self.field = field
    self.offset = offset
    self.kind = kind
    self.text = text
    self.bytes = bytes
  }
}
