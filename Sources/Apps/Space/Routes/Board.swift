import CivilTime
import Server
import Synchronization
import Wire

/// What the room can say without looking anything up: the sign and the settings, as ready answers. Every loop asks it.
final class Board: Sendable {
  private struct State {
    var settings: SpaceSettings?
    var zone = Zone.utc
    var turn = KeptTurn.none
    var signWrite = 0
    var past: [SpaceAPI.PastEvent] = []
    var pictures: [Picture] = []
    var picturesWrite = 0
    var sensors: [Sensor] = []
    var sensorsWrite = 0
    var links: [SpaceAPI.LinkedSpace] = []
    var linksWrite = 0
    var settingsWrite = 0
    /// For the one who asked last by which address.
    var spaceAPI: (origin: String, until: Double, response: Response)?
    var space: Response?
  }
  private let state = Mutex(State())

  var settings: SpaceSettings? { state.withLock { $0.settings } }
  var zone: Zone { state.withLock { $0.zone } }
  /// The sign, with the number of its turn.
  var turn: KeptTurn { state.withLock { $0.turn } }
  /// The answer to /spaceapi.json, whose addresses are whole; nil before the settings are there.
  /// - Parameter origin: where the hub was asked, such as "https://hub.example".
  func spaceAPI(origin: String, now: Double) -> Response? {
    state.withLock { state in
      if let made = state.spaceAPI, made.origin == origin, now < made.until { return made.response }
      guard let settings = state.settings else { return nil }
      let json = SpaceAPI.document(
        settings, state.turn.sign, past: state.past, pictures: state.pictures, sensors: state.sensors,
        linked: state.links, origin: origin, now: now)
      let response = Self.response(json)
      // Until the next sensor counts as silent.
      let until = state.sensors.map(\.staleAt).filter { $0 > now }.min() ?? .infinity
      state.spaceAPI = (origin, until, response)
      return response
    }
  }

  var sensors: [Sensor] { state.withLock { $0.sensors } }

  /// - Parameters:
  ///   - write: as for pictures.
  ///   - changed: the sensor that has spoken, or was removed.
  ///   - announce: called with the newest that is known of it, and before anything newer can be set: whoever listens is
  ///     left with what is true. nil where it is gone.
  func set(_ sensors: [Sensor], write: Int, changed: (kind: String, name: String), announce: (Sensor?) -> Void) {
    state.withLock { state in
      if write >= state.sensorsWrite {
        state.sensorsWrite = write
        state.sensors = sensors
        state.spaceAPI = nil
      }
      announce(state.sensors.first { $0.kind == changed.kind && $0.name == changed.name })
    }
  }

  /// What was kept, at the start.
  func set(_ sensors: [Sensor]) { state.withLock { $0.sensors = sensors } }

  /// The spaces that everybody is shown. - Parameter write: as for pictures.
  func set(_ links: [SpaceAPI.LinkedSpace], write: Int) {
    state.withLock { state in
      guard write >= state.linksWrite else { return }
      state.linksWrite = write
      state.links = links
      state.spaceAPI = nil
    }
  }

  /// The answer to /api/v1/space; nil before the settings are there.
  var space: Response? { state.withLock { $0.space } }

  /// The pictures that are kept here.
  var pictures: [Picture] { state.withLock { $0.pictures } }

  private let writes = Atomic(0)
  /// Numbers a write, from within it: writes come one after the other, what they answer may overtake each other.
  func numberWrite() -> Int { writes.add(1, ordering: .relaxed).newValue }

  /// - Parameter write: its number; an older one never replaces a newer one.
  func set(_ pictures: [Picture], write: Int) {
    state.withLock { state in
      guard write >= state.picturesWrite else { return }
      state.picturesWrite = write
      state.pictures = pictures
      Self.render(&state)
    }
  }

  /// - Parameter write: as for pictures.
  func set(_ settings: SpaceSettings, zone: Zone, write: Int) {
    state.withLock { state in
      guard write >= state.settingsWrite else { return }
      state.settingsWrite = write
      state.settings = settings
      state.zone = zone
      Self.render(&state)
    }
  }

  /// Answers of the store may overtake each other on their way back: an older turn never replaces a newer one.
  /// - Parameters:
  ///   - past: the last changes; nil leaves them as they are.
  ///   - write: as for pictures.
  ///   - announce: called if this is the newest that is known, and before anything newer can be set: news leave in the
  ///     order of the turns.
  func set(_ turn: KeptTurn, past: [SpaceAPI.PastEvent]?, write: Int, announce: () -> Void = {}) {
    state.withLock { state in
      guard write >= state.signWrite else { return }
      state.signWrite = write
      state.turn = turn
      if let past { state.past = past }
      Self.render(&state)
      announce()
    }
  }

  private static func render(_ state: inout State) {
    guard let settings = state.settings else { return }
    state.spaceAPI = nil
    state.space = response(settings.publicJSON(with: state.pictures))
  }

  private static func response(_ json: JSON) -> Response {
    let bytes = json.bytes
    return Response(
      contentType: "application/json", body: .bytes(bytes), etag: Response.etag(of: bytes), fields: [.anyOrigin]
    ).ready()
  }
}
