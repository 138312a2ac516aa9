import Foundation

/// A PostgreSQL server that the tests share; each takes a database of its own. It ends with the tests.
public enum PostgresServer {
  /// The address of an empty database.
  public static func database() -> String {
    let name = "test_\(UUID().uuidString.filter { $0 != "-" }.lowercased())"
    ask("CREATE DATABASE \(name)")
    return address.replacing("NAME", with: name)
  }

  /// Runs a statement on the server, beside the tests' own connections.
  /// - Parameter database: the address of the one in which it runs; nil for one of its own.
  public static func ask(_ sql: String, in database: String? = nil) {
    let place = database ?? Self.address.replacing("NAME", with: "postgres")
    let done = system("psql -qX -v ON_ERROR_STOP=1 -d '\(place)' -c \"\(sql)\" > /dev/null")
    precondition(done == 0, "psql has failed: \(sql)")
  }

  private static let address: String = {
    let folder = TemporaryFolder().path
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "postgres").path()
    // Its standard input ends with this process, and then it ends.
    guard popen("'\(script)' '\(folder)'", "w") != nil else { preconditionFailure("cannot run \(script)") }
    // Usually within two seconds. A busy disk has taken more than thirty.
    for _ in 0..<6_000 {
      if let text = try? String(contentsOfFile: "\(folder)/address", encoding: .utf8) {
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      usleep(50_000)
    }
    preconditionFailure("PostgreSQL did not start; is it installed? bin/install test does it")
  }()
}
