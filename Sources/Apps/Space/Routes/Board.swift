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
  func set(_ sign: Sign, turn: Int, past: [SpaceAPI.PastEvent]) {
    guard turn >= self.turn else { return }
    self.turn = turn
    self.sign = sign
    self.past = past
    render()
  }

  private func render() {
    guard let settings else { return }
    // Directories read the document from other sites' pages.
    let anyone = [Response.Field("Access-Control-Allow-Origin", "*")]
    spaceAPI = Self.response(SpaceAPI.document(settings, sign, past: past), anyone)
    space = Self.response(settings.publicJSON, anyone)
  }

  private static func response(_ json: JSON, _ fields: [Response.Field]) -> Response {
    let bytes = json.bytes
    return Response(
      contentType: "application/json", body: .bytes(bytes), etag: Response.etag(of: bytes), fields: fields)
  }
}
