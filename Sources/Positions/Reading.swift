package import AnchorWatch

/// A part of what a receiver, a server or a file tells: a fix, or a position that is not one, with the reason.
package enum Reading: Equatable, Sendable {
  case fix(Fix)
  /// A fix of another receiver in the same stream, with its name there. It is a witness of the first one's.
  case witness(Fix, of: String)
  case refused(Refusal)
}

/// The reason why something that looked like a position was not taken.
package enum Refusal: String, Equatable, Sendable, CaseIterable {
  case tooLong = "a line without an end"
  case unfinished = "half a line"
  case checksumMissing = "no checksum"
  case checksumWrong = "a wrong checksum"
  case unreadable = "not readable"
  /// The receiver says itself that it has no fix (status V, quality 0, mode 0 or 1), or only estimates one.
  case noFix = "no fix"
  case positionMissing = "no position"
  /// Beyond ±90° or ±180°, not a number, or exactly (0, 0), which is a receiver's word for nothing.
  case positionImpossible = "an impossible position"
  case timeMissing = "no time"
}

/// A reader of one format, which is fed with bytes as they come, in pieces of any size.
package protocol PositionReader {
  /// Reads more bytes.
  /// - Parameters:
  ///   - received: the time at which they came, in seconds since 1970, for lines without a date or a time; nil for a
  ///     recorded file.
  mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, received: Double?, _ take: (Reading) -> Void)

  /// Ends the input: what is still unfinished is judged as a line that was cut off.
  mutating func finish(_ take: (Reading) -> Void)
}

/// A reader of a stream of receivers, which breaks now and then.
package protocol ReceiverReader: PositionReader {
  /// Begins again after a break. Only the receiver that counts stays: another one would be another boat's place if the
  /// two do not agree.
  mutating func restart()
}

extension PositionReader {
  package mutating func feed(_ bytes: some Sequence<UInt8>, received: Double? = nil, _ take: (Reading) -> Void) {
    Array(bytes).withUnsafeBufferPointer { feed($0, received: received, take) }
  }
}

/// Readings of instruments beside positions, which are joined to the fixes that soon follow.
struct Beside {
  private struct Value {
    var value: Double
    /// The time of the fix before it was told.
    var since: Double?
  }
  private var values: [WritableKeyPath<Fix, Double?>: Value] = [:]
  private var lastTime: Double?

  mutating func tell(_ part: WritableKeyPath<Fix, Double?>, _ value: Double) {
    guard value.isFinite else { return }
    values[part] = Value(value: value, since: lastTime)
  }

  mutating func forget(_ part: WritableKeyPath<Fix, Double?>) { values[part] = nil }

  /// The fix with all that was told of late and that it does not tell itself.
  mutating func join(_ fix: Fix) -> Fix {
    var fix = fix
    for (part, value) in values {
      if let since = value.since, abs(fix.time - since) > PositionLimits.besideSeconds {
        values[part] = nil
      } else if fix[keyPath: part] == nil {
        fix[keyPath: part] = value.value
        if value.since == nil { values[part]?.since = fix.time }
      }
    }
    lastTime = fix.time
    return fix
  }
}

/// A position of two numbers, or the reason why there is none.
func position(latitude: Double?, longitude: Double?) throws(Refused) -> Position {
  guard let latitude, let longitude else { throw Refused(.positionMissing) }
  guard let position = Position(latitude: latitude, longitude: longitude) else { throw Refused(.positionImpossible) }
  return position
}

struct Refused: Error {
  let refusal: Refusal
  init(_ refusal: Refusal) { self.refusal = refusal }
}
