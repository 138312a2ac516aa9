import CSndfile

/// A file with sound, read by libsndfile. It goes by the content and not by the file's name.
public struct SoundFile: Sendable {
  public enum Container: String, CaseIterable, Sendable {
    case wav = "WAV"
    case caf = "CAF"
    case flac = "FLAC"
    case ogg = "Ogg"
    case mp3 = "MP3"
    case aiff = "AIFF"
    case au = "AU"

    init?(_ format: Int) {
      switch format & SF_FORMAT_TYPEMASK {
      case SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64: self = .wav
      case SF_FORMAT_CAF: self = .caf
      case SF_FORMAT_FLAC: self = .flac
      case SF_FORMAT_OGG: self = .ogg
      case SF_FORMAT_MPEG: self = .mp3
      case SF_FORMAT_AIFF: self = .aiff
      case SF_FORMAT_AU: self = .au
      default: return nil
      }
    }
  }

  /// Nil for a file without a header, which is named .au and read as 8 kHz µ-law: telephone systems write such files.
  public let container: Container?
  public let channels: Int
  /// The sound; several channels are mixed to one.
  public let clip: Clip

  static let accepted = "WAV, CAF, FLAC, Ogg (Opus or Vorbis), MP3, AIFF and AU are accepted"
  static let samples = "samples from -1 to 1 are needed"

  /// - Parameter name: the file's; errors name it.
  public init(_ bytes: [UInt8], named name: String) throws(VoiceError) {
    var error: VoiceError?
    let read = bytes.withUnsafeBytes { bytes -> SoundFile? in
      do throws(VoiceError) {
        return try SoundFile(bytes, name)
      } catch let fault {
        error = fault
        return nil
      }
    }
    guard let read else { throw (error ?? VoiceError(.notSound, seen: "it holds no sound")).of(nil, in: name) }
    self = read
  }

  private init(_ bytes: UnsafeRawBufferPointer, _ name: String) throws(VoiceError) {
    guard !bytes.isEmpty else { throw VoiceError(.empty, seen: "it is empty", accepted: "a recording is needed") }
    let memory = MemoryFile(bytes)
    var info = SF_INFO()
    var opened = memory.open(SFM_READ, &info)
    var isHeaderless = false
    if opened == nil, Self.mayBeHeaderless(bytes, name) {
      isHeaderless = true
      info = SF_INFO()
      (info.samplerate, info.channels) = (8_000, 1)
      info.format = Int32(SF_FORMAT_RAW | SF_FORMAT_ULAW)
      opened = memory.open(SFM_READ, &info)
    }
    guard let opened else {
      throw VoiceError(.notSound, seen: "it is no sound file (\(Self.beginning(bytes)))", accepted: Self.accepted)
    }
    defer { sf_close(opened) }
    container = isHeaderless ? nil : Container(Int(info.format))
    guard isHeaderless || container != nil else {
      throw VoiceError(.notSound, seen: "it is a sound file of another kind", accepted: Self.accepted)
    }
    channels = Int(info.channels)
    guard SoundLimits.channels.contains(channels), SoundLimits.rates.contains(Int(info.samplerate)) else {
      throw VoiceError(
        .tooLarge, seen: "it has \(channels) channels at \(info.samplerate) Hz",
        accepted: "at most \(SoundLimits.channels.upperBound) channels, and 2 to 384 kHz, are accepted")
    }
    let declared = DeclaredLength(bytes)
    if let declared, declared.isCut {
      throw VoiceError(
        .truncated, seen: "it ends too early: of \(declared.bytes) bytes of sound, \(declared.present) are there",
        accepted: "the whole file is needed")
    }
    clip = try Self.mixed(opened, info)
    if Int(info.frames) > clip.frames, info.frames < sf_count_t.max / 2 {
      throw VoiceError(
        .truncated, seen: "it ends too early: of \(info.frames) samples, \(clip.frames) could be read",
        accepted: "the whole file is needed")
    }
    guard clip.frames > 0 else {
      throw VoiceError(.empty, seen: "there is no sound in it", accepted: "a recording is needed")
    }
  }

  /// A range of a file with one channel, which this program brings along; nil if it cannot be read.
  static func range(of bytes: UnsafeRawBufferPointer, start: Int, frames: Int) -> Clip? {
    let memory = MemoryFile(bytes)
    var info = SF_INFO()
    guard let file = memory.open(SFM_READ, &info) else { return nil }
    defer { sf_close(file) }
    guard info.channels == 1, sf_seek(file, sf_count_t(start), 0) == start else { return nil }
    var samples = [Float](repeating: 0, count: frames)
    guard sf_readf_float(file, &samples, sf_count_t(frames)) == frames else { return nil }
    return Clip(samples: samples, rate: Int(info.samplerate))
  }

  /// The mean of all channels.
  private static func mixed(_ file: OpaquePointer, _ info: SF_INFO) throws(VoiceError) -> Clip {
    let (rate, channels) = (Int(info.samplerate), Int(info.channels))
    let most = SoundLimits.seconds * rate
    var samples: [Float] = []
    samples.reserveCapacity(Int(min(max(0, info.frames), sf_count_t(most))))
    var piece = [Float](repeating: 0, count: 8_192 * channels)
    while true {
      let count = Int(sf_readf_float(file, &piece, 8_192))
      guard count > 0 else { break }
      guard samples.count + count <= most else {
        throw VoiceError(
          .tooLarge, seen: "it is longer than \(SoundLimits.seconds) seconds", accepted: "one word or chime is needed")
      }
      for frame in 0..<count {
        var sum: Float = 0
        for channel in 0..<channels { sum += piece[frame * channels + channel] }
        // Also false for what is no number.
        guard abs(sum) <= SoundLimits.sample * Float(channels) else {
          throw VoiceError(
            .damaged, seen: "it has samples that are no numbers, or far too great", accepted: Self.samples)
        }
        samples.append(sum / Float(channels))
      }
    }
    return Clip(samples: samples, rate: rate)
  }

  private static func mayBeHeaderless(_ bytes: UnsafeRawBufferPointer, _ name: String) -> Bool {
    name.lowercased().hasSuffix(".au") && !bytes.starts(with: ".snd".utf8)
  }

  /// The first bytes as text, to recognise a web page that was saved, or a document.
  private static func beginning(_ bytes: UnsafeRawBufferPointer) -> String {
    let shown = bytes.prefix(16).map { (32..<127).contains($0) ? Character(UnicodeScalar($0)) : "·" }
    return "it begins with \"\(String(shown))\""
  }
}
