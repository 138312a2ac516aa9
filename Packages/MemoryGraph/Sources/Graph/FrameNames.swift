import Capture
@_spi(Internal) @_spi(MemoryReaders) import Runtime

/// Finds the functions, files and lines of frames, from the symbols and debug information of the files they were loaded
/// from.
///
/// Uses the toolchain's `Runtime`, whose functions for other processes are SPI.
enum FrameNames {
  /// The images of a process, in Runtime's compact form. They can be used at any time, also on another machine.
  static func images(_ snapshot: Snapshot) -> [UInt8] {
    // The first thread may have ended before the others, and then has no mappings.
    let living = snapshot.threads.first?.number ?? snapshot.process
    let map = ImageMap.capture(using: Reader(memory: snapshot.memory), forProcess: Int(living))
    return Array(CompactImageMapFormat.Encoder(map))
  }

  private final class Reader: MemoryReader {
    let memory: MemoryImage
    init(memory: MemoryImage) { self.memory = memory }

    func fetch(from address: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws {
      guard let start = buffer.baseAddress else { return }
      if !memory.read(address, buffer.count, into: start) { throw GraphError("Nothing can be read there.") }
    }
  }

  /// The frames at addresses, with inlined calls, the innermost first.
  static func names(of addresses: [UInt64], in images: [UInt8]) -> [UInt64: [Frame]] {
    guard !addresses.isEmpty, let map = ImageMap(compactImageMapData: images) else { return [:] }
    let backtrace = Backtrace(
      architecture: "x86_64", frames: addresses.map { RichFrame<UInt64>.programCounter($0) }, images: map)
    var found: [UInt64: [Frame]] = [:]
    var starts: [String: UInt64] = [:]
    for frame in backtrace.symbolicated(options: .default)?.frames ?? [] {
      guard let symbol = frame.symbol, case .programCounter(let place) = frame.captured, let address = UInt64(place)
      else { continue }
      let image = map[symbol.imageIndex]
      var named = Frame(address: address, image: printable(image.path ?? symbol.imageName))
      if let path = image.path { starts[path] = UInt64(image.baseAddress) }
      named.function = printable(symbol.name)
      // Line 0 is code that the compiler has generated.
      if let place = symbol.sourceLocation, place.line > 0, !place.path.hasSuffix("<compiler-generated>") {
        named.file = printable(place.path)
        named.line = place.line
      }
      found[address, default: []].append(named)
    }
    for (path, start) in starts { complete(&found, path, start) }
    return found
  }

  /// Adds data of a file's line tables that `Runtime` leaves out: the folder of relative paths, and the line of a
  /// function at an address without one, for which `Runtime` would name the caller.
  private static func complete(_ found: inout [UInt64: [Frame]], _ path: String, _ start: UInt64) {
    var (relative, lineless): ([UInt64], [UInt64]) = ([], [])
    for (address, frames) in found where frames[0].image == path {
      if frames.contains(where: { $0.file?.hasPrefix("/") == false }) { relative.append(address) }
      if let last = frames.last, last.line == nil, last.isDeclared { lineless.append(address) }
    }
    guard !relative.isEmpty || !lineless.isEmpty, let image = ELFImage(path, start: start, process: 0) else { return }
    var begins: [UInt64: UInt64] = [:]
    for address in lineless { begins[address] = image.symbol(at: address).map { $0.address &- image.bias } }
    let lines = DebugLines(
      sections: image.contents, folderOf: relative.map { $0 &- image.bias }, beginOf: Set(begins.values))
    for address in relative {
      guard let folder = lines.folders[address &- image.bias], let frames = found[address] else { continue }
      found[address] = frames.map { frame in
        var frame = frame
        frame.file = frame.file?.absolute(in: printable(folder))
        return frame
      }
    }
    for (address, begin) in begins {
      guard let place = lines.begins[begin], let last = found[address]?.indices.last else { continue }
      found[address]![last].file = printable(place.file)
      found[address]![last].line = place.line
    }
  }
}

extension Frame {
  /// True if a function is declared in the source. The allocating initialiser has the class' line, but the caller is of
  /// more interest.
  fileprivate var isDeclared: Bool {
    guard let function, function != Self.nameless else { return false }
    return function.firstRange(of: "__allocating_init") == nil
  }
}

extension ObjectGraph {
  /// Symbolises the calls of some stacks, by their indices in `stacks`. Only needed for stacks that are shown.
  public mutating func nameFrames(ofStacks chosen: some Sequence<Int>) {
    let chosen = Set(chosen).filter { stacks.indices.contains($0) }
    let nameless = Set(chosen.flatMap { stacks[$0] }.map(Int.init).filter { frames[$0].function == nil })
    let names = FrameNames.names(of: Array(Set(nameless.map { frames[$0].address })), in: images)
    var places: [Int: Stack] = [:]
    for frame in nameless {
      guard let named = names[frames[frame].address], let last = named.last else { continue }
      // Inlined functions are frames of their own, before it.
      places[frame] = named.dropLast().indices.map { UInt32(frames.count + $0) } + [UInt32(frame)]
      frames += named.dropLast()
      frames[frame] = last
    }
    for stack in chosen { stacks[stack] = stacks[stack].flatMap { places[Int($0)] ?? [$0] } }
  }

  /// The calls that allocated a block, the innermost first; empty when unknown.
  public func allocation(of node: Int) -> [Frame] {
    allocatedAt.isEmpty ? [] : calls(ofStack: allocatedAt[node])
  }

  /// The calls of a stack, by a number of `allocatedAt`; empty for one that does not exist.
  public func calls(ofStack stack: UInt32) -> [Frame] {
    guard stack > 0, stack <= stacks.count else { return [] }
    return stacks[Int(stack) - 1].map(Int.init).filter(frames.indices.contains).map { frames[$0] }
  }
}

extension [Frame] {
  /// The most telling call: the first with a known file and line, else the first that is not an allocator's.
  public var telling: Frame? {
    first { $0.line != nil } ?? first { !$0.isAllocator } ?? first
  }
}

extension Frame {
  /// True for the system's allocating functions, whose callers are of more interest.
  var isAllocator: Bool {
    let file = image.split(separator: "/").last ?? ""
    if ["libswift", "libc.so", "libstdc++", "ld-linux"].contains(where: { file.hasPrefix($0) }) { return true }
    guard let function else { return false }
    return ["swift_", "_swift_", "operator new", "malloc"].contains { function.hasPrefix($0) }
  }
}
