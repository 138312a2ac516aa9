import CPtrace
import Glibc

/// The version of a process' C library, which decides its allocator's layout.
public enum GlibcVersion {
  /// The versions whose heap can be read, such as "2.36".
  public static var known: [String] { GlibcLayout.known.map(\.version) }

  /// "glibc 2.31 to 2.41 and 2.43", with its gaps.
  public static var knownText: String {
    let minors = known.compactMap { Int($0.dropFirst(2)) }
    var spans: [ClosedRange<Int>] = []
    for minor in minors {
      if let last = spans.last, minor == last.upperBound + 1 {
        spans[spans.count - 1] = last.lowerBound...minor
      } else {
        spans.append(minor...minor)
      }
    }
    let words = spans.map { $0.count == 1 ? "2.\($0.lowerBound)" : "2.\($0.lowerBound) to 2.\($0.upperBound)" }
    return "glibc " + words.joined(separator: " and ")
  }

  static func library(_ mappings: [Mapping]) -> String? {
    mappings.first { $0.isFile && $0.fileOffset == 0 && isGlibc($0.path) }?.path
  }

  /// The mappings of a process. After exec the C library is mapped only when the loader has come so far, which is
  /// waited for up to a tenth of a second.
  static func mappingsWithLibrary(of process: Int32) throws(CaptureError) -> [Mapping] {
    for _ in 1..<CaptureLimits.libraryAttempts {
      let mappings = try Mapping.all(of: process)
      if library(mappings) != nil { return mappings }
      poll(nil, 0, CaptureLimits.libraryPause)
    }
    return try Mapping.all(of: process)
  }

  static func layout(of process: Int32, _ name: String, _ mappings: [Mapping]) throws(CaptureError) -> GlibcLayout {
    func refusal(_ words: String) -> CaptureError {
      CaptureError(.unsupported, "\(words); \(knownText) is accepted.")
    }
    let who = "Process \(process) (\(name))"
    let libraries = mappings.filter { $0.isFile && $0.fileOffset == 0 }
    if libraries.contains(where: { $0.path.contains("/ld-musl") || $0.path.contains("/libc.musl") }) {
      throw refusal("\(who) uses the C library musl")
    }
    guard let library = library(mappings) else {
      throw CaptureError(
        .unsupported,
        """
        \(who) has no glibc, is linked statically with it, or has only just started; \(knownText), as a library, is \
        accepted.
        """)
    }
    for allocator in ["jemalloc", "tcmalloc", "mimalloc"]
    where libraries.contains(where: { $0.path.contains(allocator) }) {
      throw CaptureError(
        .unsupported, "\(who) allocates with \(allocator); the allocator of glibc is accepted.")
    }
    if isSanitized(mappings) {
      throw CaptureError(
        .unsupported, "\(who) has AddressSanitizer in it, which allocates itself; the allocator of glibc is accepted.")
    }
    guard let version = version(library, of: process, mappings) else {
      throw refusal("The version of \(library) was not found in it")
    }
    guard let layout = GlibcLayout.known.first(where: { $0.version == version }) else {
      throw refusal("\(who) uses glibc \(version)")
    }
    return layout
  }

  /// True under AddressSanitizer, which is a library, or linked into the program and recognised by its shadow memory
  /// only: on x86_64 that begins here.
  private static func isSanitized(_ mappings: [Mapping]) -> Bool {
    mappings.contains { $0.start == sanitizersShadow && $0.isWritable || $0.path.contains("/libasan.so") }
  }
  private static let sanitizersShadow: UInt64 = 0x7fff_7000

  /// True also for a library whose file was replaced since, as by an upgrade of the system.
  public static func isGlibc(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name == "libc.so.6" || name == "libc.so.6 (deleted)" || name.hasPrefix("libc-2.")
  }

  /// The version in the library's banner: "… release version 2.36.".
  private static func version(_ path: String, of process: Int32, _ mappings: [Mapping]) -> String? {
    let file = openMapped(path, of: process)
    guard file >= 0 else { return versionInMemory(path, of: process, mappings) }
    defer { close(file) }
    let size = lseek(file, 0, SEEK_END)
    guard size > 0, let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), bytes != MAP_FAILED else {
      return nil
    }
    defer { munmap(bytes, size) }
    return find(banner, in: UnsafeRawBufferPointer(start: bytes, count: size))
  }

  /// The same from the process' memory, where the library still is when its file is not.
  private static func versionInMemory(_ path: String, of process: Int32, _ mappings: [Mapping]) -> String? {
    for mapping in mappings where mapping.path == path && mapping.isReadable && !mapping.isWritable {
      var bytes = [UInt8](repeating: 0, count: Int(min(mapping.size, CaptureLimits.variableBytes)))
      let count = cptrace_read(process, mapping.start, &bytes, UInt64(bytes.count))
      guard count > 0 else { continue }
      let version = bytes.withUnsafeBytes { find(banner, in: UnsafeRawBufferPointer(rebasing: $0[..<Int(count)])) }
      if let version { return version }
    }
    return nil
  }

  private static let banner = "release version "

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
