import Objects
import Testing

struct ObjectDateTests {
  @Test(arguments: [
    ("2026-01-01T00:00:00.000Z", 1_767_225_600_000), ("1970-01-01T00:00:00.001Z", 1),
    ("1969-12-31T23:59:59.999Z", -1), ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `a time has one text`(text: String, milliseconds: Int) {
    #expect(ObjectDate.milliseconds(text) == milliseconds)
    #expect(ObjectDate.text(milliseconds) == text)
  }

  @Test func `what JavaScript lets be left out may be missing`() {
    #expect(ObjectDate.milliseconds("2026-01-01") == 1_767_225_600_000)
    #expect(ObjectDate.milliseconds("2026-01-01T12:00Z") == 1_767_268_800_000)
    #expect(ObjectDate.milliseconds("2026-01-01T13:00+01:00") == 1_767_268_800_000)
  }

  @Test func `other spellings of RFC 3339 are read, and nothing else`() {
    #expect(ObjectDate.milliseconds("2026-01-01T01:00:00.1239+01:00") == 1_767_225_600_123)
    #expect(ObjectDate.milliseconds("2026-01-01T00:00:00Z") == 1_767_225_600_000)
    let others = [
      "", "2026", "2026-01-1", "2026-02-30", "10000-01-01T00:00:00.000Z", "2026-02-30T00:00:00.000Z",
      "2026-01-01T00:00", "2026-01-01T00:00:00", "0000-01-01T00:00:00+01:00", "2026-01-01T00:0€Z",
    ]
    for text in others {
      #expect(ObjectDate.milliseconds(text) == nil, "\(text)")
    }
  }
}
