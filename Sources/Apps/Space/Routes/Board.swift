import Hub
import Server
import Synchronization
import Wire

/// What the room can say without asking the store: the sign, the settings and what else every page shows. Every loop
/// asks it; it is set where things are written (`Change.then`), in the order of the changes.
final class Board: Sendable {
  private struct State {
    var place: Place?
    var settings = SpaceSettings()
    var turn = KeptTurn.none
    var past: [SpaceAPI.PastEvent] = []
    var pictures: [Picture] = []
    var sensors: [Sensor] = []
    var links: [SpaceAPI.LinkedSpace] = []
    /// The last change of what is shown here.
    var commit = 0
    /// Ready answers, made when they are asked for. That of SpaceAPI is for the address by which somebody asked last.
    var spaceAPI: (origin: String, feed: String?, until: Double, response: Response)?
    var space: Response?
  }
  private let state = Mutex(State())

  var settings: SpaceSettings { state.withLock { $0.settings } }
  /// The sign, with the number of its turn.
  var turn: KeptTurn { state.withLock { $0.turn } }
  var sensors: [Sensor] { state.withLock { $0.sensors } }
  /// The pictures that are kept here.
  var pictures: [Picture] { state.withLock { $0.pictures } }
  /// The last change of what is shown here.
  var commit: Int { state.withLock { $0.commit } }

  // MARK: Answers

  /// The answer to /spaceapi.json, whose addresses are whole; nil before the settings are there.
  /// - Parameters:
  ///   - origin: where the hub was asked, such as "https://hub.example".
  ///   - feed: the path of a calendar to subscribe to, if there is one.
  func spaceAPI(origin: String, feed: String?, now: Double) -> Response? {
    state.withLock { state in
      if let made = state.spaceAPI, made.origin == origin, made.feed == feed, now < made.until { return made.response }
      guard let place = state.place else { return nil }
      let json = SpaceAPI.document(
        place, state.settings, state.turn.sign, past: state.past, pictures: state.pictures, sensors: state.sensors,
        linked: state.links, feed: feed, origin: origin, now: now)
      let response = Self.response(json)
      // Until the next sensor counts as silent.
      let until = state.sensors.map(\.staleAt).filter { $0 > now }.min() ?? .infinity
      state.spaceAPI = (origin, feed, until, response)
      return response
    }
  }

  /// The answer to /api/v1/space; nil before the settings are there.
  var space: Response? {
    state.withLock { state in
      if let made = state.space { return made }
      guard let place = state.place else { return nil }
      let response = Self.response(
        state.settings.publicJSON(place, pictures: state.pictures), commit: state.commit)
      state.space = response
      return response
    }
  }

  private static func response(_ json: JSON, commit: Int? = nil) -> Response {
    let bytes = json.bytes
    let response = Response(
      contentType: "application/json", body: .bytes(bytes), etag: Response.etag(of: bytes), fields: [.anyOrigin])
    return (commit.map { response.asOf(commit: $0) } ?? response).ready()
  }

  // MARK: What was written

  func set(_ sensors: [Sensor], commit: Int) { change(commit) { $0.sensors = sensors } }

  /// The spaces that everybody is shown.
  func set(_ links: [SpaceAPI.LinkedSpace], commit: Int) { change(commit) { $0.links = links } }

  func set(_ pictures: [Picture], commit: Int) { change(commit) { $0.pictures = pictures } }

  func set(_ place: Place?, commit: Int) { change(commit) { $0.place = place } }

  func set(_ settings: SpaceSettings, commit: Int) { change(commit) { $0.settings = settings } }

  /// - Parameter past: the last changes, by what was known of them.
  func set(_ turn: KeptTurn, commit: Int, past: ([SpaceAPI.PastEvent]) -> [SpaceAPI.PastEvent]) {
    change(commit) { state in
      state.turn = turn
      state.past = past(state.past)
    }
  }

  private func change(_ commit: Int, _ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.commit = commit
      state.spaceAPI = nil
      state.space = nil
    }
  }
}
