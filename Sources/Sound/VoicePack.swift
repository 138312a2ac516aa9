public import SpeakingClock

/// A voice that somebody recorded: a manifest and files with sound, in a folder or unpacked into memory.
public struct VoicePack: Voice {
  public let manifest: Manifest
  private let files: PackFiles

  public var name: String { manifest.name }
  public var gap: Double { manifest.gap }
  public var parts: Set<Part> { Set(manifest.parts.keys) }

  /// Reads the manifest; the files with sound are read when they are needed.
  public init(folder: String) throws(VoiceError) { try self.init(.folder(folder)) }

  /// - Parameter files: the bytes of all files, by their paths within the pack.
  public init(files: [String: [UInt8]]) throws(VoiceError) { try self.init(.memory(files)) }

  private init(_ files: PackFiles) throws(VoiceError) {
    self.files = files
    do throws(VoiceError) {
      manifest = try Manifest(files.bytes(of: Manifest.file, atMost: SoundLimits.manifestBytes))
    } catch {
      guard error.code == .unreadable else { throw error }
      throw VoiceError(
        .manifest, file: Manifest.file, seen: error.seen, accepted: "a voice pack has this file, which lists its parts")
    }
  }

  public func clip(_ part: Part) throws(VoiceError) -> Clip {
    try joined(try sounds(part), part)
  }

  /// The sounds of a part one after the other, without the silence between them: nobody says "forty … five".
  func joined(_ sounds: [SoundFile], _ part: Part) throws(VoiceError) -> Clip {
    guard sounds.count > 1 else { return Clip(joining: sounds.map(\.clip)) }
    var clips: [Clip] = []
    for (sound, name) in zip(sounds, manifest.parts[part] ?? []) {
      do throws(VoiceError) {
        let range = try Preparation.heard(sound.clip, part).range
        clips.append(Clip(samples: Array(sound.clip.samples[range]), rate: sound.clip.rate))
      } catch {
        throw error.of(part, in: name)
      }
    }
    return Clip(joining: clips)
  }

  /// The files of a part, read.
  public func sounds(_ part: Part) throws(VoiceError) -> [SoundFile] {
    guard let names = manifest.parts[part] else {
      throw VoiceError(.missing, part: part, seen: "the voice \"\(name)\" does not have it")
    }
    var sounds: [SoundFile] = []
    var seconds = 0.0
    for name in names {
      do throws(VoiceError) {
        let sound = try SoundFile(try files.bytes(of: name, atMost: SoundLimits.fileBytes), named: name)
        seconds += sound.clip.seconds
        guard seconds <= Double(SoundLimits.seconds) else {
          throw VoiceError(
            .tooLarge, seen: "with it the part is longer than \(SoundLimits.seconds) seconds",
            accepted: "one word or chime is needed")
        }
        sounds.append(sound)
      } catch {
        throw error.of(part, in: name)
      }
    }
    return sounds
  }
}
