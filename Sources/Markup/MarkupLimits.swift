/// The limits of this module. Descriptions come from outside, and an HTML parser can be made to build a tree far larger
/// than its source.
enum MarkupLimits {
  /// Tags of a description that begin elements. A page pasted from an office program has a few hundred.
  static let tags = 4_000

  /// The depth of nesting given to the parser, so that its work for each byte, and the stack for freeing its tree, stay
  /// small. A newsletter of nested tables has about 50.
  static let nesting = 64

  /// The depth of nesting that is written; of deeper elements only the text is.
  static let depth = 32

  /// Bytes of an address that becomes a link.
  static let addressBytes = 2_000

  /// Bytes of an href in the source, where "&" may be written as "&amp;".
  static let hrefBytes = 4_000
}
