import Glibc
import Lifecycle

/// A process' files in /proc.
public struct ProcessFiles: Sendable {
  public let process: Int32

  public init(_ process: Int32) { self.process = process }

  public func bytes(_ name: String) -> [UInt8]? {
    let file = open("/proc/\(process)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return Capture.bytes(of: file, most: CaptureLimits.procFileBytes)
  }

  public func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

  /// The first word of a line of `status`, such as "TracerPid".
  public func status(_ field: String) -> String? { statusWords(field).first }

  /// True if a field of signals, such as "SigCgt", contains the signal.
  func hasSignal(_ signal: Int32, in field: String, of thread: Int32? = nil) -> Bool {
    let words = statusWords(field, in: thread.map { "task/\($0)/status" } ?? "status")
    return words.first.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(signal - 1) & 1 == 1 } ?? false
  }

  /// True if a thread may make any system call: each thread has its own filters (seccomp).
  func isUnfiltered(_ thread: Int32) -> Bool { statusWords("Seccomp", in: "task/\(thread)/status") == ["0"] }

  /// The number of a thread's system call filters; nil when the kernel does not tell (before 5.9).
  func filters(of thread: Int32) -> String? { statusWords("Seccomp_filters", in: "task/\(thread)/status").first }

  /// True if a thread has ended: the first one remains until the others have ended, too.
  func hasEnded(_ thread: Int32) -> Bool {
    ["Z", "X"].contains(statusWords("State", in: "task/\(thread)/status").first)
  }

  func isGone(_ thread: Int32) -> Bool {
    access("/proc/\(process)/task/\(thread)", F_OK) != 0 && errno == ENOENT || hasEnded(thread)
  }

  func statusWords(_ field: String, in file: String = "status") -> [String] {
    let line = text(file)?.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    return line?.dropFirst(field.count + 1).split(whereSeparator: { $0 == " " || $0 == "\t" }).map { String($0) } ?? []
  }

  /// True for process 1 of a name space, which adopts all orphans there.
  var isFirstOfContainer: Bool { statusWords("NSpid").last == "1" }

  /// True for a process in a container, where it and its threads have other numbers than here.
  var isInContainer: Bool { statusWords("NSpid").count > 1 }

  func numberInside(of thread: Int32) -> Int32? {
    statusWords("NSpid", in: "task/\(thread)/status").last.flatMap { Int32($0) }
  }

  /// Its short name, "swift-hub".
  public var name: String { text("comm")?.split(separator: "\n").first.map { String($0) } ?? "?" }

  var threads: [Int32] { entries("task") }

  private func entries(_ name: String) -> [Int32] {
    (namesInFolder("/proc/\(process)/\(name)") ?? []).compactMap { Int32($0) }.sorted()
  }

  /// The number of pages mapped. A twin has fewer only if memory is excluded from children.
  var mappedPages: Int? { text("statm")?.split(separator: " ").first.flatMap { Int($0) } }

  var isTracedByOthers: Bool { status("TracerPid").map { $0 != "0" && $0 != "\(getpid())" } ?? false }

  /// The words that a process has registered with its epoll descriptors (epoll(7), `data`): often the addresses of its
  /// connections.
  var kernelWords: [(descriptor: Int32, word: UInt64)] {
    entries("fd").flatMap { descriptor -> [(descriptor: Int32, word: UInt64)] in
      guard link("fd/\(descriptor)") == "anon_inode:[eventpoll]" else { return [] }
      return (text("fdinfo/\(descriptor)") ?? "").split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        guard words.first == "tfd:", let place = words.firstIndex(of: "data:"), place + 1 < words.count,
          let word = UInt64(words[place + 1], radix: 16), word != 0
        else { return nil }
        return (descriptor, word)
      }
    }
  }

  func link(_ name: String) -> String? { target(ofLink: "/proc/\(process)/\(name)") }
}
