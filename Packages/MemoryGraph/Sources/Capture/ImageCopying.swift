/// Copies all of a process' memory that can contain references to the heap: what is writable, and what the program has
/// written and then protected.
struct ImageCopying {
  private let stretches: [Stretch]
  private let filter: PageFilter
  private let process: any MemorySource
  private let memory: MemoryImage
  /// The starts of the mappings that the twin has, or that were copied already.
  private var inherited: Set<UInt64>?
  private var copied: Set<UInt64> = []

  init(
    _ mappings: [Mapping], _ layout: GlibcLayout, of process: any MemorySource, into memory: MemoryImage
  ) throws(CaptureError) {
    stretches = Stretch.all(of: mappings).filter { $0.mappings.contains(where: Self.isWanted) }
    filter = PageFilter(mappings, layout)
    (self.process, self.memory) = (process, memory)
    for stretch in stretches { try memory.reserve(stretch.start, stretch.end) }
  }

  /// Copies, while the process is stopped, the memory excluded from its children (MADV_DONTFORK), unless there is much.
  /// If a heap has such pages, all of it has to be copied at one moment.
  mutating func copyKept(from twin: any MemorySource) throws(CaptureError) {
    let inherited = try Self.starts(of: twin)
    self.inherited = inherited
    var size: UInt64 = 0
    for stretch in stretches {
      for mapping in stretch.mappings where mapping.isHeapMemory && !inherited.contains(mapping.start) {
        guard size + mapping.size <= CaptureLimits.keptBytes else { continue }
        size += mapping.size
        try copy(mapping, of: process, touchedBy: process)
        copied.insert(mapping.start)
      }
    }
  }

  /// - Parameter twin: nil when the process itself is read, which is stopped.
  func copyRest(twin: (any MemorySource)?) throws(CaptureError) {
    var inherited = inherited
    if let twin, inherited == nil { inherited = try Self.starts(of: twin) }
    for stretch in stretches {
      for mapping in stretch.mappings where !copied.contains(mapping.start) {
        // Memory excluded from children is read from the process itself, a moment later.
        let isInherited = inherited?.contains(mapping.start) ?? true
        // Untouched private memory is zero. Shared memory may be a database of many gigabytes: only pages that this
        // process has touched can hold its references, which a twin does not inherit. Untouched variables of a library
        // are as in its file; of a file larger than any library they are left out.
        let isLarge = mapping.size > CaptureLimits.variableBytes
        let toucher =
          !mapping.isPrivate || !isInherited
          ? process : mapping.isFile && !isLarge ? nil : twin ?? process
        try copy(mapping, of: isInherited ? twin ?? process : process, touchedBy: toucher)
      }
    }
    memory.seal()
  }

  private func copy(
    _ mapping: Mapping, of source: any MemorySource, touchedBy toucher: (any MemorySource)?
  ) throws(CaptureError) {
    let isLarge = mapping.size > CaptureLimits.variableBytes
    try memory.copy(
      mapping.start, mapping.end, of: mapping.isReadable ? source : source.whateverItsRights,
      touchedBy: toucher, isOwn: mapping.isFile && mapping.isPrivate && isLarge,
      // Variables are kept as a whole, since types are described there, too.
      filter: mapping.isFile && !isLarge ? nil : filter)
  }

  private static func starts(of twin: any MemorySource) throws(CaptureError) -> Set<UInt64> {
    Set(try Mapping.all(of: twin.process).map(\.start))
  }

  private static func isWanted(_ mapping: Mapping) -> Bool { mapping.canHoldReferences && !isDevice(mapping) }

  /// True for memory of a device or of the kernel, and for the shim's table, which has no references to the heap.
  private static func isDevice(_ mapping: Mapping) -> Bool {
    mapping.path.hasPrefix("/dev/") && !mapping.path.hasPrefix("/dev/shm/") && !mapping.path.hasPrefix("/dev/zero")
      || mapping.path.hasPrefix("[v") || mapping.path.hasPrefix("/memfd:memorygraph-stacks")
  }
}
