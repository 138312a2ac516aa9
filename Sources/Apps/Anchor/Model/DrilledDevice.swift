import Hub
import Wire

/// A device that a drill has rung: one that would wake somebody tonight.
struct DrilledDevice: Equatable, Sendable {
  var drill: Int
  var device: Int
  var name: String
  var person: String?
  var at: Double
  var rangAt: Double?
  var answeredAt: Double?

  var json: JSON {
    [
      "device": JSON(id: device), "name": .string(name), "person": JSON(person), "rang": .bool(rangAt != nil),
      "answered_after_s": JSON(answeredAt.map { ($0 - at).tenths }),
    ]
  }
}

extension Double {
  /// Rounded to a tenth: metres and seconds as people read them.
  var tenths: Double { (self * 10).rounded() / 10 }
}
