import Glibc
import Hub
import Settings
import Sound
import SpeakingClock
import Terminal
import Wire

/// `eightbells voice check|convert|preview PACK`: looks after recorded voices.
enum VoiceCommands {
  static let all = [check, convert, preview]

  // MARK: Check

  private static let check = RoomCommand(
    alone: Verb(
      "voice check", operands: ["PACK"], usage: "[--json]", options: [Verb.json],
      summary: """
        Looks at a recorded voice, a folder or a zip file with voice.json: which parts are broken, clipped or too \
        quiet, and how often it can say the time. Ends with 1 if something should be recorded again.
        """)
  ) { _, arguments throws(CommandError) in
    let report = VoiceReport(try VoiceSource.pack(arguments.words[0]))
    print(arguments.has("json") ? VoiceReportText.json(report).text : VoiceReportText.text(report))
    if !report.isGood { exit(1) }
  }

  // MARK: Convert

  private static let convert = RoomCommand(
    alone: Verb(
      "voice convert", operands: ["PACK"], usage: "--to caf|wav --out DIR",
      options: [
        Option("to", "caf|wav", help: "the kind of its files: 16 bits, 44.1 kHz, one channel"),
        Option("out", "DIR", help: "a new folder, into which the voice is written"),
      ],
      summary: "Writes a recorded voice anew, with a file for each part: CAF or WAV, neither trimmed nor levelled.")
  ) { _, arguments throws(CommandError) in
    guard let kind = arguments["to"].flatMap(Clip.FileKind.init) else {
      throw CommandError(usage: "--to \(arguments["to"] ?? "is missing"): caf and wav are accepted.")
    }
    guard let folder = arguments["out"] else { throw CommandError(usage: "--out DIR is missing.") }
    let pack = try VoiceSource.pack(arguments.words[0])
    guard mkdir(folder, 0o755) == 0 else {
      throw CommandError("\(folder) cannot be made: \(String(cString: strerror(errno))). A new folder is needed.")
    }
    var manifest = pack.manifest
    var broken = 0
    for part in pack.parts.sorted(by: { $0.code < $1.code }) {
      let name = "\(part.name).\(kind.rawValue)"
      let clip: Clip
      do throws(VoiceError) {
        clip = try pack.clip(part)
      } catch {
        printError(error.message)
        manifest.parts[part] = nil
        broken += 1
        continue
      }
      try OutputFile.write(clip.resampled(to: 44_100).file(kind), to: "\(folder)/\(name)")
      manifest.parts[part] = [name]
    }
    try OutputFile.write(Array(manifest.text.utf8), to: "\(folder)/\(Manifest.file)")
    print("\(manifest.parts.count) parts written to \(Layout.plain(folder))")
    if broken > 0 { throw CommandError("\(broken) of its parts could not be read, and are left out.") }
  }

  // MARK: Preview

  /// The options for the way in which the time is said; those for when have no meaning here.
  private static let ways = ClockOptions.settings.filter { !["every", "quiet"].contains($0.name) }

  private static let preview = RoomCommand(
    alone: Verb(
      "voice preview", operands: ["PACK"], usage: "--out FILE",
      options: [Option("out", "FILE", help: "the WAV file to write")] + ways,
      summary: """
        Joins some announcements of a voice into one WAV file, to hear how it sounds: a folder, a zip file, or \
        english, german or bells, which the program brings along.
        """)
  ) { _, arguments throws(CommandError) in
    guard let file = arguments["out"] else { throw CommandError(usage: "--out FILE is missing.") }
    let (voice, language) = try VoiceSource.voice(arguments.words[0])
    var settings = try ClockOptions.settings(arguments)
    if let language, arguments["language"] == nil { settings.language = language }
    if language == nil { settings.style = .bells }
    var joiner = Joiner(voice: voice, fallback: BuiltInVoice(settings.language).voice)
    var whole = Clip(samples: [], rate: joiner.rate)
    var faults: [VoiceError] = []
    let announcements = announcements(settings, voice)
    for parts in announcements {
      let joined = joiner.join(parts)
      whole.samples += joined.clip.samples + [Float](repeating: 0, count: joiner.rate)
      faults += joined.faults.filter { !faults.contains($0) }
    }
    for fault in faults { printError(fault.message) }
    try OutputFile.write(whole.file(.wav), to: file)
    for parts in announcements { print(parts.map(\.name).joined(separator: " ")) }
  }

  /// Some times of a day that the voice can say; all its parts, if it can say none.
  private static func announcements(_ settings: ClockSettings, _ voice: any Voice) -> [[Part]] {
    let times = [0, 3 * 60 + 15, 7 * 60 + 7, 12 * 60 + 30, 18 * 60 + 45, 21 * 60]
    let said = times.filter { minute in
      settings.parts(at: minute).allSatisfy { $0.isStroke || voice.parts.contains($0) }
    }
    let announcements = said.map { settings.parts(at: $0) }
    return announcements.isEmpty ? voice.parts.sorted { $0.code < $1.code }.map { [$0] } : announcements
  }
}
