import Crypto
import Sound
import SpeakingClock
import Store

/// A voice that somebody has recorded.
struct RecordedVoice: Equatable, Sendable {
  var id: String
  var person: Int
  var name: String
  var language: ClockSettings.Language
  /// Seconds since 1970.
  var createdAt: Double
  /// In the order of their names.
  var parts: [RecordedPart] = []

  /// Changes with each part: a SHA-256 of their names and sounds.
  var version: String {
    let lines = parts.map { "\($0.part.name) \($0.digest.hex)\n" }.joined()
    return Digest.hex(Digest.sha256(lines.utf8))
  }

  /// True if agents still take the voice with a recording of so many frames for a part. A shorter one than before
  /// always has room.
  func hasRoom(for part: Part, frames: Int) -> Bool {
    let others = parts.filter { $0.part != part }.map(\.frames)
    let bytes = (others + [frames]).reduce(0) { $0 + $1 * 2 + ClockLimits.headerBytes }
    return bytes <= SoundLimits.recordedBytes || parts.contains { $0.part == part && $0.frames >= frames }
  }

  /// The words that it lacks to say all that a clock says. Strokes and bells are made, and need no recording.
  func lacking(for settings: ClockSettings) -> [String] {
    settings.missingParts(in: Set(parts.map(\.part))).sorted { $0.code < $1.code }.map(\.name)
  }
}

/// A part of a recorded voice.
struct RecordedPart: Equatable, Sendable {
  var part: Part
  var frames: Int
  var digest: BlobDigest
}
