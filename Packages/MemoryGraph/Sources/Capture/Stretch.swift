/// Mappings side by side that an allocator may have as one: where a program changes the rights of pages (mprotect),
/// locks them (mlock) or says what they are for (madvise), the kernel splits the mapping.
struct Stretch {
  /// In order, without gaps; never empty.
  let mappings: ArraySlice<Mapping>
  var start: UInt64 { mappings.first!.start }
  var end: UInt64 { mappings.last!.end }
  /// Whether blocks can lie in it, besides those of the program break.
  var isAnonymous: Bool { mappings.first!.isAnonymous }

  /// All mappings, in order; each in one stretch.
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

  /// Address space that somebody has only set aside may be of any size.
  private static func canBeSplit(_ mapping: Mapping) -> Bool {
    mapping.isHeapMemory && (mapping.isReadable || mapping.size <= CaptureLimits.protectedBytes)
  }
}
