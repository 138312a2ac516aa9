import Crypto
import Device
import Sound
import SpeakingClock
import Wire

/// The voice that its person recorded, fetched from the hub and kept as a voice pack in the agent's folder, so that it
/// speaks without a network. Parts are named by the digest of their bytes: those that did not change are not fetched
/// again. Confined to its loop.
final class FetchedVoice {
  /// A voice as the hub describes it.
  struct Listing: Equatable {
    var name: String
    var language: ClockSettings.Language
    var version: String
    var parts: [(part: Part, digest: String, path: String)]

    static func == (a: Listing, b: Listing) -> Bool {
      a.name == b.name && a.version == b.version && a.parts.elementsEqual(b.parts) { $0 == $1 }
    }

    /// Nil for what is no listing.
    init?(_ json: JSON) {
      guard let members = json["parts"]?.members, members.count <= ClockLimits.parts else { return nil }
      name = String((json["name"]?.string ?? "voice").filter { !$0.isNewline && $0 >= " " }.prefix(80))
      if name.isEmpty { name = "voice" }
      language = json["language"]?.string.flatMap(ClockSettings.Language.init) ?? .english
      version = json["version"]?.string ?? json["version"]?.int.map(String.init) ?? ""
      parts = members.compactMap { member in
        guard let part = Part(name: member.name), let digest = member.value["sha256"]?.string,
          digest.utf8.count == 64, digest.utf8.allSatisfy({ 48...57 ~= $0 || 97...102 ~= $0 }),
          let path = member.value["url"]?.string, path.hasPrefix("/"), path.utf8.count <= 512,
          path.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { return nil }
        return (part, digest, path)
      }
    }
  }

  private static let directory = "voice"
  private static let name = "voice/of.json"

  private let folder: StateFolder
  private let requests: HubRequests
  private let note: (String) -> Void
  private var isFetching = false

  init(_ folder: StateFolder, _ requests: HubRequests, note: @escaping (String) -> Void) {
    (self.folder, self.requests, self.note) = (folder, requests, note)
  }

  /// The voice, as far as it was fetched; nil if it never was, or cannot be used.
  func voice(_ id: String) -> (any Voice)? {
    guard kept?.id == id else { return nil }
    return try? VoicePack(folder: "\(folder.path)/\(Self.directory)")
  }

  private var kept: ClockState.VoiceName? {
    guard let json = folder.json(Self.name, atMost: 4096), let id = json["id"]?.string,
      let version = json["version"]?.string
    else { return nil }
    return ClockState.VoiceName(id: id, version: version)
  }

  /// Fetches a voice unless it is there.
  /// - Parameter done: true if it is there now.
  func fetch(_ wanted: ClockState.VoiceName, _ done: @escaping (Bool) -> Void) {
    guard kept != wanted else { return done(true) }
    guard !isFetching else { return done(false) }
    isFetching = true
    requests.send("/api/v1/clock/voices/\(wanted.id)") { [self] answer in
      guard case .answered(200, let body) = answer, let json = try? JSON(parsing: body), let listing = Listing(json)
      else { return fail(answer, done) }
      do throws(DeviceError) {
        try folder.makeFolder(Self.directory)
      } catch {
        return end("voice not kept: \(error.message)", false, done)
      }
      fetch(listing.parts[...], of: listing, wanted, bytes: 0, done)
    }
  }

  private func fetch(
    _ rest: ArraySlice<(part: Part, digest: String, path: String)>, of listing: Listing,
    _ wanted: ClockState.VoiceName, bytes: Int, _ done: @escaping (Bool) -> Void
  ) {
    var (rest, bytes) = (rest, bytes)
    while let next = rest.first, let kept = folder.read(Self.file(next.digest), atMost: ClockLimits.answerBytes) {
      bytes += kept.count
      rest.removeFirst()
    }
    guard bytes <= ClockLimits.voiceBytes else {
      return end("voice refused: more than \(ClockLimits.voiceBytes >> 20) MB", false, done)
    }
    guard let next = rest.first else { return keep(listing, wanted, done) }
    requests.send(next.path) { [self] answer in
      guard case .answered(200, let body) = answer, Digest.hex(Digest.sha256(body)) == next.digest else {
        return fail(answer, done)
      }
      do throws(DeviceError) {
        try folder.write(Self.file(next.digest), body)
      } catch {
        return end("voice not kept: \(error.message)", false, done)
      }
      fetch(rest.dropFirst(), of: listing, wanted, bytes: bytes + body.count, done)
    }
  }

  private static func file(_ digest: String) -> String { "\(directory)/\(digest).wav" }

  /// Writes the pack's manifest, and removes the parts of other versions.
  private func keep(_ listing: Listing, _ wanted: ClockState.VoiceName, _ done: @escaping (Bool) -> Void) {
    let files = listing.parts.map { ($0.part, ["\($0.digest).wav"]) }
    let manifest = Manifest(
      name: listing.name, language: listing.language, parts: Dictionary(files) { first, _ in first })
    let mine: JSON = ["id": .string(wanted.id), "version": .string(wanted.version)]
    do throws(DeviceError) {
      try folder.write("\(Self.directory)/\(Manifest.file)", Array(manifest.text.utf8))
      try folder.write(Self.name, mine.bytes)
      var old: [String] = []
      let used = Set(listing.parts.map { "\($0.digest).wav" })
      try folder.eachName(in: Self.directory) { if $0.hasSuffix(".wav"), !used.contains($0) { old.append($0) } }
      for name in old { try folder.remove("\(Self.directory)/\(name)") }
    } catch {
      return end("voice not kept: \(error.message)", false, done)
    }
    end("voice fetched parts=\(listing.parts.count)", true, done)
  }

  /// Removes the voice that was fetched, as nobody wants it any more.
  func forget() {
    guard !isFetching else { return }
    // First what says that it is there. Also parts of one that never came whole; without the folder nothing ever did.
    var names = [Self.name]
    try? folder.eachName(in: Self.directory) { names.append("\(Self.directory)/\($0)") }
    do throws(DeviceError) {
      for name in names { try folder.remove(name) }
    } catch {
      note("voice not removed: \(error.message)")
    }
  }

  private func fail(_ answer: HubRequests.Answer, _ done: @escaping (Bool) -> Void) {
    switch answer {
    case .answered(let status, _): end("voice not fetched: the hub answered \(status)", false, done)
    case .failed(let reason): end("voice not fetched: \(reason)", false, done)
    }
  }

  private func end(_ words: String, _ isThere: Bool, _ done: @escaping (Bool) -> Void) {
    isFetching = false
    note(words)
    done(isThere)
  }
}
