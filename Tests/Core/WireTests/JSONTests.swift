import Testing
import Wire

struct JSONTests {
  @Test(arguments: [
    "null", "true", "[]", "{}", "-12", "1.5", "\"a\\n\\\"\\\\ä\\u0001\"", "{\"b\":[1,2.5,{\"a\":null}],\"a\":\"x\"}",
  ])
  func `a text is written as it was read`(text: String) throws { #expect(try JSON(parsing: text).text == text) }

  @Test(arguments: [
    "", "{", "tru", "[1,]", "{\"a\":1,\"a\":2}", "\"\u{1}\"", "1 2", "NaN", "01", "99999999999999999999999", "'a'",
  ])
  func `what is no JSON is refused`(text: String) { #expect(throws: JSONError.self) { try JSON(parsing: text) } }

  @Test func `bytes that are not UTF-8 are refused`() {
    #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0xff, 0x22]) }
  }

  @Test(arguments: ["{\"a\": \"b\\u0000\"}", "{\"a\\u0000\": 1}"])
  func `a text with NUL is refused in words for whoever sent it`(text: String) {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(error?.message == "U+0000 in a text is not accepted")
  }

  @Test func `an error says where`() throws {
    let error = #expect(throws: JSONError.self) { try JSON(parsing: "{\n  \"a\": x}") }
    #expect(error?.line == 2)
  }

  @Test func `very deep nesting is refused and does not overflow the stack`() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test(arguments: [
    (#"[1,2,3]"#, 4), (#"{"a":[{}],"b":"],[{,\\\",[["}"#, 5), ("[]", 2), (#""a,b""#, 1), ("7", 1),
  ])
  func `a text may have so many values and not one more`(text: String, values: Int) throws {
    #expect(try JSON(parsing: text, values: values).text == text)
    guard values > 1 else { return }
    #expect(throws: JSONError.self) { try JSON(parsing: text, values: values - 1) }
  }

  @Test(arguments: ["{},", "[],", "1,", "[[1]],"])
  func `values that cost many times their text are refused before they are made`(value: String) {
    let text = "[\n" + String(repeating: value, count: WireLimits.jsonValues) + "1]"
    let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(error?.message.contains("100000") == true)
    #expect(error?.line == 2)
  }

  @Test func `whole numbers are told from fractions and from true`() throws {
    let json = try JSON(parsing: "[1, 1.0, true]")
    #expect(json == [.int(1), .double(1), true])
    #expect(json.array?[2].number == nil)
  }

  @Test(arguments: [0, 1, 100_000])
  func `gzip gives back what it took`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    let packed = Gzip.compress(bytes)
    // Answers are stored, so spare capacity for the worst case must not be.
    #expect(packed.capacity < packed.count + 64)
    packed.withUnsafeBufferPointer { packed in
      #expect(Gzip.decompress(packed, count: count) == bytes)
      if count > 1 { #expect(Gzip.decompress(packed, count: count - 1) == nil) }
      #expect(Gzip.decompress(UnsafeBufferPointer(rebasing: packed.dropLast(9)), count: count) == nil)
    }
  }
}
