/// The objects that the records need, compared with what the bucket has.
public struct LostObjects: Equatable, Sendable {
  /// The address of the bucket.
  public var bucket: String
  /// The number of objects that were looked for: at most `StoreLimits.objectsLookedFor`.
  public var lookedFor: Int
  /// The number of those that are missing.
  public var missing: Int
  /// Names of some of their blobs, such as "kettle/picture".
  public var examples: [String]

  package init(bucket: String, lookedFor: Int = 0, missing: Int = 0, examples: [String] = []) {
    self.bucket = bucket
    self.lookedFor = lookedFor
    self.missing = missing
    self.examples = examples
  }
}

extension Blobs {
  /// Looks by their names alone which objects the bucket has lost; nil without a bucket.
  public func lostObjects() async throws(StoreError) -> LostObjects? {
    guard let bucket = store.bucket?.bucket else { return nil }
    var found = LostObjects(bucket: bucket.shown)
    var last = ""
    while found.lookedFor < StoreLimits.objectsLookedFor {
      let page = try await store.read { [last] database throws(StoreError) in try database.objects(after: last) }
      guard let end = page.last?.name else { break }
      // What is put meanwhile is in the bucket before it is in the records, so these were read first.
      var there: Set<String> = []
      while last < end, case let names = try await bucket.names(after: last), let reached = names.last {
        there.formUnion(names)
        last = reached
      }
      let lost = page.filter { !there.contains($0.name) }
      for object in lost where found.examples.count < StoreLimits.lostExamples {
        found.examples += try await store.read { database throws(StoreError) in
          try database.names(of: object.digest, limit: 1)
        }
      }
      found.lookedFor += page.count
      found.missing += lost.count
      last = end
    }
    return found
  }
}

extension Database {
  /// Objects that rows of `blobs` need, in the order of their names.
  fileprivate func objects(after last: String) throws(StoreError) -> [(name: String, digest: BlobDigest)] {
    try rows(
      "SELECT name, digest FROM blob_objects WHERE name > ? AND due IS NULL ORDER BY name LIMIT ?", .text(last),
      .int(StoreLimits.objectsPerLook)
    ) { row in BlobDigest(row.blob(1)).map { (name: row.text(0), digest: $0) } }.compactMap { $0 }
  }

  /// Names of a blob, such as "kettle/picture".
  func names(of digest: BlobDigest, limit: Int) throws(StoreError) -> [String] {
    try rows("SELECT room, name FROM blob_names WHERE digest = ? LIMIT ?", .blob(digest.bytes), .int(limit)) {
      "\($0.text(0))/\($0.text(1))"
    }
  }
}
