import Crypto
import CZlib
import Synchronization

/// The checksums of what has come of an upload, so that a further part need not read all before it again.
struct UploadState: @unchecked Sendable {
  /// Bytes that were given to both.
  private(set) var received = 0
  private(set) var digest = RunningDigest()
  /// As in zip files (ISO 3309).
  private(set) var crc32: UInt32 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    digest.update(bytes)
    crc32 = UInt32(
      truncatingIfNeeded: crc32_z(UInt(crc32), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
    received += bytes.count
  }

  /// A state that goes its own way from here.
  func copy() -> UploadState {
    var other = self
    other.digest = digest.copy()
    return other
  }
}

/// The states of uploads between their parts, by their files: at most `StoreLimits.uploadStates`; others are computed
/// anew from the file.
final class UploadStates: Sendable {
  private let states = Mutex<[String: UploadState]>([:])

  func keep(_ state: UploadState, of file: String) {
    let copy = state.copy()
    states.withLock { states in
      if states[file] == nil, states.count >= StoreLimits.uploadStates, let other = states.keys.randomElement() {
        states[other] = nil
      }
      states[file] = copy
    }
  }

  /// A copy of the state after exactly so many bytes.
  func state(of file: String, received: Int) -> UploadState? {
    states.withLock { states in
      guard let state = states[file], state.received == received else { return nil }
      return state.copy()
    }
  }

  func remove(_ file: String) { states.withLock { $0[file] = nil } }
}
