/// A place where a heap contradicts itself, so that what lies behind it could not be read.
public struct HeapDamage: Equatable, Sendable {
  public var address: UInt64
  /// What could not be read, in bytes; 0 where even that is not known.
  public var unread: Int
  /// What is wrong, and how much was not read: whole sentences.
  public var sentence: String

  public init(address: UInt64, unread: Int, sentence: String) {
    self.address = address
    self.unread = unread
    self.sentence = sentence
  }
}
