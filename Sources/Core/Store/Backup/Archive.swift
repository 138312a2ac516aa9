import CArchive
import Glibc

/// Writes a tar file (POSIX pax, by libarchive), readable with any tar.
final class ArchiveWriter {
  private let archive: OpaquePointer
  private let file: OpenFile

  /// Starts at the file's current position.
  init(_ file: OpenFile) throws(StoreError) {
    guard let archive = archive_write_new() else {
      throw StoreError(.archive, "libarchive has no memory", context: file.path)
    }
    self.archive = archive
    self.file = file
    try check(archive_write_set_format_pax_restricted(archive))
    try check(archive_write_open_fd(archive, file.descriptor))
  }

  deinit { archive_write_free(archive) }

  /// Starts an entry; exactly `size` bytes have to follow.
  func begin(_ name: String, size: Int, modified: Double) throws(StoreError) {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_size(entry, Int64(size))
    carchive_set_regular_file(entry)
    archive_entry_set_perm(entry, 0o600)
    archive_entry_set_mtime(entry, Int(modified), 0)
    try check(archive_write_header(archive, entry))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = archive_write_data(archive, rest.baseAddress, rest.count)
      guard count > 0 else { throw failure() }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  func finish() throws(StoreError) { try check(archive_write_close(archive)) }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == ARCHIVE_OK else { throw failure() }
  }

  private func failure() -> StoreError {
    let number = archive_errno(archive)
    // libarchive reports "Write error" for any failure.
    if number > 0 { return Files.failure("Cannot write the backup", file.path, number) }
    let message = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
    return StoreError(.archive, "Cannot write the backup: \(message)", context: file.path)
  }
}

/// Reads a tar file, whose contents are not trusted.
final class ArchiveReader {
  struct Entry {
    var name: String
    var size: Int
  }
  private let archive: OpaquePointer
  private let file: OpenFile
  /// Bytes of all entries so far.
  private var taken = 0

  init(_ file: OpenFile) throws(StoreError) {
    guard let archive = archive_read_new() else {
      throw StoreError(.archive, "libarchive has no memory", context: file.path)
    }
    self.archive = archive
    self.file = file
    try check(archive_read_support_format_tar(archive))
    try check(archive_read_open_fd(archive, file.descriptor, StoreLimits.pieceBytes))
  }

  deinit { archive_read_free(archive) }

  /// The next entry; nil at the end.
  func next() throws(StoreError) -> Entry? {
    var entry: OpaquePointer?
    let code = archive_read_next_header(archive, &entry)
    if code == ARCHIVE_EOF { return nil }
    try check(code)
    guard carchive_is_regular_file(entry) != 0, let name = archive_entry_pathname(entry) else {
      throw StoreError(.archive, "The backup holds what is no file", context: file.path)
    }
    return Entry(name: String(cString: name), size: Int(archive_entry_size(entry)))
  }

  /// Reads the next bytes of the entry, up to the buffer's size.
  /// - Returns: 0 at the entry's end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
    let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw failure() }
    taken += count
    // The holes of a sparse file take no byte in the archive: a few KB would fill the disk. libarchive may hand over a
    // piece before it counts it.
    guard taken <= Int(archive_filter_bytes(archive, 0)) + StoreLimits.pieceBytes else {
      throw StoreError(.archive, "The backup is refused: a file in it is larger than the backup", context: file.path)
    }
    return count
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == ARCHIVE_OK else { throw failure() }
  }

  private func failure() -> StoreError {
    let message = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
    return StoreError(.archive, "The backup cannot be read: \(message)", context: file.path)
  }
}
