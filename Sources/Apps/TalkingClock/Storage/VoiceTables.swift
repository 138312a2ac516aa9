import SpeakingClock
import Store

/// Recorded voices. Their sounds are blobs.
extension Database {
  func voices(ofPerson person: Int) throws(StoreError) -> [RecordedVoice] {
    let voices = try rows("\(Self.selectVoices) WHERE person = ? ORDER BY created_at, id", .int(person)) {
      Self.voice($0)
    }
    return try voices.map { voice throws(StoreError) in try withParts(voice) }
  }

  func voice(_ id: String) throws(StoreError) -> RecordedVoice? {
    try first("\(Self.selectVoices) WHERE id = ?", .text(id), read: Self.voice)
      .map { voice throws(StoreError) in try withParts(voice) }
  }

  func add(_ voice: RecordedVoice) throws(StoreError) {
    try run(
      "INSERT INTO clock_voices (id, person, name, language, created_at) VALUES (?, ?, ?, ?, ?)", .text(voice.id),
      .int(voice.person), .text(voice.name), .text(voice.language.rawValue), .double(voice.createdAt))
  }

  /// Keeps the sound of a part, in the place of an older one.
  func save(_ part: RecordedPart, sound: Blob, ofVoice id: String) throws(StoreError) {
    try name(sound, as: Self.sound(part.part, ofVoice: id))
    try run(
      """
      INSERT INTO clock_parts (voice, part, frames, digest) VALUES (?, ?, ?, ?)
      ON CONFLICT (voice, part) DO UPDATE SET frames = excluded.frames, digest = excluded.digest
      """, .text(id), .text(part.part.name), .int(part.frames), .blob(part.digest.bytes))
  }

  func remove(_ part: Part, ofVoice id: String) throws(StoreError) {
    try run("DELETE FROM clock_parts WHERE voice = ? AND part = ?", .text(id), .text(part.name))
    try removeName(Self.sound(part, ofVoice: id))
  }

  func remove(_ voice: RecordedVoice) throws(StoreError) {
    for part in voice.parts { try remove(part.part, ofVoice: voice.id) }
    try run("DELETE FROM clock_voices WHERE id = ?", .text(voice.id))
  }

  static func sound(_ part: Part, ofVoice id: String) -> BlobName {
    BlobName(room: TalkingClockRoom.id, "voice/\(id)/\(part.name)")
  }

  private func withParts(_ voice: RecordedVoice) throws(StoreError) -> RecordedVoice {
    var voice = voice
    voice.parts = try rows(
      "SELECT part, frames, digest FROM clock_parts WHERE voice = ? ORDER BY part", .text(voice.id)
    ) { row -> RecordedPart? in
      guard let part = Part(name: row.text(0)), let digest = BlobDigest(row.blob(2)) else { return nil }
      return RecordedPart(part: part, frames: row.int(1), digest: digest)
    }.compactMap { $0 }
    return voice
  }

  private static let selectVoices = "SELECT id, person, name, language, created_at FROM clock_voices"

  private static func voice(_ row: Row) -> RecordedVoice {
    RecordedVoice(
      id: row.text(0), person: row.int(1), name: row.text(2),
      language: ClockSettings.Language(rawValue: row.text(3)) ?? .english, createdAt: row.double(4))
  }
}
