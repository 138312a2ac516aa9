import Glibc
import Lifecycle

/// The check that a hub could listen on its port.
package enum PortCheck {
  package enum Outcome: Equatable {
    case free
    /// Another program listens there; its name, as far as /proc tells.
    case taken(by: String?)
    /// Only root may, or a service that is given the right.
    case forbidden
    case failed(String, remedy: String)
  }

  /// Binds for a moment, without listening.
  package static func look(host: String, port: Int) -> Outcome {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &found)
    guard code == 0, let found else {
      return .failed(
        "\(host) is no address of this machine: \(String(cString: gai_strerror(code)))",
        remedy: "`hostname -I` lists those there are; 0.0.0.0 stands for all of them.")
    }
    defer { freeaddrinfo(found) }
    var next: UnsafeMutablePointer<addrinfo>? = found
    var reason: Int32 = 0
    // Like the hub: the first available address counts.
    while let info = next?.pointee {
      reason = bind(info)
      if reason == 0 { return .free }
      next = info.ai_next
    }
    switch reason {
    case EADDRINUSE: return .taken(by: listener(on: port))
    case EACCES: return .forbidden
    case EADDRNOTAVAIL:
      return .failed(
        "\(host) is no address of this machine",
        remedy: "`hostname -I` lists those there are; 0.0.0.0 stands for all of them.")
    default:
      return .failed(String(cString: strerror(reason)), remedy: "Choose another address with --listen HOST:PORT.")
    }
  }

  private static func bind(_ info: addrinfo) -> Int32 {
    let descriptor = socket(info.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var one: Int32 = 1
    // Without it, recently closed connections would block the port.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    return Glibc.bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 ? 0 : errno
  }

  // MARK: The other program

  /// "nginx (process 812)"; nil for another user's process, unless this is root.
  static func listener(on port: Int) -> String? {
    let inodes = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { listeningInodes(in: lines(of: $0), port: port) })
    if inodes.isEmpty { return nil }
    for process in namesInFolder("/proc") ?? [] where process.allSatisfy(\.isNumber) {
      for descriptor in namesInFolder("/proc/\(process)/fd") ?? [] {
        guard let target = link("/proc/\(process)/fd/\(descriptor)"), target.hasPrefix("socket:["),
          inodes.contains(String(target.dropFirst("socket:[".count).dropLast()))
        else { continue }
        return "\(lines(of: "/proc/\(process)/comm").first ?? "somebody") (process \(process))"
      }
    }
    return nil
  }

  /// The inodes of sockets that listen on a port, from a table of /proc/net (proc(5)): state 0A, the port in
  /// hexadecimal.
  package static func listeningInodes(in table: [String], port: Int) -> [String] {
    table.dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":"),
        Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port
      else { return nil }
      return String(fields[9])
    }
  }

  private static func lines(of path: String) -> [String] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
