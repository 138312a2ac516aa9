/// Copies all of a process's memory that can hold a reference to the heap: what is writable, and what the program has
/// written and then protected.
struct ImageCopying {
  private let stretches: [Stretch]
  private let filter: PageFilter
  private let process: any MemorySource
  private let memory: MemoryImage
  /// Where the mappings begin that the twin has, and those that were copied already.
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

  /// While the process stands still: what it keeps from its children (MADV_DONTFORK), unless that is much. Of a heap
  /// with such pages all has to be of one moment.
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

  /// - Parameter twin: nil when the process itself is read, which stands still.
  func copyRest(twin: (any MemorySource)?) throws(CaptureError) {
    var inherited = inherited
    if let twin, inherited == nil { inherited = try Self.starts(of: twin) }
    for stretch in stretches {
      for mapping in stretch.mappings where !copied.contains(mapping.start) {
        // What the program keeps from its children is read where it is, a moment later.
        let isInherited = inherited?.contains(mapping.start) ?? true
        // Memory of nobody else's is zero where it was not touched. What is shared may be a database of many gigabytes:
        // only what this process has touched can hold its references, which a twin does not inherit. What was not
        // touched of a library's variables is as in its file; of a file larger than any library it is left out.
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
      touchedBy: toucher?.process, isOwn: mapping.isFile && mapping.isPrivate && isLarge,
      // Of variables all is kept: types are described there, too.
      filter: mapping.isFile && !isLarge ? nil : filter)
  }

  private static func starts(of twin: any MemorySource) throws(CaptureError) -> Set<UInt64> {
    Set(try Mapping.all(of: twin.process).map(\.start))
  }

  private static func isWanted(_ mapping: Mapping) -> Bool { mapping.canHoldReferences && !isDevice(mapping) }

  /// Memory of a device or of the kernel; or our shim's table, in which nothing refers to the heap.
  private static func isDevice(_ mapping: Mapping) -> Bool {
    mapping.path.hasPrefix("/dev/") && !mapping.path.hasPrefix("/dev/shm/") && !mapping.path.hasPrefix("/dev/zero")
      || mapping.path.hasPrefix("[v") || mapping.path.hasPrefix("/memfd:memorygraph-stacks")
  }
}
