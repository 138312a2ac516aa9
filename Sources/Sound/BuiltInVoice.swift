import CVoices
public import SpeakingClock

/// The voices that the program brings along. Words are made by bin/make-voices when the program is built, strokes by
/// `Strokes` when they are needed.
public enum BuiltInVoice: String, CaseIterable, Sendable {
  case english
  case german
  case bells

  public var voice: any Voice {
    switch self {
    case .english: PackedVoice(name: "English", language: .english)
    case .german: PackedVoice(name: "Deutsch", language: .german)
    case .bells: Strokes()
    }
  }

  /// The one that speaks a language.
  public init(_ language: ClockSettings.Language) { self = language == .english ? .english : .german }

  /// Nil: it has no words.
  public var language: ClockSettings.Language? {
    switch self {
    case .english: .english
    case .german: .german
    case .bells: nil
    }
  }
}

/// A voice within the program: one FLAC file, of which each part is a range.
struct PackedVoice: Voice {
  let name: String
  /// Words that were joined one right after the other sound hurried.
  let gap = 0.06
  /// Its place in the table of voices.
  private let index: Int

  init(name: String, language: ClockSettings.Language) {
    let index = (0..<voices_count).first { String(cString: voices[$0].language) == language.rawValue }
    guard let index else { preconditionFailure("bin/make-voices made no voice for \(language.rawValue)") }
    (self.name, self.index) = (name, index)
  }

  private var voice: voices_voice { voices[index] }

  private var table: UnsafeBufferPointer<voices_part> {
    UnsafeBufferPointer(start: voice.parts, count: voice.part_count)
  }

  var parts: Set<Part> {
    Set(table.compactMap { Part(name: String(cString: $0.name)) }).union(Strokes().parts)
  }

  func clip(_ part: Part) throws(VoiceError) -> Clip {
    if part.isStroke { return try Strokes().clip(part) }
    guard let entry = table.first(where: { String(cString: $0.name) == part.name }) else {
      throw VoiceError(.missing, part: part, seen: "the voice \"\(name)\" does not say it")
    }
    let bytes = UnsafeRawBufferPointer(start: voice.bytes, count: voice.count)
    guard let clip = SoundFile.range(of: bytes, start: entry.start, frames: entry.frames) else {
      throw VoiceError(.damaged, part: part, seen: "the voice \"\(name)\" of this program cannot be decoded")
    }
    return clip
  }
}
