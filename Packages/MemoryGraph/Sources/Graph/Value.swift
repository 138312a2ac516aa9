/// What is stored at a place of a block, readable: a string, a number, an image.
public struct Value: Equatable, Sendable {
  public enum Kind: String, Sendable {
    case text
    case number
    /// A file of a known kind, such as a PNG, whole in `bytes`.
    case image
  }
  /// In bytes from the block's start.
  public var offset: Int
  public var kind: Kind
  /// As it is shown; cut when it is long.
  public var text: String
  /// Of an image.
  public var bytes: [UInt8]
  /// The field, where its place does not tell it: an optional structure that is nil begins where its first part would.
  /// It is kept in no file.
  public var field: String?

  public init(offset: Int, kind: Kind, text: String, bytes: [UInt8] = [], field: String? = nil) {
    self.field = field
    self.offset = offset
    self.kind = kind
    self.text = text
    self.bytes = bytes
  }
}
