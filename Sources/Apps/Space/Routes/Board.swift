import CivilTime
import Hub
import Lifecycle
import Server
import Synchronization
import Wire

/// The room's state in memory, for answers without the store: the sign, the settings and other data of every page.
/// Every loop reads it; changes update it (`Change.then`), in their order.
final class Board: Sendable {
  private struct State {
    var place: Place?
    var settings = SpaceSettings()
    /// The opening hours of the settings, if they can be understood.
    var hours: OpeningHours?
    var turn = KeptTurn.none
    var past: [SpaceAPI.PastEvent] = []
    var pictures: [Picture] = []
    var sensors: [Sensor] = []
    var links: [SpaceAPI.LinkedSpace] = []
    /// The last change that it includes.
    var commit = 0
    /// Ready answers, made at the first request. SpaceAPI's is for the address of the last request.
    var spaceAPI: (origin: String, feed: String?, until: Double, response: Response)?
    var space: Response?
  }
  private let state = Mutex(State())

  var settings: SpaceSettings { state.withLock { $0.settings } }
  /// The sign, with the number of its turn.
  var turn: KeptTurn { state.withLock { $0.turn } }
  var sensors: [Sensor] { state.withLock { $0.sensors } }
  /// The stored pictures.
  var pictures: [Picture] { state.withLock { $0.pictures } }
  /// The last change that it includes.
  var commit: Int { state.withLock { $0.commit } }

  /// When a space whose sign says closed opens next by its hours, in seconds since 1970; nil if it is not closed, or
  /// nobody knows.
  func opens(_ sign: Sign, now: Int, zone: Zone) -> Int? {
    guard sign.open == false else { return nil }
    return state.withLock { $0.hours }?.nextOpening(after: now, zone: zone)
  }

  // MARK: Answers

  /// The answer to /spaceapi.json, with absolute addresses; nil without settings. Directories ask for nothing else, so
  /// what was made is found with little more than a few comparisons.
  /// - Parameter feed: the path of a calendar feed, if there is one.
  func spaceAPI(to request: Request, of hub: Hub, feed: String?) -> Response? {
    state.withLock { state in
      if let made = state.spaceAPI, made.feed == feed, hub.address(request, is: made.origin),
        made.until == .infinity || hub.time.now < made.until
      {
        return made.response
      }
      guard let place = state.place else { return nil }
      let (origin, now) = (hub.address(request), hub.time.now)
      let json = SpaceAPI.document(
        place, state.settings, state.turn.sign, past: state.past, pictures: state.pictures, sensors: state.sensors,
        linked: state.links, feed: feed, origin: origin, now: now)
      let response = Self.response(json)
      // Valid until the next sensor counts as silent.
      let until = state.sensors.map(\.staleAt).filter { $0 > now }.min() ?? .infinity
      state.spaceAPI = (origin, feed, until, response)
      return response
    }
  }

  /// The answer to /api/v1/space; nil without settings.
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

  // MARK: Updates

  func set(_ sensors: [Sensor], commit: Int) { change(commit) { $0.sensors = sensors } }

  /// Sets the spaces that everybody is shown.
  func set(_ links: [SpaceAPI.LinkedSpace], commit: Int) { change(commit) { $0.links = links } }

  func set(_ pictures: [Picture], commit: Int) { change(commit) { $0.pictures = pictures } }

  func set(_ place: Place?, commit: Int) { change(commit) { $0.place = place } }

  func set(_ settings: SpaceSettings, commit: Int) {
    let hours = settings.openingHours.flatMap { OpeningHours($0) }
    change(commit) { state in
      state.settings = settings
      state.hours = hours
    }
  }

  /// - Parameter past: computes the last changes from the earlier ones.
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
