public import Capture

/// The blocks of a process and who refers to whom: a value, so that whatever is asked of it needs no process.
///
/// A node is known by its number, in the order of addresses.
public struct ObjectGraph: Sendable {
  public var process: Int32 = 0
  public var processName = ""

  // MARK: Nodes

  public var addresses: [UInt64] = []
  /// Usable sizes, in words of 8 bytes.
  public var words: [UInt32] = []
  /// Each node's type, a place in `types`.
  public var typeOf: [UInt32] = []
  /// What the nodes are; 0 is a block of which nothing is known.
  public var types: [BlockType] = [.unknown]
  /// Swift's counts of those nodes that are Swift objects; 0 of others.
  public var strongCounts: [UInt32] = []
  public var unownedCounts: [UInt32] = []
  /// Of those that weak references name, or have named: how many do.
  public var weakCounts: [UInt32: UInt32] = [:]

  /// Strings, numbers and images of some nodes, in the order of their offsets.
  public var values: [UInt32: [Value]] = [:]

  // MARK: Stacks

  /// Calls, each once; `stacks` are made of places in it.
  public var frames: [Frame] = []
  public var stacks: [Stack] = []
  /// Where each node was allocated: a place in `stacks` and 1, or 0. Empty when nothing was recorded.
  public var allocatedAt: [UInt32] = []
  /// Where suspended tasks wait: a place in `stacks` for each node that is such a task.
  public var suspendedAt: [UInt32: UInt32] = [:]
  /// The program and its libraries, by which frames get their names (`FrameNames`), also without the process.
  public var images: [UInt8] = []

  // MARK: References

  /// Node n's references are those from `firstReference[n]` to before `firstReference[n + 1]`.
  public var firstReference: [UInt32] = [0]
  public var references: [Reference] = []

  // MARK: Roots

  public var roots: [Root] = []
  /// Nodes that nobody has to free and nobody need reach: the C library's own.
  public var exempt: Set<Int> = []
  /// Nodes that one look of two only has found lost or over-retained: they were on their way. They count as reached.
  public var inTransit: Set<Int> = []

  /// What could not be read, in sentences.
  public var remarks: [String] = []
  /// Where the heap is damaged: of a part of it nothing is known. The sentences stand in `remarks`, too.
  public var damage: [HeapDamage] = []

  public init() {}

  public var count: Int { addresses.count }
  public func bytes(of node: Int) -> Int { Int(words[node]) * 8 }
  /// Of all blocks.
  public var totalBytes: Int { words.reduce(0) { $0 + Int($1) * 8 } }
  public func type(of node: Int) -> BlockType { types[Int(typeOf[node])] }

  @inline(__always)
  public func references(of node: Int) -> ArraySlice<Reference> {
    references[Int(firstReference[node])..<Int(firstReference[node + 1])]
  }

  /// What stands at a place of a node: as its type says it, and in a dictionary by its key, where that is known.
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

  /// The field that a value of a node stands in.
  public func label(of value: Value, in node: Int) -> String { value.field ?? label(of: node, at: value.offset) }

  /// Whether Swift is known to keep a reference's target, as long as the node is there that it goes out from: more than
  /// a word that looks like a reference, or one that nothing counts.
  public func isSure(_ reference: Reference, from node: Int) -> Bool {
    reference.kind == .strong && type(of: node).isReference(at: reference.offset)
  }

  /// What a reference is, in a word: "strong", "weak", "unowned", "unmanaged", or "conservative" where a word looks
  /// like a reference and nothing says whether it is one.
  public func strength(of reference: Reference, from node: Int) -> String {
    switch reference.kind {
    case .strong: isSure(reference, from: node) ? "strong" : "conservative"
    case .weak: "weak"
    case .unowned: "unowned"
    case .unmanaged: "unmanaged"
    }
  }

  /// The node that holds an address, anywhere in it.
  public func node(at address: UInt64) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if addresses[middle] <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address - addresses[low - 1] < UInt64(words[low - 1]) * 8 else { return nil }
    return low - 1
  }
}

/// From a place in one node to another node: 8 bytes.
public struct Reference: Equatable, Sendable {
  public enum Kind: UInt32, Sendable {
    /// Keeps its target alive: a field that Swift says so of, or a word that looks like a reference.
    case strong
    case weak
    case unowned
    /// Without a count: `Unmanaged`, `unowned(unsafe)`. Taken for strong, since somebody may have retained by hand.
    case unmanaged
  }
  public let target: UInt32
  /// The place in words, and in the lowest two bits the kind.
  let placeAndKind: UInt32

  /// - Parameter offset: where in the node, in bytes; a multiple of 8, below 8 GB.
  @inline(__always)
  public init(to target: Int, offset: Int, _ kind: Kind = .strong) {
    self.target = UInt32(truncatingIfNeeded: target)
    placeAndKind = UInt32(truncatingIfNeeded: offset >> 3) << 2 | kind.rawValue
  }

  @inline(__always)
  public var offset: Int { Int(placeAndKind >> 2) << 3 }
  @inline(__always)
  public var kind: Kind { Kind(rawValue: placeAndKind & 3)! }
  /// Whether the target lives as long as this is there.
  @inline(__always)
  public var keepsAlive: Bool { kind == .strong || kind == .unmanaged }
}

/// A word outside of the heap that refers to a node.
public struct Root: Equatable, Sendable {
  /// How surely it holds what it names.
  public enum Strength: Int, CaseIterable, Sendable {
    case variable
    /// A stack or a register, where what nobody will use again may still be.
    case thread
    /// Memory of which nothing is known, what the kernel keeps, what the C library is at work on.
    case other
  }
  /// Such as "Victim.controller, global variable of victim", "stack of thread 123".
  public var label: String
  /// Where the word is; 0 in a register.
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
