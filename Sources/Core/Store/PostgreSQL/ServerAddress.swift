import CPq
import Glibc

/// The address of a PostgreSQL server and a database in it, as libpq reads it: `postgres://USER@HOST:PORT/NAME`, with
/// options behind a question mark, such as `?host=/run/postgresql` for a socket or `?passfile=FILE` for a password
/// (PostgreSQL's documentation, "Connection URIs").
public struct ServerAddress: Equatable, Sendable {
  /// The whole text, with a password if it has one.
  let text: String
  /// The text that may be shown: the password is left out.
  public let shown: String
  /// True if the password stands in it, so that it must not come from a command line, which others can read.
  public let hasPassword: Bool

  /// - Throws: `.open` with libpq's reason if it is not an address.
  public init(_ text: String) throws(StoreError) {
    guard ["postgres://", "postgresql://"].contains(where: { text.hasPrefix($0) }) else {
      // No more than the scheme is told: libpq's other form, "host=… password=…", has the password without a mark.
      let scheme = text.prefix { $0.isLetter || $0.isNumber }
      let isAddress = text[scheme.endIndex...].hasPrefix("://")
      throw StoreError(
        .open, "The store's address is not one of PostgreSQL; postgres://USER@HOST/NAME is accepted",
        context: isAddress ? String(scheme) : "another form")
    }
    var reason: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &reason) else {
      defer { PQfreemem(reason) }
      let words = reason.map { String(cString: $0).split(separator: "\n").joined(separator: " ") } ?? "no memory"
      throw StoreError(.open, "The store's address cannot be read: \(words)", context: "postgres://…")
    }
    defer { PQconninfoFree(options) }
    var values: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    self.text = text
    hasPassword = values["password"] != nil
    let user = values["user"].map { "\($0)@" } ?? ""
    // One port counts for all hosts.
    let ports = (values["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let hosts = (values["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false).enumerated().map {
      let port = ports[min($0.offset, ports.count - 1)]
      return port.isEmpty ? "\($0.element)" : "\($0.element):\(port)"
    }
    shown = "postgres://\(user)\(hosts.joined(separator: ","))/\(values["dbname"] ?? "")"
  }
}
