package import CivilTime
import Hub
package import Wire

/// A followed space, with its last known state.
package struct FollowedSpace: Equatable, Sendable {
  package var id: Int
  /// The address of its document.
  package var url: String
  /// The last good document; nil while there was none.
  package var known: OtherSpace?
  package var etag: String?
  package var lastModified: String?
  /// The time when its server last confirmed the document, in seconds since 1970.
  package var goodAt: Int?
  package var problem: Reason?
  package var problemSince: Int?
  /// The number of consecutive failures.
  package var failures = 0
  /// True if the owner has chosen it for everybody.
  package var isOwners = false

  package init(id: Int, url: String) {
    self.id = id
    self.url = url
  }

  /// Seconds until the next look, doubled after each failure.
  package var pause: Double {
    let factor = Double(1 << min(failures, 10))
    return min(SpaceLimits.followedRefresh * factor, SpaceLimits.followedPause)
  }

  /// True if the known state may be outdated.
  package func isOld(now: Int) -> Bool { goodAt.map { Double(now - $0) > 3 * SpaceLimits.followedRefresh } ?? true }

  /// - Parameter mine: true if the asking person follows it, which only they are told.
  package func json(mine: Bool, zone: Zone, now: Int) -> JSON {
    func told(_ instant: Int?) -> JSON { JSON(instant: instant, in: zone) }
    return [
      "id": JSON(id: id), "url": .string(url), "mine": .bool(mine), "name": JSON(known?.name),
      "website": JSON(known?.website), "logo": JSON(known?.logo),
      "state": .string(known?.open.map { $0 ? "open" : "closed" } ?? "unknown"), "open": JSON(known?.open),
      "lastchange": JSON(known?.lastChange), "since": told(known?.lastChange), "message": JSON(known?.message),
      "version": JSON(known?.version), "as_of": told(goodAt), "old": .bool(isOld(now: now)),
      "problem": JSON(problem?.text), "reason": problem?.json ?? .null, "problem_since": told(problemSince),
      "notes": .array((known?.notes ?? []).map { .string($0) }),
    ]
  }
}
