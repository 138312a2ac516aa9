import CArchive
import Glibc
import Sound

/// Unpacks a zip file with a voice into memory, by libarchive: nothing is written, so no path can climb out. The file
/// may come from strangers.
enum VoiceArchive {
  /// - Returns: the bytes of its files by their paths. If all of them are in one folder, this folder is left out.
  static func files(_ path: String) throws(VoiceError) -> [String: [UInt8]] {
    let opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else {
      throw VoiceError(.archive, seen: "it cannot be read: \(String(cString: strerror(errno)))", accepted: accepted)
    }
    defer { close(opened) }
    var about = stat()
    guard fstat(opened, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
      throw VoiceError(.archive, seen: "it is neither a folder nor a file", accepted: accepted)
    }
    guard let archive = archive_read_new() else { throw VoiceError(.archive, seen: "libarchive has no memory") }
    defer { archive_read_free(archive) }
    archive_read_support_format_zip(archive)
    guard archive_read_open_fd(archive, opened, 64 << 10) == ARCHIVE_OK else { throw failure(archive) }
    return try withoutFolder(files(archive))
  }

  private static let accepted = "a folder or a zip file with voice.json is accepted"

  private static func files(_ archive: OpaquePointer) throws(VoiceError) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    var (count, left) = (0, SoundLimits.packedBytes)
    while true {
      var entry: OpaquePointer?
      let code = archive_read_next_header(archive, &entry)
      if code == ARCHIVE_EOF { break }
      guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else { throw failure(archive) }
      guard let text = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else {
        throw VoiceError(.archive, seen: "a name in it is no text", accepted: "names in UTF-8 are accepted")
      }
      let name = String(cString: text)
      count += 1
      guard count <= SoundLimits.packedFiles else {
        let accepted = "at most \(SoundLimits.packedFiles) are accepted"
        throw VoiceError(.archive, seen: "there are too many files in it", accepted: accepted)
      }
      if carchive_is_folder(entry) != 0 || isOfMacOS(name) { continue }
      guard carchive_is_regular_file(entry) != 0 else {
        throw VoiceError(.archive, file: shown(name), seen: "it is a link", accepted: "files and folders are accepted")
      }
      guard Manifest.isWithin(name) else {
        let accepted = "names of files within it are accepted"
        throw VoiceError(.archive, file: shown(name), seen: "its name leads out of the pack", accepted: accepted)
      }
      guard files[name] == nil else {
        throw VoiceError(
          .archive, file: shown(name), seen: "it comes twice", accepted: "one file of a name is accepted")
      }
      let bytes = try bytes(archive, shown(name), atMost: min(left, SoundLimits.fileBytes))
      left -= bytes.count
      files[name] = bytes
    }
    return files
  }

  /// The sizes that the entry claims are not believed.
  private static func bytes(
    _ archive: OpaquePointer, _ name: String, atMost limit: Int
  ) throws(VoiceError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = archive_read_data(archive, &piece, piece.count)
      guard count >= 0 else { throw failure(archive, name) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        let (one, all) = (SoundLimits.fileBytes >> 20, SoundLimits.packedBytes >> 20)
        throw VoiceError(
          .tooLarge, file: name, seen: "unpacked, it is too large",
          accepted: "at most \(one) MB in a file, and \(all) MB in all, are accepted")
      }
      bytes += piece[..<count]
    }
  }

  /// The files of the folder in which `voice.json` is, if it is not at the top.
  private static func withoutFolder(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
    guard files[Manifest.file] == nil,
      let folder = files.keys.filter({ $0.hasSuffix("/\(Manifest.file)") }).min(by: { $0.utf8.count < $1.utf8.count })?
        .dropLast(Manifest.file.count)
    else { return files }
    return Dictionary(
      uniqueKeysWithValues: files.filter { $0.key.hasPrefix(folder) }.map {
        (String($0.key.dropFirst(folder.count)), $0.value)
      })
  }

  /// True for a file that macOS adds to the archives it makes.
  private static func isOfMacOS(_ name: String) -> Bool { name.hasPrefix("__MACOSX/") || name.hasSuffix(".DS_Store") }

  private static func shown(_ name: String) -> String { String(name.prefix(80)) }

  private static func failure(_ archive: OpaquePointer, _ name: String? = nil) -> VoiceError {
    let message = archive_error_string(archive).map { String(cString: $0) } ?? "unknown error"
    return VoiceError(
      .archive, file: name, seen: "it cannot be unpacked: \(message)", accepted: "a zip file is accepted")
  }
}
