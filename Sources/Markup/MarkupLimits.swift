/// How much markup a description may have. Descriptions come from outside, and a parser of HTML can be made to build a
/// tree that is far larger than its source.
enum MarkupLimits {
  /// Tags of a description that begin elements. A page pasted from an office program has a few hundred.
  static let tags = 4_000

  /// Elements inside one another that the parser is given, so that its work for each byte, and the stack that it needs
  /// to free its tree, stay small. A newsletter of nested tables has about 50.
  static let nesting = 64

  /// Elements inside one another that are written; deeper ones are left out, not their text.
  static let depth = 32

  /// Bytes of an address that becomes a link.
  static let addressBytes = 2_000

  /// Bytes of an href in the source, where "&" may be written as "&amp;".
  static let hrefBytes = 4_000
}
