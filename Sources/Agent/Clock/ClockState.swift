package import CivilTime
import Notifications
package import Playback
package import SpeakingClock
package import Wire

/// The hub's orders to the clock, from silent notifications whose user info has a member `clock`, and the clock's own
/// record: `clock.json` in the agent's folder.
package struct ClockState: Equatable, Sendable {
  package struct VoiceName: Equatable, Sendable {
    package var id: String
    /// Names its recordings; they change with it.
    package var version: String
  }

  static let file = "clock.json"

  package var form = ClockSettingsForm()
  package var voice: VoiceName?
  package var volume = 80
  /// False until a hub says otherwise: an agent that was made for something else keeps still.
  package var isOn = false
  package var mutedUntil: EpochSeconds = 0
  /// The instant of the last announcement that was begun.
  package var last: EpochSeconds?

  package init() {}

  /// An announcement that the hub asks for.
  package struct Order: Equatable, Sendable {
    /// Nil: now.
    package var at: EpochSeconds?
    package var parts: [Part]
  }

  /// Takes over what a message says. What is wrong with it stays as it was, and is told.
  /// - Returns: what is to be said, and the faults.
  package mutating func take(_ json: JSON) -> (order: Order?, faults: [String]) {
    var faults: [String] = []
    if let settings = json["settings"] {
      do throws(ClockSettingsForm.Fault) {
        form = try form.changed(by: settings)
      } catch {
        faults.append("settings: \(error.message)")
      }
    }
    if let told = json["voice"] {
      let id = told["id"]?.string ?? ""
      let version = told["version"]?.string ?? told["version"]?.int.map(String.init) ?? ""
      if Self.isName(id), version.utf8.count <= 128 {
        voice = VoiceName(id: id, version: version)
      } else {
        faults.append("voice: \(told.text.prefix(60)); {\"id\", \"version\"} is accepted.")
      }
    }
    if let told = json["volume"] {
      if let number = told.int, (0...100).contains(number) {
        volume = number
      } else {
        faults.append("volume: \(told.text.prefix(20)); 0 to 100 is accepted.")
      }
    }
    if let told = json["on"]?.bool { isOn = told }
    if let told = json["muted_until"] {
      if let number = told.int, number == 0 || ClockLimits.instants.contains(number) {
        mutedUntil = EpochSeconds(number)
      } else {
        faults.append("muted_until: \(told.text.prefix(20)); a second since 1970 is accepted.")
      }
    }
    return (order(json, &faults), faults)
  }

  private func order(_ json: JSON, _ faults: inout [String]) -> Order? {
    let isNow = json["now"]?.bool == true
    guard isNow || json["at"] != nil else { return nil }
    let parts = Self.parts(json)
    if parts.count != json["parts"]?.array?.count ?? 0 {
      faults.append("parts: \(json["parts"]?.text.prefix(60) ?? ""); names of parts are accepted.")
    }
    if isNow { return Order(at: nil, parts: parts) }
    guard let at = json["at"]?.int, ClockLimits.instants.contains(at), !parts.isEmpty else {
      faults.append("at: \(json["at"]?.text.prefix(20) ?? ""); a second since 1970 with its parts is accepted.")
      return nil
    }
    return Order(at: EpochSeconds(at), parts: parts)
  }

  /// The parts that a message or a notification names, as far as they are known.
  static func parts(_ json: JSON) -> [Part] {
    (json["parts"]?.array ?? []).prefix(NotificationLimits.spokenParts)
      .compactMap { $0.string.flatMap(Part.init(name:)) }
  }

  /// True for the id of a voice: nothing that would lead elsewhere in an address or a folder.
  static func isName(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id.isAlphanumeric(or: "-_")
  }

  package var orders: ClockOrders {
    var orders = ClockOrders(settings: form.settings)
    (orders.isOn, orders.volume, orders.mutedUntil) = (isOn, volume, mutedUntil)
    return orders
  }

  // MARK: On the disk

  package init(_ json: JSON) {
    _ = take(json)
    last = json["last"]?.int.map { EpochSeconds($0) }
  }

  package var json: JSON {
    .object(
      [
        .init("settings", form.json),
        .init("volume", .int(volume)), .init("on", .bool(isOn)), .init("muted_until", .int(Int(mutedUntil))),
        .init("last", JSON(last.map { Int($0) })),
      ] + (voice.map { [.init("voice", ["id": .string($0.id), "version": .string($0.version)])] } ?? []))
  }
}
