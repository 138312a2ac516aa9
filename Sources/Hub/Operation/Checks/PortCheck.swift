import Glibc
import Lifecycle
package import Server

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
  package static func look(_ address: ListenAddress) -> Outcome {
    let others = "`hostname -I` lists those there are; * stands for all of them."
    do throws(ListenError) {
      if let descriptor = try address.bound() {
        close(descriptor)
        return .free
      }
    } catch {
      return .failed("\(address.host) is no address of this machine", remedy: others)
    }
    switch errno {
    case EADDRINUSE: return .taken(by: listener(on: address.port))
    case EACCES: return .forbidden
    case EADDRNOTAVAIL: return .failed("\(address.host) is no address of this machine", remedy: others)
    case let reason:
      return .failed(String(cString: strerror(reason)), remedy: "Choose another address with --listen HOST:PORT.")
    }
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
