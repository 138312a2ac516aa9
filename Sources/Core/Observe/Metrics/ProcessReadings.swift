import Glibc

extension Metrics {
  /// Registers Linux' figures of this process, under the names that Prometheus' own client libraries use; read when the
  /// metrics are collected. A value that cannot be read is NaN.
  public func addProcess() {
    counter("process_cpu_seconds_total", help: "Seconds of processor time, of the program and of the kernel for it.") {
      ProcessReadings.value { ($0.user + $0.system) / ProcessReadings.ticksPerSecond }
    }
    gauge("process_start_time_seconds", help: "When the process began, in seconds since 1970.") {
      ProcessReadings.value { stat in
        ProcessReadings.bootTime.map { $0 + stat.start / ProcessReadings.ticksPerSecond } ?? .nan
      }
    }
    gauge("process_threads", help: "Threads of the process.") { ProcessReadings.value(\.threads) }
    gauge("process_virtual_memory_bytes", help: "Addresses the process has reserved.") {
      ProcessReadings.value(\.virtualBytes)
    }
    gauge("process_resident_memory_bytes", help: "Memory the process occupies.") {
      ProcessReadings.value { $0.residentPages * Double(sysconf(Int32(_SC_PAGESIZE))) }
    }
    gauge("process_open_fds", help: "Open file descriptors.") { ProcessReadings.openDescriptors }
    gauge("process_max_fds", help: "File descriptors that may be open at once.") {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .nan }
      return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }
  }
}

/// The process' figures from /proc (proc(5)).
enum ProcessReadings {
  /// The fields used of /proc/self/stat, in the kernel's units: ticks, bytes, pages.
  struct Stat: Equatable {
    var user, system, threads, start, virtualBytes, residentPages: Double

    /// Nil for a malformed line. The program's name stands in parentheses and may hold any characters, also
    /// parentheses.
    init?(_ line: String) {
      guard let name = line.lastIndex(of: ")") else { return nil }
      let fields = line[line.index(after: name)...].split(whereSeparator: \.isWhitespace).map { Double($0) }
      // The fields behind the parentheses begin with number 3.
      func field(_ number: Int) -> Double? { fields.indices.contains(number - 3) ? fields[number - 3] : nil }
      guard let user = field(14), let system = field(15), let threads = field(20), let start = field(22),
        let virtualBytes = field(23), let residentPages = field(24)
      else { return nil }
      (self.user, self.system, self.threads, self.start) = (user, system, threads, start)
      (self.virtualBytes, self.residentPages) = (virtualBytes, residentPages)
    }
  }

  static func value(_ value: (Stat) -> Double) -> Double {
    text(of: "/proc/self/stat").flatMap(Stat.init).map(value) ?? .nan
  }

  static var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

  /// The time the machine started, in seconds since 1970.
  static var bootTime: Double? {
    text(of: "/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
      .flatMap { Double($0.dropFirst("btime ".count)) }
  }

  static var openDescriptors: Double {
    // Since Linux 6.2 the folder's size is the number of descriptors; before, they have to be counted.
    var status = stat()
    if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Double(status.st_size) }
    guard let folder = opendir("/proc/self/fd") else { return .nan }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Without ".", ".." and the descriptor of this folder itself.
    return Double(count - 3)
  }

  /// The text of a file of /proc, whose size is not known beforehand.
  private static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
