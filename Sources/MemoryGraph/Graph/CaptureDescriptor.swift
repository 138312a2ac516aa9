import Capture

/// What the compiler says of a closure's context (swift/ABI/Metadata.h, TargetHeapLocalVariableMetadata;
/// swift/RemoteInspection/Records.h, CaptureDescriptor): the types of what it has captured and, in generic functions,
/// where the types can be found that it was made for.
struct CaptureDescriptor {
  private let memory: MemoryImage
  private let address: UInt64
  private let captures: UInt32
  private let sources: UInt32
  /// Words behind a context's header that hold types and their conformances.
  let bindings: Int

  private enum Layout {
    /// Of a context's metadata, where the descriptor's address stands.
    static let place: UInt64 = 16
    static let sources: UInt64 = 4
    static let bindings: UInt64 = 8
    static let first: UInt64 = 12
    /// The distance to a type's name; of a source, a distance to its type and one to how it is found.
    static let captureSize: UInt64 = 4
    static let sourceSize: UInt64 = 8
  }
  private static let most: UInt32 = 1 << 12
  private static let longestSource = 256  // bytes

  /// nil where a context has none, or none that can be read.
  init?(ofContext metadata: UInt64, _ memory: MemoryImage) {
    guard let address = memory.word(metadata &+ Layout.place), address != 0, address & 3 == 0,
      let captures = memory.half(address), let sources = memory.half(address &+ Layout.sources),
      let bindings = memory.half(address &+ Layout.bindings), max(captures, sources, bindings) <= Self.most
    else { return nil }
    (self.memory, self.address, self.captures, self.sources) = (memory, address, captures, sources)
    self.bindings = Int(bindings)
  }

  /// Whether contexts with this descriptor may differ in their layout.
  var isGeneric: Bool { sources > 0 || bindings > 0 }

  /// Whether all types that the layout depends on follow from its bindings (MetadataSource.h: "B0" is a binding,
  /// "G1_B0" an argument of one; "R0" and "M0" are found through what was captured).
  var isBound: Bool {
    let first = address &+ Layout.first &+ UInt64(captures) &* Layout.captureSize
    for source in 0..<UInt64(sources) {
      let place = first &+ source &* Layout.sourceSize &+ 4
      guard let distance = memory.half(place), distance != 0,
        let text = memory.text(
          place &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance))), limit: Self.longestSource),
        text.contains("B"), !text.contains(where: { "RMS".contains($0) })
      else { return false }
    }
    return true
  }
}
