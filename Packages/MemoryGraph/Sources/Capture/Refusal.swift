import CPtrace
import Glibc

/// The reasons why the kernel refuses tracing (ptrace(2), "Ptrace access mode checking"), as far as /proc tells.
extension ProcessFiles {
  /// The reason why the kernel did not stop this process, and a remedy.
  func refusal(_ code: Int32) -> CaptureError {
    let who = "Cannot look into process \(process) (\(name))"
    if status("State") == "Z" { return CaptureError(.gone, "\(who): it has ended already and waits for its parent.") }
    if code == ESRCH || kill(process, 0) != 0 && errno == ESRCH { return Self.gone(process) }
    if isKernelThread {
      return CaptureError(.refused, "\(who): it is a part of the kernel, which has no memory of its own to look at.")
    }
    if isTracedByOthers, let tracer = status("TracerPid") {
      return CaptureError(.refused, "\(who): \(whileTraced(by: tracer))")
    }
    guard code == EPERM || Self.isPtraceFiltered else {
      return CaptureError(.refused, "\(who): \(String(cString: strerror(code))).")
    }
    return CaptureError(.forbidden, "\(who): \(whyForbidden)")
  }

  /// What helps while a debugger traces the process: it can keep it in a file.
  private func whileTraced(by tracer: String) -> String {
    let name = Int32(tracer).map { ProcessFiles($0).name } ?? ""
    let ways = [
      ("gdb", "generate-core-file /tmp/core"), ("lldb", "process save-core --style full /tmp/core"),
    ].filter { name.isEmpty || name.hasPrefix($0.0) }
    guard let way = ways.first else {
      return "process \(tracer) (\(name)) is tracing it already; only one can at a time."
    }
    return """
      process \(tracer) (\(name)) is tracing it already, and only one can at a time. What helps: say there \
      "\(way.1)", and look at /tmp/core instead of \(process).
      """
  }

  static func gone(_ process: Int32) -> CaptureError {
    CaptureError(.gone, "There is no process \(process), or it has just ended.")
  }

  /// PF_KTHREAD of <linux/sched.h>, among the flags in `stat`: the seventh field after the name.
  private var isKernelThread: Bool {
    let fields = text("stat")?.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 6 && (UInt64(fields[6]) ?? 0) & 0x0020_0000 != 0
  }

  private static let ofContainer = "in a container, start it with --cap-add=SYS_PTRACE"

  /// The first reason that applies, in the order of the kernel's checks, with a remedy.
  private var whyForbidden: String {
    if Self.isPtraceFiltered {
      return """
        a filter of system calls (seccomp) forbids memorygraph itself to trace anybody (ptrace). What helps: \
        \(Self.ofContainer) or without its filter; in a systemd unit, leave out SystemCallFilter for the tool; or \
        start the program with memorygraph run, which it then asks to look.
        """
    }
    let own = ProcessFiles(getpid())
    let mayTrace = own.capabilities("CapEff") >> Self.tracing & 1 == 1
    let scope = Self.yama
    if scope == "3" {
      return """
        the kernel does not permit ptrace: kernel.yama.ptrace_scope is 3, which nothing but a restart of the machine \
        changes.
        """
    }
    if mayTrace {
      if let space = link("ns/user"), space != own.link("ns/user") {
        return """
          it lies in another user namespace, as in a container of its own, where your right to trace does not count. \
          What helps: look from inside of it, or from the machine itself as root.
          """
      }
      return """
        the kernel does not permit ptrace, though memorygraph has the right to (CAP_SYS_PTRACE): a security module, \
        such as AppArmor or SELinux, forbids it, or it belongs to another user namespace.
        """
    }
    let isRoot = geteuid() == 0
    let lacking = isRoot ? "you are root, but without the right to trace others (CAP_SYS_PTRACE)" : ""
    if let owner = status("Uid"), owner != "\(geteuid())" {
      // Yama's scope holds for that user as well, so only root is named then.
      let others = scope ?? "0" == "0" ? "that user or " : ""
      return isRoot
        ? "it belongs to user \(owner); \(lacking). What helps: run as that user; \(Self.ofContainer)."
        : "it belongs to user \(owner), and you are \(geteuid()). Run as \(others)root."
    }
    if let scope, scope != "0" {
      let who = scope == "1" ? "only parents may trace" : "only those may trace that have the right to (CAP_SYS_PTRACE)"
      return """
        the kernel does not permit ptrace: kernel.yama.ptrace_scope is \(scope), so \(who)\
        \(isRoot ? "; \(lacking)" : ""). What helps: \(isRoot ? "" : "run as root; or, ")once, \
        `sysctl kernel.yama.ptrace_scope=0`; \(Self.ofContainer).
        """
    }
    let more = capabilities("CapPrm") & ~own.capabilities("CapPrm")
    if more != 0 {
      return """
        it may do more than you (\(Self.names(more))), and only those who may trace anybody (CAP_SYS_PTRACE) may trace \
        such. What helps: \(isRoot ? "" : "run as root; ")\(Self.ofContainer).
        """
    }
    if isSealed {
      return """
        it lets nobody look who may not trace anybody (CAP_SYS_PTRACE): it has changed its user or its rights, or has \
        asked for that (PR_SET_DUMPABLE). What helps: \(isRoot ? "" : "run as root; ")\(Self.ofContainer).
        """
    }
    let hasOthers =
      Set(statusWords("Uid") + ["\(geteuid())"]).count > 1 || Set(statusWords("Gid") + ["\(getegid())"]).count > 1
    return """
      the kernel does not permit ptrace\(hasOthers ? ": it has other users or groups besides yours" : ""). What helps: \
      \(isRoot ? "" : "run as root; ")\(Self.ofContainer); in a systemd unit, leave out NoNewPrivileges and \
      SystemCallFilter for the tool.
      """
  }

  /// True if tracing is refused, tested by reading memory, which needs the same right.
  var isForbidden: Bool {
    var byte: UInt8 = 0
    return Self.isPtraceFiltered || cptrace_read(process, 0, &byte, 1) == -Int64(EPERM)
  }

  /// True if a filter forbids ptrace(2): otherwise a process that does not exist gives ESRCH.
  private static var isPtraceFiltered: Bool { [-EPERM, -ENOSYS].contains(cptrace_seize(.max, 0)) }

  /// True for a process of which even the path is hidden (proc(5), "dumpable").
  private var isSealed: Bool { link("exe") == nil }

  // MARK: Rights

  private static let tracing: UInt64 = 19  // CAP_SYS_PTRACE of <linux/capability.h>

  /// A field of capabilities in `status`, such as "CapEff".
  private func capabilities(_ field: String) -> UInt64 { status(field).flatMap { UInt64($0, radix: 16) } ?? 0 }

  private static let known: [UInt64: String] = [
    0: "CAP_CHOWN", 1: "CAP_DAC_OVERRIDE", 5: "CAP_KILL", 6: "CAP_SETGID", 7: "CAP_SETUID", 10: "CAP_NET_BIND_SERVICE",
    12: "CAP_NET_ADMIN", 13: "CAP_NET_RAW", 19: "CAP_SYS_PTRACE", 21: "CAP_SYS_ADMIN", 24: "CAP_SYS_RESOURCE",
  ]
  private static let mostNamed = 4

  private static func names(_ bits: UInt64) -> String {
    let set = (0..<64 as Range<UInt64>).filter { bits >> $0 & 1 == 1 }
    // The one that matters here first.
    let names = set.filter { $0 == tracing } + set.filter { $0 != tracing }
    let told = names.prefix(mostNamed).map { known[$0] ?? "capability \($0)" }
    return told.joined(separator: ", ") + (names.count > mostNamed ? " and \(names.count - mostNamed) more" : "")
  }

  private static var yama: String? {
    guard let file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re") else { return nil }
    defer { fclose(file) }
    let digit = fgetc(file)
    return digit == EOF ? nil : String(UnicodeScalar(UInt8(truncatingIfNeeded: digit)))
  }
}
