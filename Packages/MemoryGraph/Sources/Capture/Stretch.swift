/// Adjacent mappings that an allocator may use as one: the kernel splits a mapping where a program changes the rights
/// of pages (mprotect), locks them (mlock) or advises on their use (madvise).
struct Stretch {
  /// In order, without gaps; never empty.
  let mappings: ArraySlice<Mapping>
  var start: UInt64 { mappings.first!.start }
  var end: UInt64 { mappings.last!.end }
  /// True if blocks can be in it, apart from those of the program break.
  var isAnonymous: Bool { mappings.first!.isAnonymous }

  /// All mappings, in order, each in one stretch.
  static func all(of mappings: [Mapping]) -> [Stretch] {
    var found: [Stretch] = []
    var first = mappings.startIndex
    for next in mappings.indices.dropFirst() where !continues(mappings[next - 1], mappings[next]) {
      found.append(Stretch(mappings: mappings[first..<next]))
      first = next
    }
    if first < mappings.endIndex { found.append(Stretch(mappings: mappings[first...])) }
    return found
  }

  private static func continues(_ one: Mapping, _ next: Mapping) -> Bool {
    one.end == next.start && one.isAnonymous == next.isAnonymous && canBeSplit(one) && canBeSplit(next)
  }

  /// True unless the address space is only reserved, which may be of any size.
  private static func canBeSplit(_ mapping: Mapping) -> Bool {
    mapping.isHeapMemory && (mapping.isReadable || mapping.size <= CaptureLimits.protectedBytes)
  }
}
