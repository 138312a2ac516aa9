public import SpeakingClock
import Wire

/// The file `voice.json` of a pack: whose voice it is, and the files of each part.
///
/// `{"name": "Anna", "language": "de", "gap": 0.05, "parts": {"12": "12.wav", "45": ["40.wav", "5.wav"]}}`
public struct Manifest: Equatable, Sendable {
  public static let file = "voice.json"

  public var name: String
  public var language: ClockSettings.Language
  /// Seconds of silence between two parts.
  public var gap: Double
  /// The files of each part, which are joined in this order.
  public var parts: [Part: [String]]

  public init(name: String, language: ClockSettings.Language, gap: Double = 0, parts: [Part: [String]]) {
    (self.name, self.language, self.gap, self.parts) = (name, language, gap, parts)
  }

  public init(_ bytes: [UInt8]) throws(VoiceError) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw Self.wrong("it is no JSON: \(error.message), in line \(error.line)", "JSON is needed")
    }
    guard let members = json.members else { throw Self.wrong("it holds \(json.kind)", "an object is needed") }
    let known = ["name", "language", "gap", "parts"]
    if let other = members.first(where: { !known.contains($0.name) })?.name {
      throw Self.wrong("\"\(other.prefix(40))\" is unknown", "\(known.joined(separator: ", ")) are accepted")
    }
    guard let name = json["name"]?.string, !name.isEmpty, name.count <= SoundLimits.voiceName,
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw Self.wrong("\"name\" is missing or too long", "1 to \(SoundLimits.voiceName) characters are accepted")
    }
    self.name = name
    guard let language = json["language"]?.string.flatMap(ClockSettings.Language.init) else {
      let seen = json["language"].map { "\"language\" is \($0.text.prefix(40))" } ?? "\"language\" is missing"
      throw Self.wrong(seen, "\"en\" and \"de\" are accepted")
    }
    self.language = language
    gap = json["gap"] == nil ? 0 : json["gap"]?.number ?? -1
    guard (0...SoundLimits.gap).contains(gap) else {
      throw Self.wrong("\"gap\" is \(json["gap"]?.text.prefix(40) ?? "")", "0 to 5 seconds are accepted")
    }
    guard let listed = json["parts"]?.members, !listed.isEmpty else {
      throw Self.wrong("\"parts\" is missing or empty", "the files of its parts are needed: {\"12\": \"12.wav\"}")
    }
    parts = [:]
    for member in listed {
      guard let part = Part(name: member.name) else {
        throw Self.wrong(
          "there is no part \"\(member.name.prefix(40))\"",
          "0 to 59, 01 to 09 and \(Part.Word.allCases.map(\.rawValue).joined(separator: ", ")) are accepted")
      }
      parts[part] = try Self.files(member.value, part)
    }
  }

  private static func files(_ value: JSON, _ part: Part) throws(VoiceError) -> [String] {
    let names = value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? []
    guard !names.isEmpty, names.count == value.array?.count ?? 1, names.count <= SoundLimits.filesOfPart else {
      let accepted = "a name, or a list of up to \(SoundLimits.filesOfPart), is needed: [\"40.wav\", \"5.wav\"]"
      throw wrong("it has no file", accepted, part)
    }
    if let name = names.first(where: { !isWithin($0) }) {
      throw wrong("\"\(name.prefix(80))\" leads out of the pack", "names of files within it are accepted", part)
    }
    return names
  }

  /// True for the path of a file within a pack.
  public static func isWithin(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= SoundLimits.nameBytes && !name.hasPrefix("/") && !name.utf8.contains(0)
      && !name.contains("\\")
      && !name.split(separator: "/", omittingEmptySubsequences: false).contains {
        $0 == ".." || $0 == "." || $0.isEmpty
      }
  }

  private static func wrong(_ seen: String, _ accepted: String, _ part: Part? = nil) -> VoiceError {
    VoiceError(.manifest, part: part, file: file, seen: seen, accepted: accepted)
  }

  /// As the file has it, the parts in the order of their codes.
  public var text: String {
    let rows = parts.sorted { $0.key.code < $1.key.code }.map { part, files in
      "    \(JSON.string(part.name).text): "
        + (files.count == 1 ? JSON.string(files[0]) : .array(files.map { .string($0) })).text
    }
    return """
      {
        "name": \(JSON.string(name).text),
        "language": "\(language.rawValue)",
        "gap": \(JSON.double(gap).text),
        "parts": {
      \(rows.joined(separator: ",\n"))
        }
      }

      """
  }
}
