import Capture

/// The compiler's description of a closure's context (swift/ABI/Metadata.h, TargetHeapLocalVariableMetadata;
/// swift/RemoteInspection/Records.h, CaptureDescriptor): the types of the captured values and, in generic functions,
/// where to find the generic arguments.
struct CaptureDescriptor {
  private let memory: MemoryImage
  private let address: UInt64
  private let captures: UInt32
  private let sources: UInt32
  /// The words after a context's header that hold types and their conformances.
  let bindings: Int

  private enum Layout {
    /// The offset of the descriptor's address in a context's metadata.
    static let place: UInt64 = 16
    static let sources: UInt64 = 4
    static let bindings: UInt64 = 8
    static let first: UInt64 = 12
    /// The relative address of a type's name; of a source, that of its type and that of its path.
    static let captureSize: UInt64 = 4
    static let sourceSize: UInt64 = 8
    static let sourcePath: UInt64 = 4
  }
  private static let most: UInt32 = 1 << 12
  private static let longestSource = 256  // bytes

  /// Nil for a context without a readable descriptor.
  init?(ofContext metadata: UInt64, _ memory: MemoryImage) {
    guard let address = memory.word(metadata &+ Layout.place), address != 0, address & 3 == 0,
      let captures = memory.half(address), let sources = memory.half(address &+ Layout.sources),
      let bindings = memory.half(address &+ Layout.bindings), max(captures, sources, bindings) <= Self.most
    else { return nil }
    (self.memory, self.address, self.captures, self.sources) = (memory, address, captures, sources)
    self.bindings = Int(bindings)
  }

  /// True if contexts with this descriptor may differ in their layout.
  var isGeneric: Bool { sources > 0 || bindings > 0 }

  enum Origin {
    case bindings
    /// Also the objects that captured references point to.
    case references
    case unknown
  }

  /// Each source is written as a path (swift/RemoteInspection/MetadataSource.h): "B0" is a binding, "R0" the type of a
  /// captured object, "G1_B0" a generic argument of a type; others are words of their own.
  var origin: Origin {
    let first = address &+ Layout.first &+ UInt64(captures) &* Layout.captureSize
    var origin = Origin.bindings
    for source in 0..<UInt64(sources) {
      let place = first &+ source &* Layout.sourceSize &+ Layout.sourcePath
      guard let start = memory.relative(at: place), let path = memory.text(start, limit: Self.longestSource),
        path.contains(where: { "BR".contains($0) }), !path.contains(where: { "MS".contains($0) })
      else { return .unknown }
      if path.contains("R") { origin = .references }
    }
    return origin
  }
}
