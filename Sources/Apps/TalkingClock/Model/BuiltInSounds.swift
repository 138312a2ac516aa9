import Crypto
import Sound
import SpeakingClock

/// A part of a built-in voice as a WAV file.
struct BuiltInFile: Sendable {
  var part: Part
  var bytes: [UInt8]
  var frames: Int
  var rate: Int
  /// SHA-256 in hexadecimal digits.
  var digest: String
}

extension BuiltInVoice {
  var sortedParts: [Part] { voice.parts.sorted { $0.code < $1.code } }

  /// All its parts as files, made at the first request: some 3 MB that stay, and are the same until the next version.
  var files: [BuiltInFile] {
    switch self {
    case .english: Self.ofEnglish
    case .german: Self.ofGerman
    case .bells: Self.ofBells
    }
  }

  private static let ofEnglish = files(of: .english)
  private static let ofGerman = files(of: .german)
  private static let ofBells = files(of: .bells)

  private static func files(of built: BuiltInVoice) -> [BuiltInFile] {
    let voice = built.voice
    return built.sortedParts.compactMap { part in
      guard let clip = try? voice.clip(part) else { return nil }
      let bytes = clip.file(.wav)
      return BuiltInFile(
        part: part, bytes: bytes, frames: clip.frames, rate: clip.rate, digest: Digest.hex(Digest.sha256(bytes)))
    }
  }
}
