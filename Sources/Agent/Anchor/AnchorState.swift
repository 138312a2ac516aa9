package import Positions
package import Wire

/// The agent's record of its watch, `anchor.json` in its folder: what it watches, whether it is armed, and what rings.
/// With it the watch goes on after any end of the process, by itself.
package struct AnchorState: Equatable, Sendable {
  static let file = "anchor.json"

  package var form: WatchSettingsForm?
  package var isArmed = false
  /// Seconds since 1970, since when it is armed.
  package var since: Double?
  /// The number of the hub's message that was taken last.
  package var version = 0
  /// True from an order given on this machine until the hub was heard: what it had before does not undo the order.
  package var isNewHere = false
  /// The event that rings on the loudspeaker until somebody acts, and when it came.
  package var ringing: Ringing?
  /// The event that somebody has acted upon last.
  package var acknowledged: Double?

  package struct Ringing: Equatable, Sendable {
    package var kind: String
    package var at: Double
    /// True for one that rings without a pause; false for a warning.
    package var isAlarm: Bool
    /// True when all is well again, but nobody has acted.
    package var isOver = false

    package init(kind: String, at: Double, isAlarm: Bool, isOver: Bool = false) {
      (self.kind, self.at, self.isAlarm, self.isOver) = (kind, at, isAlarm, isOver)
    }
  }

  package init() {}

  /// Further requests of a message of the hub.
  package struct News: Equatable, Sendable {
    package var hasChanged = false
    package var acknowledges = false
    package var fault: String?
  }

  /// Takes over a message of the hub, or its answer to a report:
  /// `{"version", "armed", "settings", "acknowledged"}`. What is wrong with it is told, and changes nothing.
  /// - Parameter isAnswer: true for an answer, which is what the hub has now; a push may be late.
  package mutating func take(_ json: JSON, now: Double, isAnswer: Bool) -> News {
    var news = News()
    news.acknowledges = json["acknowledged"]?.bool == true
    guard let version = json["version"]?.int else { return news }
    guard isAnswer ? version != self.version : version > self.version else { return news }
    let before = self
    if isNewHere, isArmed, isAnswer, json["armed"]?.bool != true {
      // A watch never ends because a hub does not know of it yet; ended there later, it ends here too.
      (self.version, isNewHere) = (version, false)
      news.hasChanged = true
      return news
    }
    if let settings = json["settings"] {
      if settings == .null {
        form = nil
      } else {
        do throws(WatchSettingsForm.Fault) {
          form = try WatchSettingsForm(settings)
        } catch {
          news.fault = error.message
          return news
        }
      }
    }
    arm(json["armed"]?.bool ?? isArmed, now: now)
    (self.version, isNewHere) = (version, false)
    news.hasChanged = self != before
    return news
  }

  package mutating func arm(_ armed: Bool, now: Double) {
    let armed = armed && form != nil
    if armed != isArmed { since = armed ? now : nil }
    isArmed = armed
    if !armed { ringing = nil }
  }

  // MARK: On the disk

  /// A damaged part is left out, with the reason.
  package init(_ json: JSON, fault: inout String?) {
    if let settings = json["settings"], settings != .null {
      do throws(WatchSettingsForm.Fault) {
        form = try WatchSettingsForm(settings)
      } catch {
        fault = error.message
      }
    }
    isArmed = json["armed"]?.bool == true && form != nil
    since = json["since"]?.number
    version = json["version"]?.int ?? 0
    isNewHere = json["new_here"]?.bool ?? false
    acknowledged = json["acknowledged_at"]?.number
    if let told = json["ringing"], let kind = told["kind"]?.string, let at = told["at"]?.number {
      ringing = Ringing(
        kind: kind, at: at, isAlarm: told["alarm"]?.bool ?? true, isOver: told["over"]?.bool ?? false)
    }
  }

  package var json: JSON {
    let told: JSON? = ringing.map {
      ["kind": .string($0.kind), "at": .double($0.at), "alarm": .bool($0.isAlarm), "over": .bool($0.isOver)]
    }
    return [
      "version": .int(version), "armed": .bool(isArmed), "since": JSON(since), "settings": form?.json ?? .null,
      "new_here": .bool(isNewHere), "ringing": told ?? .null, "acknowledged_at": JSON(acknowledged),
    ]
  }
}
