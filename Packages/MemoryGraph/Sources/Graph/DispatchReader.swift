import Capture

/// Reads libdispatch's blocks for a program's sources and work items: from a source to its handlers, and to their block
/// literals. These blocks have no metadata, and in a stripped program no symbols either; they are recognised by the
/// Swift object that refers to them.
///
/// Only references that libdispatch retains are counted. Other words, such as links of its lists, are often stale.
struct DispatchReader {
  private let index: BlockIndex
  private let memory: MemoryImage
  private let types: TypeReader

  init(_ index: BlockIndex, _ memory: MemoryImage, _ types: TypeReader) {
    (self.index, self.memory, self.types) = (index, memory, types)
  }

  /// The kind of object that a Swift object wraps, by its class.
  private enum Wrapped: String {
    case source = "Dispatch.DispatchSource"
    case item = "Dispatch.DispatchWorkItem"
    case queue = "Dispatch.DispatchQueue"
    case group = "Dispatch.DispatchGroup"
    case semaphore = "Dispatch.DispatchSemaphore"

    /// The name of a type without references of its own that could be part of a ring.
    var plainName: String? {
      switch self {
      case .source, .item: nil
      case .queue: "dispatch queue"
      case .group: "dispatch group"
      case .semaphore: "dispatch semaphore"
      }
    }
  }

  /// Sets the types of the blocks behind all such objects. Returns the blocks of queues' labels.
  func read(into graph: inout ObjectGraph) -> [Int] {
    let wrapped = types.types.map { $0.language == .swift ? Wrapped(rawValue: $0.name) : nil }
    guard wrapped.contains(where: { $0 != nil }) else { return [] }
    var labels: [Int] = []
    var numbers: [String: UInt32] = [:]
    func set(_ block: Int, _ type: @autoclosure () -> BlockType) {
      let type = type()
      let number = numbers[type.name] ?? types.add(type)
      numbers[type.name] = number
      graph.typeOf[block] = number
    }
    func setLiteral(_ block: Int) {
      guard isPlain(block, graph) else { return }
      graph.typeOf[block] = types.literal(graph.addresses[block], bytes: graph.bytes(of: block))
    }
    for object in 0..<graph.count {
      // Types added during the loop come after the others, and wrap nothing.
      guard Int(graph.typeOf[object]) < wrapped.count, let kind = wrapped[Int(graph.typeOf[object])],
        let word = memory.word(graph.addresses[object] + UInt64(SwiftLayout.header)),
        let block = index.exactBlock(at: word), isPlain(block, graph)
      else { continue }
      if let name = kind.plainName {
        set(block, BlockType(name, .c, .c))
        if kind == .queue, let label = memory.word(word + DispatchLayout.label).flatMap(index.exactBlock) {
          labels.append(label)
        }
        continue
      }
      guard kind == .source else {
        setLiteral(block)
        // The work itself is in a block of its own.
        if let work = memory.word(word + DispatchLayout.work).flatMap(index.exactBlock) { setLiteral(work) }
        continue
      }
      // For a descriptor's source, the kernel's list of waiters comes before the source's references.
      guard graph.bytes(of: block) > Int(DispatchLayout.state),
        let inside = memory.word(word + DispatchLayout.state), let state = index.target(of: inside),
        isPlain(state, graph), DispatchLayout.linkages.contains(inside - graph.addresses[state])
      else { continue }
      set(block, DispatchLayout.source)
      let before = Int(inside - graph.addresses[state])
      set(state, DispatchLayout.state(behind: before))
      for handler in DispatchLayout.handlers {
        guard let place = memory.word(inside + UInt64(handler.offset)), let job = index.exactBlock(at: place),
          isPlain(job, graph), graph.bytes(of: job) >= DispatchLayout.continuationSize
        else { continue }
        set(job, DispatchLayout.continuation)
        if let code = memory.word(place + DispatchLayout.context).flatMap(index.exactBlock) { setLiteral(code) }
      }
    }
    return labels
  }

  /// True if a block is not a Swift object, and so may be libdispatch's.
  private func isPlain(_ block: Int, _ graph: ObjectGraph) -> Bool {
    let type = types.types[Int(graph.typeOf[block])]
    return type.language != .swift
  }
}

/// The layout of libdispatch's blocks in Swift 6.3 on 64 bits (src/queue_internal.h, src/event/event_internal.h,
/// src/block.cpp), and of block literals (the Block ABI).
enum DispatchLayout {
  /// A queue's label, a copy of the program's text (`dq_label`).
  static let label: UInt64 = 72

  // MARK: Sources

  /// A source's state: what it waits for, and its handlers (`ds_refs`).
  static let state: UInt64 = 88
  /// The offset of that within its block, which differs for descriptors (`dispatch_unote_linkage_s`).
  static let linkages: Set<UInt64> = [0, 24]
  /// `ds_handler`, each a continuation.
  static let handlers = [
    (name: "event handler", offset: 40), (name: "cancel handler", offset: 48),
    (name: "registration handler", offset: 56),
  ]
  /// A continuation's argument, a literal (`dc_ctxt`).
  static let context: UInt64 = 40
  static let continuationSize = 64

  static let source = BlockType(
    "dispatch source", .c, .c,
    fields: [
      field("target queue", 24), field("context", 32, isReference: false), plain(40),
      field("state", Int(state)), plain(Int(state) + 8),
    ])
  static let continuation = BlockType(
    "handler", .c, .c, fields: [field("work", Int(context)), field("data", Int(context) + 8, isReference: false)])

  static func state(behind linkage: Int) -> BlockType {
    BlockType(
      linkage == 0 ? "state of a dispatch source" : "state of a descriptor's dispatch source", .c, .c,
      fields: handlers.map { field($0.name, $0.offset + linkage) } + [plain(64 + linkage)])
  }

  // MARK: Literals

  /// A block literal's descriptor, the size in it, and the offset of the captured values.
  static let descriptor: UInt64 = 24
  static let literalSize: UInt64 = 8
  static let captures = 32
  /// The magic number of a literal that libdispatch has made from another one (`dispatch_block_private_data_s`).
  static let privateMagic: UInt64 = 0xD159_B10C
  static let work: UInt64 = 72

  static func literal(size: Int, isPrivate: Bool) -> BlockType {
    guard isPrivate else {
      return BlockType("block literal", .c, .c, fields: [field("captured", captures)], size: size)
    }
    return BlockType(
      "work item", .c, .c,
      fields: [plain(captures), field("work", Int(work)), field("group", 80), field("queue", 88), plain(96)], size: size
    )
  }

  private static func field(_ name: String, _ offset: Int, isReference: Bool = true) -> BlockType.Field {
    BlockType.Field(name, offset: offset, isReference: isReference)
  }
  /// An unnamed field that holds no reference.
  private static func plain(_ offset: Int) -> BlockType.Field { field("+", offset, isReference: false) }
}
