public import Capture

/// Builds the graph of a snapshot: its blocks, their types, and their references.
public enum GraphReader {
  public static func read(_ snapshot: Snapshot) throws -> ObjectGraph {
    var blocks = try HeapBlocks(snapshot)
    var paths: Set<String> = []
    let files = snapshot.mappings.filter { $0.isFile && $0.fileOffset == 0 && paths.insert($0.path).inserted }
    let images = files.compactMap { ELFImage($0.path, start: $0.start, process: snapshot.files) }
    // Programs and libraries whose files were replaced since, or are on another machine.
    let unread = files.filter { file in
      !images.contains { $0.path == file.path } && snapshot.memory.half(file.start) == ELFSegment.magic
    }
    let types = try TypeReader(snapshot, images)
    let stacks = AllocationStacks(snapshot, images)
    let allocations = stacks?.separate(&blocks)
    var graph = ObjectGraph()
    graph.process = snapshot.process
    graph.processName = snapshot.name
    graph.remarks = blocks.remarks
    graph.damage = blocks.damage
    if snapshot.method == .core {
      graph.remarks.append(
        "What the program has given to the kernel (epoll) is in no core file: what only that names is told as a leak.")
    }
    if snapshot.lacksProtected { graph.remarks.append(lacksProtected) }
    let index = BlockIndex(blocks)
    let roots = Roots(snapshot, blocks)
    var tables = classify(blocks, index, snapshot.memory, types, into: &graph)
    if let allocations { stacks?.read(allocations, into: &graph) }
    for address in roots.stale { if let block = index.exactBlock(at: address) { tables.setStale(block) } }
    addTasks(index, snapshot, types.code, &tables, into: &graph)
    if !graph.stacks.isEmpty { graph.images = FrameNames.images(snapshot) }
    let labels = DispatchReader(index, snapshot.memory, types).read(into: &graph)
    let partlyUsed = PartlyUsed(blocks, index, snapshot.memory)
    partlyUsed.addStreams(&tables)
    partlyUsed.addTexts(labels.filter { graph.typeOf[$0] == 0 }, &tables)
    let existentials = ExistentialReader(blocks, graph.typeOf, types.types, snapshot.memory)
    let allocating = AllocatingThreads(snapshot, images, types.code)
    let idle = addRoots(
      roots, blocks, index, snapshot.memory, RootNames(images, types), allocating, partlyUsed, &tables, into: &graph)
    // All types are known now: the process' copy can be released.
    try snapshot.release()
    let references = ReferenceReader(
      blocks: blocks, index: index, memory: snapshot.memory, tables: tables, types: types.types, code: types.code,
      existentials: existentials)
    let contexts = references.read(into: &graph)
    graph.exempt = Set(blocks.internals.compactMap { index.exactBlock(at: $0) }).union(tables.staleBlocks)
    graph.types = contexts.told(types.types)
    for (type, address) in types.deinits {
      guard let image = types.code.image(at: address) else { continue }
      graph.deinits[type] = Deinit(address: address, path: image.path, start: image.start)
    }
    if !types.hasSwift, unread.isEmpty {
      graph.types[0] = BlockType("block", .c, .unknown)
      graph.remarks.append("There is no Swift in this process: only polymorphic C++ objects have types.")
    }
    graph.removeLeftovers(among: idle)
    let nameless = unread.map(\.path) + types.refusedImages
    if let path = nameless.first {
      graph.remarks.append(
        nameless.count == 1
          ? "The types of \(path) could not be read."
          : "The types of \(path) and of \(nameless.count - 1) more could not be read.")
    }
    graph.makePrintable()
    return graph
  }

  private static let lacksProtected =
    "lldb has left out what the loader has written into libraries: some types and fields have no names. The file of "
    + "\"process save-core --style full\" has it, and gcore's."

  // MARK: Blocks

  /// Data found besides the types.
  struct Tables {
    /// The objects of side tables, and the reverse.
    private(set) var ownerOfSideTable: BlockMap
    private(set) var sideTableOfObject: BlockMap
    private(set) var staleBlocks: Set<Int> = []
    private var stale: BlockSet
    /// Objects that are being or were deallocated.
    var dying: Set<Int> = []
    var tasks: [Int] = []
    private var ended: BlockSet
    private var hasEnded = false
    /// Closures and boxes.
    var contexts: BlockSet
    /// Blocks that are used only in part, with the bytes in use.
    private var partly: BlockSet
    private var used: [Int: Range<Int>] = [:]
    /// The frames in each task, and in each block of a task's memory.
    var frames: [Int: Frames] = [:]

    init(count: Int) {
      let none = BlockSet(count: count)
      (contexts, partly, ended, stale) = (none, none, none, none)
      (ownerOfSideTable, sideTableOfObject) = (BlockMap(count: count), BlockMap(count: count))
    }

    mutating func setSideTables(_ pairs: [(object: UInt32, table: UInt32)], count: Int) {
      ownerOfSideTable = BlockMap(pairs.map { ($0.table, $0.object) }, count: count)
      sideTableOfObject = BlockMap(pairs.map { ($0.object, $0.table) }, count: count)
    }

    mutating func setStale(_ block: Int) {
      staleBlocks.insert(block)
      stale.insert(block)
    }

    @inline(__always)
    func isStale(_ block: Int) -> Bool { stale.contains(block) }

    mutating func setEnded(_ task: Int) {
      ended.insert(task)
      hasEnded = true
    }

    /// True if a word names the memory of a task's functions, all of which have ended: it is stale.
    @inline(__always)
    func isPastEnd(_ word: UInt64, in block: Int, at address: UInt64) -> Bool {
      hasEnded && ended.contains(block) && word & BlockIndex.addressBits != address
    }

    mutating func setUsed(_ bytes: Range<Int>, of block: Int) {
      partly.insert(block)
      used[block] = bytes
    }

    @inline(__always)
    func used(of block: Int) -> Range<Int>? { partly.contains(block) ? used[block] : nil }
  }
  /// The task of the frames, and the bytes of the block in use.
  struct Frames {
    var task: Int
    var taken: Int
  }

  private static func classify(
    _ blocks: HeapBlocks, _ index: BlockIndex, _ memory: MemoryImage, _ types: TypeReader, into graph: inout ObjectGraph
  ) -> Tables {
    var tables = Tables(count: blocks.count)
    var sideTables: [(object: UInt32, table: UInt32)] = []
    var typeOf = [UInt32](repeating: 0, count: blocks.count)
    var strong = [UInt32](repeating: 0, count: blocks.count)
    var unowned = [UInt32](repeating: 0, count: blocks.count)
    var part = UnsafeRawBufferPointer(start: nil, count: 0)
    var partStart: UInt64 = 0
    for block in 0..<blocks.count {
      let address = blocks.addresses[block]
      if address < partStart || address - partStart + 16 > UInt64(part.count) {
        guard let found = memory.copy(at: address), found.count >= 16 else { continue }
        (part, partStart) = (found, address)
      }
      let offset = Int(address - partStart)
      let word = part.word(offset)
      let shape = types.shape(of: word, block: address)
      guard shape.type != 0, UInt64(shape.size) <= UInt64(blocks.words[block]) * 8 else { continue }
      if shape.isSwift {
        let second = part.word(offset + 8)
        guard let counts = SwiftLayout.counts(second, memory) else { continue }
        (strong[block], unowned[block]) = (counts.strong, counts.unowned)
        if counts.isDying { tables.dying.insert(block) }
        if counts.sideTable != 0, let table = index.exactBlock(at: counts.sideTable) {
          sideTables.append((UInt32(block), UInt32(table)))
          if counts.weak > 0 { graph.weakCounts[UInt32(block)] = counts.weak }
        }
        switch shape.variation {
        case .task: tables.tasks.append(block)
        case .context, .generic: tables.contexts.insert(block)
        default: break
        }
      }
      typeOf[block] =
        shape.variation == .none || shape.variation == .context
        ? shape.type
        : types.variant(shape, word: word, block: address, bytes: UInt64(blocks.words[block]) * 8)
      // The bits that say which buckets are taken look like no references.
      if shape.variation == .table, let buckets = types.types[Int(typeOf[block])].elements.first {
        memory.complete(address..<address + UInt64(buckets.first))
      }
    }
    for (_, table) in sideTables { typeOf[Int(table)] = TypeReader.sideTable }
    tables.setSideTables(sideTables, count: blocks.count)
    graph.addresses = blocks.addresses
    graph.words = blocks.words
    graph.typeOf = typeOf
    graph.strongCounts = strong
    graph.unownedCounts = unowned
    return tables
  }

  /// Finds the blocks of memory of tasks' functions, and where suspended tasks will resume.
  private static func addTasks(
    _ index: BlockIndex, _ snapshot: Snapshot, _ code: CodePointers, _ tables: inout Tables,
    into graph: inout ObjectGraph
  ) {
    let reader = TaskReader(memory: snapshot.memory, code: code)
    var numbers: [UInt64: UInt32] = [:]
    var stacks: [Stack: UInt32] = [:]
    for task in tables.tasks {
      let address = graph.addresses[task]
      tables.frames[task] = Frames(task: task, taken: graph.bytes(of: task))
      for slab in reader.slabs(of: address) {
        guard let block = index.exactBlock(at: slab.address), graph.typeOf[block] == 0 else { continue }
        graph.typeOf[block] = TypeReader.frames
        tables.frames[block] = Frames(task: task, taken: slab.taken)
      }
      let state = TaskReader.state(address, snapshot.memory)
      if state == .ended { tables.setEnded(task) }
      guard state == .suspended else { continue }
      let stack = reader.calls(of: address).map { call in
        if let known = numbers[call] { return known }
        let number = UInt32(graph.frames.count)
        graph.frames.append(Frame(address: call, image: code.image(at: call)?.path ?? ""))
        numbers[call] = number
        return number
      }
      guard !stack.isEmpty else { continue }
      if stacks[stack] == nil {
        stacks[stack] = UInt32(graph.stacks.count)
        graph.stacks.append(stack)
      }
      graph.suspendedAt[UInt32(task)] = stacks[stack]
    }
  }

  // MARK: Roots

  /// The most blocks of a list that a thread was working on, in case it loops.
  private static let longestList = 1 << 16

  /// - Returns: the roots that are words of a waiting main thread, as indices.
  private static func addRoots(
    _ roots: Roots, _ blocks: HeapBlocks, _ index: BlockIndex, _ memory: MemoryImage, _ names: RootNames,
    _ allocating: AllocatingThreads, _ partlyUsed: PartlyUsed, _ tables: inout Tables, into graph: inout ObjectGraph
  ) -> Range<Int> {
    // One root is enough for a node. Roots with names come first: they explain most.
    var isRoot = [Bool](repeating: false, count: blocks.count)
    func add(_ word: UInt64, _ address: UInt64, _ label: () -> String) {
      guard let target = index.target(of: word), !isRoot[target],
        !tables.isPastEnd(word, in: target, at: blocks.addresses[target])
      else { return }
      isRoot[target] = true
      graph.roots.append(Root(label: label(), address: address, target: target))
    }
    // A thread within malloc or free holds a block by its header, 16 bytes before it. It may be working on a whole list
    // of free blocks that it has removed from its bin (malloc_consolidate), whose links are mangled.
    func addHeader(_ word: UInt64, _ label: String) {
      var next = index.exactBlock(at: word &+ 16)
      var steps = 0
      while let block = next, steps < longestList, let link = memory.word(blocks.addresses[block]) {
        let start = blocks.addresses[block]
        add(start, 0) { label }
        next = index.exactBlock(at: (link ^ (start >> 12)) &+ 16)
        if let following = next, blocks.words[following] != blocks.words[block] { next = nil }
        steps += 1
      }
    }
    func addWords(_ range: RootRange) {
      var owner: (path: String, is: PartlyUsed.Owner)?
      var allocator: Int32?
      switch range.kind {
      case .globals(let path): owner = (path, PartlyUsed.Owner(path))
      case .stack(let thread): allocator = allocating.thread(in: range, of: thread)
      case .anonymous: break
      }
      for run in memory.touched(range.start, range.end) {
        guard let bytes = memory.copy(at: run.lowerBound) else { continue }
        for offset in stride(from: 0, to: run.count - 7, by: 8) {
          let address = run.lowerBound + UInt64(offset)
          let word = bytes.word(offset)
          add(word, address) { names.label(range.kind, address) }
          if let (path, owner) = owner {
            partlyUsed.look(at: word, address, of: owner, &tables) { names.isTableOfTypes(path, address) }
          }
          if let allocator { addHeader(word, "malloc in thread \(allocator)") }
        }
      }
    }
    let ranges = roots.ranges.flatMap(names.separated).sorted { $0.kind.rank < $1.kind.rank }
    func isIdle(_ range: RootRange) -> Bool { roots.idle.map { $0.contains(range.start) } ?? false }
    let main = graph.process
    func isIdle(_ thread: Int32, _ name: String?) -> Bool { roots.idle != nil && thread == main && name == nil }
    func add(idle: Bool) {
      for range in ranges where isIdle(range) == idle { addWords(range) }
      for (thread, name, word) in roots.registers where isIdle(thread, name) == idle {
        add(word, 0) { name.map { "register \($0) of thread \(thread)" } ?? "register of thread \(thread)" }
        if allocating.contains(thread) { addHeader(word, "malloc in thread \(thread)") }
      }
    }
    add(idle: false)
    for (descriptor, word) in roots.kernelWords { add(word, 0) { "epoll, descriptor \(descriptor)" } }
    for address in roots.leftovers { add(address, 0) { "table of a finished thread" } }
    // Last, so that whatever has another root has it, too, when these turn out to be stale.
    let first = graph.roots.count
    add(idle: true)
    return first..<graph.roots.count
  }
}

extension RootRange.Kind {
  fileprivate var rank: Int {
    switch self {
    case .globals: 0
    case .stack: 1
    case .anonymous: 2
    }
  }
}
