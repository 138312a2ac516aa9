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
    static let sourcePath: UInt64 = 4
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

  /// What the types follow from that a layout depends on.
  enum Origin {
    case bindings
    /// Also from what the captured references lead to.
    case references
    case unknown
  }

  /// Each source is written as a path (swift/RemoteInspection/MetadataSource.h): "B0" is a binding, "R0" the type of an
  /// object that was captured, "G1_B0" an argument of a type; others are words of their own.
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
