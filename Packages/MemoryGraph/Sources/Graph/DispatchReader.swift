import Capture

/// Knows what libdispatch keeps for a program's sources and work items: from a source to its handlers, and to the
/// blocks of code that these run. Such blocks have no metadata, and in a stripped program no names either; they are
/// known by the object of Swift's that leads to them.
///
/// What of them is counted as a reference is what libdispatch retains. Other words, such as the links of its lists, are
/// leftovers as often as not.
struct DispatchReader {
  private let index: BlockIndex
  private let memory: MemoryImage
  private let types: TypeReader

  init(_ index: BlockIndex, _ memory: MemoryImage, _ types: TypeReader) {
    (self.index, self.memory, self.types) = (index, memory, types)
  }

  /// What an object of Swift's wraps, by its class.
  private enum Wrapped: String {
    case source = "Dispatch.DispatchSource"
    case item = "Dispatch.DispatchWorkItem"
    case queue = "Dispatch.DispatchQueue"
    case group = "Dispatch.DispatchGroup"
    case semaphore = "Dispatch.DispatchSemaphore"

    /// What has no references of its own that could close a ring is only named.
    var plainName: String? {
      switch self {
      case .source, .item: nil
      case .queue: "dispatch queue"
      case .group: "dispatch group"
      case .semaphore: "dispatch semaphore"
      }
    }
  }

  /// Gives the blocks behind all such objects their types. Answers the blocks of queues' labels.
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
      // Types that were added on the way stand behind the others, and wrap nothing.
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
      // Of a descriptor's source, the kernel's list of those that wait for it stands before what the source refers to.
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

  /// Whether a block is nobody's of Swift's, and may be libdispatch's for all we know.
  private func isPlain(_ block: Int, _ graph: ObjectGraph) -> Bool {
    let type = types.types[Int(graph.typeOf[block])]
    return type.language != .swift
  }
}

/// How libdispatch of Swift 6.3 lays out its blocks on 64 bits (src/queue_internal.h, src/event/event_internal.h,
/// src/block.cpp), and the compiler its literals (the Block ABI).
enum DispatchLayout {
  /// Of a queue: its name, a copy of what the program has told (`dq_label`).
  static let label: UInt64 = 72

  // MARK: Sources

  /// Of a source: what it waits for, and its handlers (`ds_refs`).
  static let state: UInt64 = 88
  /// Of that: what stands before it, if a descriptor is waited for (`dispatch_unote_linkage_s`).
  static let linkages: Set<UInt64> = [0, 24]
  /// `ds_handler`, each a continuation.
  static let handlers = [
    (name: "event handler", offset: 40), (name: "cancel handler", offset: 48),
    (name: "registration handler", offset: 56),
  ]
  /// Of a continuation: what its function is called with, a literal (`dc_ctxt`).
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

  /// Of a block literal: its descriptor, the size that this tells, and where what it has captured begins.
  static let descriptor: UInt64 = 24
  static let literalSize: UInt64 = 8
  static let captures = 32
  /// Of one that libdispatch has made from another one (`dispatch_block_private_data_s`): a number that says so.
  static let privateMagic: UInt64 = 0xD159_B10C
  static let work: UInt64 = 72

  /// A literal of so many bytes.
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
  /// What follows is nothing that it keeps, and has no name.
  private static func plain(_ offset: Int) -> BlockType.Field { field("+", offset, isReference: false) }
}
