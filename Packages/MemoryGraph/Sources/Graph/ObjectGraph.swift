public import Capture

/// The blocks of a process and their references: a value, which can be analysed without the process.
///
/// A node is identified by its number, in the order of addresses.
public struct ObjectGraph: Sendable {
  public var process: Int32 = 0
  public var processName = ""

  // MARK: Nodes

  public var addresses: [UInt64] = []
  /// Usable sizes, in words of 8 bytes.
  public var words: [UInt32] = []
  /// The type of each node, an index in `types`.
  public var typeOf: [UInt32] = []
  /// The types of the nodes; 0 is a block of unknown type.
  public var types: [BlockType] = [.unknown]
  /// Swift's strong retain counts of the nodes that are Swift objects; 0 for others.
  public var strongCounts: [UInt32] = []
  public var unownedCounts: [UInt32] = []
  /// The number of weak references to each node that has or had any.
  public var weakCounts: [UInt32: UInt32] = [:]

  /// Strings, numbers and images in some nodes, ordered by offset.
  public var values: [UInt32: [Value]] = [:]

  // MARK: Stacks

  /// The calls, each once; `stacks` consist of indices in it.
  public var frames: [Frame] = []
  public var stacks: [Stack] = []
  /// The stack that allocated each node: an index in `stacks` plus 1, or 0. Empty when nothing was recorded.
  public var allocatedAt: [UInt32] = []
  /// The stack at which each suspended task waits, as an index in `stacks`.
  public var suspendedAt: [UInt32: UInt32] = [:]
  /// The program and its libraries, for symbolising frames (`FrameNames`), also without the process.
  public var images: [UInt8] = []

  // MARK: Definitions

  /// The place in the sources where a class is defined, by the type's index; only of those for which it was asked.
  public var definitions: [UInt32: Definition] = [:]
  /// The functions that free objects, which have an entry in the debug information; not stored in files.
  var deinits: [UInt32: Deinit] = [:]

  // MARK: References

  /// Node n's references are those from `firstReference[n]` up to `firstReference[n + 1]`, exclusive.
  public var firstReference: [UInt32] = [0]
  public var references: [Reference] = []

  // MARK: Roots

  public var roots: [Root] = []
  /// Nodes that need neither be freed nor be reachable: the C library's own.
  public var exempt: Set<Int> = []
  /// Nodes found lost or over-retained by only one of two looks: they were being moved. They count as reachable.
  public var inTransit: Set<Int> = []

  /// The parts that could not be read, as sentences.
  public var remarks: [String] = []
  /// Damaged places of the heap, behind which it is unknown. The sentences are in `remarks`, too.
  public var damage: [HeapDamage] = []

  public init() {}

  public var count: Int { addresses.count }
  public func bytes(of node: Int) -> Int { Int(words[node]) * 8 }
  public var totalBytes: Int { words.reduce(0) { $0 + Int($1) * 8 } }
  public func type(of node: Int) -> BlockType { types[Int(typeOf[node])] }
  public var countsOfTypes: [Int] {
    typeOf.reduce(into: [Int](repeating: 0, count: types.count)) { $0[Int($1)] += 1 }
  }

  @inline(__always)
  public func references(of node: Int) -> ArraySlice<Reference> {
    references[Int(firstReference[node])..<Int(firstReference[node + 1])]
  }

  /// The description of a place in a node: by its type, and in a dictionary by its key if that is known.
  public func label(of node: Int, at offset: Int) -> String {
    let type = type(of: node)
    guard let keys = type.elements.first(where: { $0.role == .key }), let values = values[UInt32(node)] else {
      return type.label(at: offset)
    }
    return type.label(at: offset) { part, index in
      guard let key = values.first(where: { $0.offset == keys.first + index * keys.stride }) else {
        return part.role == .key ? "[bucket \(index)].key" : "[bucket \(index)].value"
      }
      let name = key.kind == .text ? "[\"\(key.text)\"]" : "[\(key.text)]"
      return part.role == .key ? "\(name).key" : name
    }
  }

  public func label(of value: Value, in node: Int) -> String { value.field ?? label(of: node, at: value.offset) }

  /// True if Swift is known to hold a reference's target for as long as its source exists: not merely a word that looks
  /// like a reference, or an uncounted one.
  public func isSure(_ reference: Reference, from node: Int) -> Bool {
    reference.kind == .strong && type(of: node).isReference(at: reference.offset)
  }

  /// The kind of a reference: "strong", "weak", "unowned", "unmanaged", or "conservative" for a word that looks like a
  /// reference.
  public func strength(of reference: Reference, from node: Int) -> String {
    switch reference.kind {
    case .strong: isSure(reference, from: node) ? "strong" : "conservative"
    case .weak: "weak"
    case .unowned: "unowned"
    case .unmanaged: "unmanaged"
    }
  }

  public func node(at address: UInt64) -> Int? {
    let node = firstPlace(in: addresses) { $0 > address } - 1
    return node >= 0 && address - addresses[node] < UInt64(words[node]) * 8 ? node : nil
  }
}

/// A reference from a place in one node to another node, in 8 bytes.
public struct Reference: Equatable, Sendable {
  public enum Kind: UInt32, Sendable {
    /// Keeps its target alive: a field declared by Swift, or a word that looks like a reference.
    case strong
    case weak
    case unowned
    /// Without a count: `Unmanaged`, `unowned(unsafe)`. Treated as strong, since it may have been retained by hand.
    case unmanaged
  }
  public let target: UInt32
  /// The offset in words, and the kind in the lowest two bits.
  let placeAndKind: UInt32

  /// - Parameter offset: the offset in the node, in bytes; a multiple of 8, below 8 GB.
  @inline(__always)
  public init(to target: Int, offset: Int, _ kind: Kind = .strong) {
    self.target = UInt32(truncatingIfNeeded: target)
    placeAndKind = UInt32(truncatingIfNeeded: offset >> 3) << 2 | kind.rawValue
  }

  @inline(__always)
  public var offset: Int { Int(placeAndKind >> 2) << 3 }
  @inline(__always)
  public var kind: Kind { Kind(rawValue: placeAndKind & 3)! }
  @inline(__always)
  public var keepsAlive: Bool { kind == .strong || kind == .unmanaged }
}

/// A word outside of the heap that refers to a node.
public struct Root: Equatable, Sendable {
  /// The certainty with which a root holds its target.
  public enum Strength: Int, CaseIterable, Sendable {
    case variable
    /// A stack or a register, which may contain stale words.
    case thread
    /// Other memory: unknown, held by the kernel, or in use by the C library.
    case other
  }
  /// The name, such as "Victim.controller, global variable of victim", "stack of thread 123".
  public var label: String
  /// The address of the word; 0 in a register.
  public var address: UInt64
  public var target: UInt32

  public init(label: String, address: UInt64 = 0, target: Int) {
    self.label = label
    self.address = address
    self.target = UInt32(target)
  }

  public var strength: Strength {
    if label.contains("global variable") { return .variable }
    return label.hasPrefix("stack of ") || label.hasPrefix("register ") ? .thread : .other
  }
}
