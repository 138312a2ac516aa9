/// A place away from this machine that keeps large blobs, such as a bucket of an object store. It is not believed: what
/// it gives back is compared with its digest before anybody sees it.
///
/// All errors are `.bucket`, or `.bucketAway` where it may pass by itself; that was tried again before.
public protocol BlobBucket: Sendable {
  /// Its address, for people.
  var shown: String { get }

  /// The text that was noted in it; nil for a new one.
  func note() async throws(StoreError) -> String?
  func write(note: String) async throws(StoreError)

  /// Keeps a file's bytes under a name. It is complete and durable when this returns.
  func put(_ name: String, file: String, size: Int, digest: BlobDigest) async throws(StoreError)

  /// Writes an object into a file, of at most so many bytes.
  /// - Returns: false if there is no such object.
  func get(_ name: String, to file: String, size: Int) async throws(StoreError) -> Bool

  /// Removes an object, if there is one.
  func remove(_ name: String) async throws(StoreError)

  /// The next objects in the order of their names; none behind the last one.
  /// - Parameter last: the name before them; empty for the first ones.
  func names(after last: String) async throws(StoreError) -> [String]

  /// An address at which anybody may fetch an object for so many seconds; nil without keys.
  /// - Parameters:
  ///   - type: the value of the answer's field Content-Type.
  ///   - disposition: that of Content-Disposition.
  func address(of name: String, type: String, disposition: String, seconds: Int) -> String?
}
