import Device
import Glibc
import Lifecycle

/// The last things that the agent did, in a file of a fixed size in its folder, which is mapped into memory: what was
/// written is there after the process was killed, without a call to the system for each line. No titles, no secrets.
///
/// The file is a head of 64 bytes and a ring of text. The head is a name, the ring's size and the count of all bytes
/// ever written, each of 8 bytes; the count is changed after the bytes.
final class FlightRecorder {
  private let map: UnsafeMutableRawPointer
  private let time: any TimeSource

  static let name = "flight"
  private static let head = 64
  private static let mark = UInt64(littleEndian: 0x0031_4c4c_4542_3845)  // "E8BELL1" and a zero byte
  private static var capacity: Int { AgentLimits.flightBytes }

  init(_ folder: StateFolder, name: String = FlightRecorder.name, time: any TimeSource) throws(DeviceError) {
    self.time = time
    let size = Self.head + Self.capacity
    let file = try folder.openFixed(name, size)
    defer { close(file) }
    guard let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), map != MAP_FAILED else {
      throw folder.failure("mapped", name)
    }
    self.map = map
    let isOurs = map.load(as: UInt64.self) == Self.mark && map.load(fromByteOffset: 8, as: Int.self) == Self.capacity
    if !isOurs || map.load(fromByteOffset: 16, as: Int.self) < 0 {
      memset(map, 0, size)
      map.storeBytes(of: Self.mark, as: UInt64.self)
      map.storeBytes(of: Self.capacity, toByteOffset: 8, as: Int.self)
    }
  }

  deinit { munmap(map, Self.head + Self.capacity) }

  /// Writes a line with the time before it.
  func note(_ text: String) {
    var line = Array("\(instant(time.now)) ".utf8)
    for byte in text.utf8.prefix(AgentLimits.flightLineBytes) { line.append(byte < 32 ? 32 : byte) }
    line.append(10)
    let position = map.load(fromByteOffset: 16, as: Int.self)
    for (index, byte) in line.enumerated() {
      map.storeBytes(of: byte, toByteOffset: Self.head + (position + index) % Self.capacity, as: UInt8.self)
    }
    map.storeBytes(of: position + line.count, toByteOffset: 16, as: Int.self)
  }

  /// The lines of the recorder in a folder, oldest first; nil if there is none.
  static func lines(in folder: StateFolder, name: String = FlightRecorder.name) -> [String]? {
    let file = openat(folder.descriptor, name, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = head + capacity
    var bytes = [UInt8](repeating: 0, count: size)
    guard bytes.withUnsafeMutableBytes({ pread(file, $0.baseAddress, size, 0) }) == size else { return nil }
    let (found, ring, position) = bytes.withUnsafeBytes {
      ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: Int.self), $0.load(fromByteOffset: 16, as: Int.self))
    }
    guard found == mark, ring == capacity, position >= 0 else { return nil }
    let start = max(0, position - capacity)
    let text = (start..<position).map { bytes[head + $0 % capacity] }
    let lines = text.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    // The oldest line was written over in part.
    return start > 0 ? Array(lines.dropFirst()) : lines
  }
}
