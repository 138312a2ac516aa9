/// The list of a backup's files, by which a truncated or changed backup is recognised. Lines are separated by line
/// feeds, words by single spaces:
///
///     eightbells.sqlite 81920 SHA256
///     blobs/ab/abcd… 200000 SHA256
///     damaged blobs/ab/abcd…
///     end SHA256
///
/// `damaged` names blobs that were damaged or missing when the backup was made. The last line is the digest of all
/// lines before it.
package struct BackupManifest: Equatable {
  package struct File: Equatable {
    package var size: Int
    package var digest: BlobDigest
  }
  package var files: [String: File] = [:]
  package var damaged: Set<String> = []

  /// The name of a backup's first entry.
  static let beginning = "eightbells-backup"
  /// The name of its last entry.
  static let name = "manifest"
  static let format = 1
  static let database = "eightbells.sqlite"
  static let configuration = "eightbells.conf"

  static func blob(_ digest: BlobDigest) -> String { "blobs/\(digest.hex.prefix(2))/\(digest.hex)" }

  /// The digest in the name of a blob's file; nil for any other name.
  static func digest(ofBlob name: String) -> BlobDigest? {
    guard let hex = name.split(separator: "/").last, let digest = BlobDigest(hex: hex), blob(digest) == name else {
      return nil
    }
    return digest
  }

  package var text: String {
    var lines = files.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.size) \($0.value.digest)\n" }
    lines += damaged.sorted().map { "damaged \($0)\n" }
    let body = lines.joined()
    return body + Self.end(of: body)
  }

  /// The text for a backup, which has to be one that a restore reads.
  /// - Throws: `.archive` if it has more bytes.
  package func readableText(atMost limit: Int) throws(StoreError) -> String {
    let text = text
    let size = text.utf8.count
    guard size <= limit else {
      throw StoreError(
        .archive,
        "There are too many large blobs for a backup that can be restored: its list has \(size) bytes, and up "
          + "to \(limit) are read", context: "\(files.count) files")
    }
    return text
  }

  private static func end(of body: String) -> String { "end \(BlobDigest(of: Array(body.utf8)))\n" }

  init() {}

  /// Nil for text that is not a complete manifest.
  package init?(_ text: String) {
    // The last line always has the same length.
    let bytes = Array(text.utf8)
    let size = Self.end(of: "").utf8.count
    guard bytes.count >= size else { return nil }
    let body = String(decoding: bytes.dropLast(size), as: UTF8.self)
    guard body + Self.end(of: body) == text else { return nil }
    self.init(body: body[...])
  }

  /// - Parameter body: all lines but the last one.
  package init?(body: Substring) {
    guard body.isEmpty || body.hasSuffix("\n") else { return nil }
    for line in body.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "damaged" {
        damaged.insert(String(words[1]))
      } else if words.count == 3, let size = Int(words[1]), size >= 0, let digest = BlobDigest(hex: words[2]) {
        files[String(words[0])] = File(size: size, digest: digest)
      } else {
        return nil
      }
    }
  }
}
