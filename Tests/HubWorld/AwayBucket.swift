import Foundation
public import Store
import Synchronization
public import World

/// A bucket that takes all, until a test says that it cannot be reached.
public final class AwayBucket: BlobBucket {
  public let shown = "a bucket for tests"
  private let isAway = Mutex(false)

  public init() {}

  /// From now on it cannot be reached, and the copies in a hub's folder are gone.
  public func goAway(from folder: TemporaryFolder) throws {
    isAway.withLock { $0 = true }
    let blobs = "\(folder.path)/blobs"
    let all = FileManager.default.enumerator(atPath: blobs)?.allObjects as? [String] ?? []
    for copy in all where copy.contains("/") && !copy.hasPrefix("incoming") {
      try FileManager.default.removeItem(atPath: "\(blobs)/\(copy)")
    }
  }

  private func reach() throws(StoreError) {
    guard !isAway.withLock({ $0 }) else { throw StoreError(.bucketAway, "It is away", context: shown) }
  }

  public func note() async throws(StoreError) -> String? {
    try reach()
    return nil
  }

  public func write(note: String) async throws(StoreError) { try reach() }

  public func put(_ name: String, file: String, size: Int, digest: BlobDigest) async throws(StoreError) {
    try reach()
  }

  public func get(_ name: String, to file: String, size: Int) async throws(StoreError) -> Bool {
    try reach()
    return false
  }

  public func remove(_ name: String) async throws(StoreError) { try reach() }

  public func names(after last: String) async throws(StoreError) -> [String] {
    try reach()
    return []
  }

  public func address(of name: String, type: String, disposition: String, seconds: Int) -> String? { "test:\(name)" }
}
