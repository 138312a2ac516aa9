package import Lifecycle
package import Store

/// The check of the PostgreSQL server that keeps the records.
package enum ServerCheck {
  /// Seconds between two clocks that nobody notices.
  static let clockSeconds = 2.0

  /// None if the server cannot be asked, which the check of the database tells.
  package static func findings(_ server: ServerAddress, time: any TimeSource) -> [Finding] {
    (try? Store.condition(of: server, time: time)).map(findings) ?? []
  }

  package static func findings(_ server: ServerCondition) -> [Finding] {
    var found: [Finding] = []
    if !server.takesChanges {
      found.append(
        .problem(
          "server", "it takes no changes: people can only read",
          remedy: "Look for a full disk there; then `ALTER SYSTEM RESET default_transaction_read_only`. If it is a "
            + "replica, name the server that takes changes."))
    }
    if !server.mayMakeTables {
      found.append(
        .problem(
          "server", "the hub may not make tables there",
          remedy: "As the database's owner: `GRANT CREATE, USAGE ON SCHEMA public TO` the hub's user."))
    }
    if !server.waitsForDisk {
      found.append(
        .warning(
          "server", "it does not wait for the disk, so a power failure loses what was acknowledged",
          remedy: "Switch `fsync` and `full_page_writes` on in postgresql.conf."))
    }
    if server.encoding != "UTF8" {
      found.append(
        .warning(
          "server",
          "the database's encoding is \(server.encoding): what `pg_dump` writes may come back with broken letters",
          remedy: "Make another one by `createdb --encoding=UTF8 --template=template0`; no hub begins in this one. "
            + "Records that are here already go on; move them into the data folder, and from there to the other one, "
            + "both with `eightbells store move`."))
    }
    if abs(server.clockAhead) > clockSeconds {
      found.append(
        .warning(
          "server", "its clock is \(Int(abs(server.clockAhead))) s \(server.clockAhead > 0 ? "ahead" : "behind")",
          remedy: "Let both machines follow the same time: `timedatectl` on each of them says whether they do."))
    }
    return found.isEmpty ? [.ok("server", "PostgreSQL \(server.version)")] : found
  }
}
