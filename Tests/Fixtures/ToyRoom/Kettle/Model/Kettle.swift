import CivilTime
import Wire

/// What is known of the kettle.
struct Kettle: Equatable, Sendable {
  var isHot: Bool
  /// Seconds since 1970.
  var since: Double
  /// Who put it on; nil for somebody who is gone, and once it is cold.
  var by: String?

  /// - Parameter isForAll: whether strangers may read it: names are for members.
  func json(isForAll: Bool) -> JSON {
    let all: JSON = ["hot": .bool(isHot), "since": .string(timestamp(EpochSeconds(since), in: .utc))]
    return isForAll ? all : .object((all.members ?? []) + [.init("by", JSON(by))])
  }

  var words: String { "\(isHot ? "hot" : "cold") since \(timestamp(EpochSeconds(since), in: .utc))" }
}
