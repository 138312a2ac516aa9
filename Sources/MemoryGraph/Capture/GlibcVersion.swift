import Glibc

/// Which C library a process uses: its allocator's lists have another layout in other versions.
public enum GlibcVersion {
  /// Versions whose heap has been read and compared with ground truth.
  public static let known = ["2.36"]

  /// Throws unless the heap can be read.
  static func check(_ snapshot: Snapshot) throws(CaptureError) {
    let accepted = "glibc \(known.joined(separator: ", ")) is accepted"
    let libraries = snapshot.mappings.filter { $0.isFile && $0.fileOffset == 0 }
    if libraries.contains(where: { $0.path.contains("/ld-musl") || $0.path.contains("/libc.musl") }) {
      throw CaptureError(.unsupported, "\(who(snapshot)) uses the C library musl; \(accepted).")
    }
    guard let library = libraries.first(where: { isGlibc($0.path) }) else {
      throw CaptureError(
        .unsupported, "\(who(snapshot)) has no glibc, or is linked statically with it; \(accepted), as a library.")
    }
    for allocator in ["jemalloc", "tcmalloc", "mimalloc"]
    where libraries.contains(where: { $0.path.contains(allocator) }) {
      throw CaptureError(
        .unsupported, "\(who(snapshot)) allocates with \(allocator); the allocator of glibc is accepted.")
    }
    guard let version = version(library.path, of: snapshot.process) else {
      throw CaptureError(.unsupported, "The version of \(library.path) was not found in it; \(accepted).")
    }
    guard known.contains(version) else {
      throw CaptureError(.unsupported, "\(who(snapshot)) uses glibc \(version); \(accepted).")
    }
  }

  static func isGlibc(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name == "libc.so.6" || name.hasPrefix("libc-2.")
  }

  private static func who(_ snapshot: Snapshot) -> String { "Process \(snapshot.process) (\(snapshot.name))" }

  /// The version that the library's banner names: "… release version 2.36.".
  private static func version(_ path: String, of process: Int32) -> String? {
    // The process may see other files than we do: a container's.
    var file = open("/proc/\(process)/root\(path)", O_RDONLY | O_CLOEXEC)
    if file < 0 { file = open(path, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = lseek(file, 0, SEEK_END)
    guard size > 0, let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), bytes != MAP_FAILED else {
      return nil
    }
    defer { munmap(bytes, size) }
    return find("release version ", in: UnsafeRawBufferPointer(start: bytes, count: size))
  }

  private static func find(_ words: String, in bytes: UnsafeRawBufferPointer) -> String? {
    let wanted = Array(words.utf8)
    var start = 0
    while let first = bytes[start...].firstIndex(of: wanted[0]) {
      start = first + 1
      guard first + wanted.count + 16 < bytes.count, memcmp(bytes.baseAddress! + first, wanted, wanted.count) == 0
      else { continue }
      let digits = bytes[(first + wanted.count)...].prefix(16).prefix { $0 == 46 || (48...57).contains($0) }
      var text = String(decoding: digits, as: UTF8.self)
      if text.hasSuffix(".") { text.removeLast() }
      if text.contains(".") { return text }
    }
    return nil
  }
}
