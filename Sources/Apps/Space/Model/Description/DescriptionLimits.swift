/// How much markup a description may have. Descriptions come from outside, and a parser of HTML can be made to build a
/// tree that is far larger than its source: it opens formatting elements again in every paragraph that follows.
enum DescriptionLimits {
  /// Start tags of a description. A page pasted from an office program has a few hundred. It also limits how deep the
  /// tree can be, which the parser frees by recursion.
  static let tags = 4_000

  /// Formatting elements with attributes, times tags: at most so many elements can be opened again.
  static let copies = 400_000

  /// Elements inside one another that are written; deeper ones are left out, not their text.
  static let depth = 32

  /// Bytes of an address that becomes a link.
  static let addressBytes = 2_000
}
