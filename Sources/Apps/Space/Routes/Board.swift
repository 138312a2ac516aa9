import CivilTime
import Server
import Wire

/// What the room can say without looking anything up: the sign and the settings, as ready answers. Confined to the
/// loop.
final class Board: @unchecked Sendable {
  private(set) var settings: SpaceSettings?
  private(set) var zone = Zone.utc
  private(set) var sign = Sign.unknown
  private var turn = 0
  private var past: [SpaceAPI.PastEvent] = []
  /// Answers to /spaceapi.json and /api/v1/space; nil before the settings are there.
  private(set) var spaceAPI: Response?
  private(set) var space: Response?

  func set(_ settings: SpaceSettings, zone: Zone) {
    self.settings = settings
    self.zone = zone
    render()
  }

  /// Answers of the store may overtake each other on their way back: an older turn never replaces a newer one.
  /// - Returns: whether this is the newest one known.
  @discardableResult
  func set(_ sign: Sign, turn: Int, past: [SpaceAPI.PastEvent]) -> Bool {
    guard turn >= self.turn else { return false }
    self.turn = turn
    self.sign = sign
    self.past = past
    render()
    return true
  }

  private func render() {
    guard let settings else { return }
    spaceAPI = Self.response(SpaceAPI.document(settings, sign, past: past))
    space = Self.response(settings.publicJSON)
  }

  private static func response(_ json: JSON) -> Response {
    let bytes = json.bytes
    return Response(
      contentType: "application/json", body: .bytes(bytes), etag: Response.etag(of: bytes), fields: [.anyOrigin])
  }
}
