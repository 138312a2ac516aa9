import CivilTime
import Settings
package import Store

/// The check of the hubs on one database server: their versions, their work, and their folder of large blobs.
package enum ClusterCheck {
  /// Seconds for which work may have no holder: another hub takes it after the time of a lease.
  static let idleSeconds = 2 * LeaseTimes.seconds

  /// None if the server cannot be asked, which the check of the database tells, and where no hub runs.
  /// - Parameters:
  ///   - blobs: the folder of large blobs; nil if they are in an object store, of which the database knows which it is.
  ///   - hasBus: true if one is set.
  package static func findings(_ server: ServerAddress, blobs: String?, hasBus: Bool) -> [Finding] {
    let found = try? Store.look(at: server) { database throws(StoreError) in
      try database.hasMembers() ? (try database.members(), try database.idleLeases(for: idleSeconds)) : ([], [])
    }
    guard let (members, idle) = found else { return [] }
    return findings(members, idle: idle, blobs: blobs.flatMap(Store.blobFolderID), hasBus: hasBus)
  }

  /// - Parameters:
  ///   - members: the hubs that run.
  ///   - idle: the leases that nobody holds.
  ///   - blobs: what stands in this folder's blobs; nil if no hub has used it.
  static func findings(_ members: [Member], idle: [String], blobs: String?, hasBus: Bool) -> [Finding] {
    if members.isEmpty { return [] }
    var found = [versions(members)]
    if let blobs, let other = members.first(where: { $0.blobs != blobs }) {
      found.append(
        .problem(
          "blobs", "\(other.host) keeps large blobs in another folder",
          remedy: "All hubs need the same, such as one of a network file system: `--blobs DIR`"))
    }
    if members.count > 1, !hasBus {
      found.append(
        .warning(
          "bus", "there is none: the hubs look at the database twice a second",
          remedy: "Live events take longer that way. Start a NATS server and name it to all hubs: "
            + "`--bus nats://HOST:4222`"))
    }
    if !idle.isEmpty {
      found.append(
        .warning(
          "work", "nobody does: \(idle.joined(separator: ", "))",
          remedy: "A hub takes it within seconds, unless none has the room switched on, or its log says why: "
            + "`journalctl -u eightbells -g lease`"))
    }
    return found
  }

  private static func versions(_ members: [Member]) -> Finding {
    let list = members.map { member in
      let since = timestamp(EpochSeconds(Int(member.since)), in: .utc)
      return "\(member.host) (\(member.version), since \(since))"
    }
    let text = list.joined(separator: ", ")
    guard members.contains(where: { $0.version != productVersion }) else { return .ok("hubs", text) }
    return .warning(
      "hubs", "\(text); this program is \(productVersion)",
      remedy: "While you upgrade one hub after the other this is right. Afterwards start those with another version "
        + "again, so that all have the same: Docs/upgrading.md")
  }
}
