/// An inconsistent place of a heap, after which it could not be read.
public struct HeapDamage: Equatable, Sendable {
  public var address: UInt64
  /// The bytes that could not be read; 0 where even that is unknown.
  public var unread: Int
  /// The fault, and how much was not read, as whole sentences.
  public var sentence: String

  public init(address: UInt64, unread: Int, sentence: String) {
    self.address = address
    self.unread = unread
    self.sentence = sentence
  }
}
