import Capture
@_spi(Internal) @_spi(MemoryReaders) import Runtime

/// Finds the functions, files and lines of frames, from the symbols and debug information of the files they were loaded
/// from.
///
/// Of a file that has both, only what is needed is read (`DebugInfo`). For all others the toolchain's `Runtime` is
/// used, whose functions for other processes are SPI.
enum FrameNames {
  /// The images of a process, in Runtime's compact form. They can be used at any time, also on another machine.
  static func images(_ snapshot: Snapshot) -> [UInt8] {
    if snapshot.method == .core { return ownImages(snapshot.mappings) }
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

  /// The images of a process that does not run any more: a line for each, with its addresses and its path.
  private static func ownImages(_ mappings: [Mapping]) -> [UInt8] {
    var lines = ownHead
    var paths: Set<String> = []
    for first in mappings where first.isFile && first.fileOffset == 0 && paths.insert(first.path).inserted {
      let end = mappings.last { $0.path == first.path }!.end
      lines += "\(first.start) \(end) \(first.path)\n"
    }
    return Array(lines.utf8)
  }
  private static let ownHead = "images\n"

  private static func ownNames(of addresses: [UInt64], _ lines: [UInt8]) -> [UInt64: [Frame]] {
    var found: [UInt64: [Frame]] = [:]
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, let start = UInt64(words[0]), let end = UInt64(words[1]), start < end,
        let file = ELFImage(String(words[2]), start: start, process: 0)
      else { continue }
      let here = addresses.filter { (start..<end).contains($0) }
      if !here.isEmpty { found.merge(names(of: here, in: file)) { old, _ in old } }
    }
    return found
  }

  /// The frames at addresses, with inlined calls, the innermost first.
  ///
  /// - Parameter process: whose files are read, as by `openMapped`.
  static func names(of addresses: [UInt64], in images: [UInt8], process: Int32 = 0) -> [UInt64: [Frame]] {
    if images.starts(with: ownHead.utf8) { return ownNames(of: addresses, images) }
    guard !addresses.isEmpty, let map = ImageMap(compactImageMapData: images) else { return [:] }
    var (own, others): ([Int: [UInt64]], [UInt64]) = ([:], [])
    for address in addresses {
      guard let index = map.indexOfImage(at: Backtrace.Address(address)) else { continue }
      own[index, default: []].append(address)
    }
    var found: [UInt64: [Frame]] = [:]
    for (index, addresses) in own {
      let image = map[index]
      guard let path = image.path, let start = UInt64(image.baseAddress),
        let file = ELFImage(path, start: start, process: process),
        file.isDescribed, image.uniqueID == nil || image.uniqueID == file.buildID
      else {
        others += addresses
        continue
      }
      found.merge(names(of: addresses, in: file)) { old, _ in old }
    }
    // `Runtime` also finds debug information that is compressed or in another file, but reads all that a file has.
    found.merge(systemNames(of: others, map)) { old, _ in old }
    return found
  }

  private static func names(of addresses: [UInt64], in file: ELFImage) -> [UInt64: [Frame]] {
    let functions = file.functions(at: addresses)
    let info = DebugInfo(
      DebugSections(file.contents), at: addresses.map { $0 &- file.bias },
      functions: Set(functions.values.map { $0.address &- file.bias }))
    var found: [UInt64: [Frame]] = [:]
    for address in addresses {
      let image = printable(file.path)
      func frame(_ symbol: String?, _ place: DebugInfo.Place?) -> Frame {
        let name = symbol.map { printable(SymbolNames.function($0)) } ?? Frame.nameless
        return Frame(
          address: address, image: image, function: name, file: (place?.file).map(printable), line: place?.line)
      }
      var place = info.places[address &- file.bias]
      var frames: [Frame] = []
      for call in info.inlined[address &- file.bias] ?? [] {
        frames.append(frame(call.name, place))
        place = call.place
      }
      let function = functions[address]
      var last = frame(function?.name, place)
      if last.line == nil, last.isDeclared, let begin = function.flatMap({ info.begins[$0.address &- file.bias] }) {
        (last.file, last.line) = (printable(begin.file), begin.line)
      }
      found[address] = frames + [last]
    }
    return found
  }

  /// The frames at addresses of files that are not described themselves.
  private static func systemNames(of addresses: [UInt64], _ map: ImageMap) -> [UInt64: [Frame]] {
    guard !addresses.isEmpty else { return [:] }
    let backtrace = Backtrace(
      architecture: "x86_64", frames: addresses.map { RichFrame<UInt64>.programCounter($0) }, images: map)
    var found: [UInt64: [Frame]] = [:]
    for frame in backtrace.symbolicated(options: .default)?.frames ?? [] {
      guard let symbol = frame.symbol, case .programCounter(let place) = frame.captured, let address = UInt64(place)
      else { continue }
      let image = map[symbol.imageIndex]
      var named = Frame(address: address, image: printable(image.path ?? symbol.imageName))
      named.function = printable(symbol.name)
      // Line 0 is code that the compiler has generated.
      if let place = symbol.sourceLocation, place.line > 0, !place.path.hasSuffix("<compiler-generated>") {
        named.file = printable(place.path)
        named.line = place.line
      }
      found[address, default: []].append(named)
    }
    return found
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
  ///
  /// - Parameter process: whose files are read, as they may be others than this tool sees; 0 for its own.
  public mutating func nameFrames(ofStacks chosen: some Sequence<Int>, process: Int32) {
    let chosen = Set(chosen).filter { stacks.indices.contains($0) }
    let nameless = Set(chosen.flatMap { stacks[$0] }.map(Int.init).filter { frames[$0].function == nil })
    let names = FrameNames.names(of: Array(Set(nameless.map { frames[$0].address })), in: images, process: process)
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
