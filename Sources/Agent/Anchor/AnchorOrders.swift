import AnchorWatch
import EventLoop
import Lifecycle
import Positions
import Wire

/// The orders that commands on the same machine give: `{"do": "drop" | "set" | "move" | "weigh" | "acknowledge" |
/// "status", …}`, answered with the watch's state, or with `{"error"}`.
enum AnchorOrders {
  private struct Refusal: Error {
    var message: String
  }

  static func answer(_ order: JSON, _ anchor: AgentAnchor) -> JSON {
    anchor.lookAtClock()
    do throws(Refusal) {
      try obey(order, anchor)
    } catch {
      return ["error": .string(error.message)]
    }
    return .object(AnchorStatus.members(of: anchor))
  }

  private static func obey(_ order: JSON, _ anchor: AgentAnchor) throws(Refusal) {
    switch order["do"]?.string {
    case "status": return
    case "acknowledge": return anchor.acknowledge()
    case "weigh":
      guard anchor.state.form != nil else { throw Refusal(message: "There is no anchor to weigh.") }
      anchor.state.form = nil
      anchor.state.arm(false, now: anchor.loop.time.now)
    case "drop":
      let place = try place(order, anchor)
      let boat = here(anchor)
      let before = anchor.state.form ?? anchor.state.before ?? WatchSettingsForm(anchor: place)
      // A rode that comes with the drop counts for the radius that is offered, and a zone in spite of it.
      let form = WatchSettingsForm.offered(
        at: place, after: try changed(before, order), boat: boat?.position, hdop: boat?.quality)
      anchor.state.form = try changed(form, order)
      anchor.state.arm(true, now: anchor.loop.time.now)
    case "move":
      guard let form = anchor.state.form else { throw noAnchor }
      let place = try place(order, anchor)
      anchor.state.form = try changed(form, ["settings": ["anchor": place.json]])
    case "set":
      guard let form = anchor.state.form else { throw noAnchor }
      anchor.state.form = try changed(form, order)
    default:
      let seen = order["do"]?.text.prefix(40) ?? "nothing"
      throw Refusal(message: "do: \(seen); drop, set, move, weigh, acknowledge and status are accepted.")
    }
    anchor.state.ordered(at: anchor.loop.time.now, isDrop: order["do"]?.string == "drop")
    anchor.settled()
  }

  private static let noAnchor = Refusal(message: "There is no anchor yet; `anchor drop` notes where it lies.")

  private static func changed(_ form: WatchSettingsForm, _ order: JSON) throws(Refusal) -> WatchSettingsForm {
    guard let settings = order["settings"] else { return form }
    do throws(WatchSettingsForm.Fault) {
      return try form.changed(by: settings)
    } catch {
      throw Refusal(message: error.message)
    }
  }

  /// The anchor's place: as told, or by bearing and distance from the boat, or where the boat is now.
  private static func place(_ order: JSON, _ anchor: AgentAnchor) throws(Refusal) -> Position {
    if order["lat"] != nil || order["lon"] != nil {
      guard let place = Position(json: order) else {
        throw Refusal(
          message: "The place: \(order["lat"]?.text.prefix(20) ?? "nothing"), "
            + "\(order["lon"]?.text.prefix(20) ?? "nothing"); degrees north and east are accepted, but not 0, 0.")
      }
      return place
    }
    guard let here = here(anchor)?.position else {
      throw Refusal(message: "No receiver has told a position of late; a place in degrees is accepted all the same.")
    }
    guard order["bearing_deg"] != nil || order["distance_m"] != nil else { return here }
    guard let bearing = order["bearing_deg"]?.number, (0...360).contains(bearing),
      let distance = order["distance_m"]?.number, (0...5_000).contains(distance)
    else { throw Refusal(message: "The bearing (0 to 360 degrees) and the distance (0 to 5000 m) belong together.") }
    return here.moved(bearing: bearing, distance: distance)
  }

  /// The boat's position, if a receiver has told it of late: not by its own time, since the machine's clock may differ.
  private static func here(_ anchor: AgentAnchor) -> Fix? {
    guard let heard = anchor.heard, anchor.loop.time.uptime - heard <= AgentWatchLimits.dropSeconds else { return nil }
    return anchor.last?.fix
  }
}
