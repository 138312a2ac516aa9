import CivilTime
import Wire

/// The state of the kettle.
struct Kettle: Equatable, Sendable {
  var isHot: Bool
  /// Seconds since 1970.
  var since: Double
  /// The person who put it on; nil if they are gone, and once it is cold.
  var by: String?
  /// The tea that the water is for; nil while nobody has said.
  var tea: String?

  /// - Parameter isForAll: true to leave out names, which are for members.
  func json(isForAll: Bool) -> JSON {
    let all: JSON = ["hot": .bool(isHot), "since": .string(timestamp(EpochSeconds(since), in: .utc))]
    let chosen = tea.map { [JSON.Member("tea", .string($0))] } ?? []
    return .object((all.members ?? []) + chosen + (isForAll ? [] : [.init("by", JSON(by))]))
  }

  var words: String { "\(isHot ? "hot" : "cold") since \(timestamp(EpochSeconds(since), in: .utc))" }
}
