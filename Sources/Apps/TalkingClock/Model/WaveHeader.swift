/// The header of a recording as it is accepted: WAV (RIFF) with PCM of 16 bits, one channel, 44.1 kHz.
struct WaveHeader: Equatable, Sendable {
  /// Samples.
  var frames: Int
  var rate: Int

  struct Fault: Error, Equatable {
    /// The value seen, and what is accepted.
    var words: String
  }

  /// Reads a whole file, none of whose sizes is believed.
  init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= 12, Self.word(bytes, 0) == "RIFF", Self.word(bytes, 8) == "WAVE" else {
      throw Fault(words: "a file that is no WAV; a RIFF file of the form WAVE is accepted.")
    }
    var place = 12
    var format: (kind: Int, channels: Int, rate: Int, bits: Int)?
    while place + 8 <= bytes.count {
      let (name, size) = (Self.word(bytes, place), Self.number(bytes, place + 4, 4))
      place += 8
      if name == "fmt " {
        guard size >= 16, place + 16 <= bytes.count else { throw Fault(words: "a broken format; the file is cut off.") }
        format = (
          Self.number(bytes, place, 2), Self.number(bytes, place + 2, 2), Self.number(bytes, place + 4, 4),
          Self.number(bytes, place + 14, 2)
        )
      } else if name == "data" {
        guard let format else { throw Fault(words: "sound before its format; fmt has to come first.") }
        try Self.check(format)
        guard size <= bytes.count - place else {
          throw Fault(words: "\(bytes.count - place) of \(size) bytes of sound; the whole file is needed.")
        }
        guard size >= 2, size % 2 == 0 else { throw Fault(words: "\(size) bytes of sound; whole samples are needed.") }
        guard size / 2 <= ClockLimits.rate * ClockLimits.partSeconds else {
          throw Fault(
            words: "\(size / 2 / ClockLimits.rate) seconds; at most \(ClockLimits.partSeconds) are accepted.")
        }
        (frames, rate) = (size / 2, format.rate)
        return
      }
      // Chunks have even sizes.
      place += size + size % 2
    }
    throw Fault(words: "a WAV file without sound; a chunk \"data\" is needed.")
  }

  private static func check(_ format: (kind: Int, channels: Int, rate: Int, bits: Int)) throws(Fault) {
    guard format.kind == 1, format.bits == 16 else {
      throw Fault(words: "format \(format.kind) with \(format.bits) bits; PCM (1) with 16 bits is accepted.")
    }
    guard format.channels == 1 else { throw Fault(words: "\(format.channels) channels; one is accepted.") }
    guard format.rate == ClockLimits.rate else {
      throw Fault(words: "\(format.rate) Hz; \(ClockLimits.rate) Hz is accepted.")
    }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> String {
    String(decoding: bytes[place..<place + 4], as: UTF8.self)
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
