import Testing
import Wire

struct ForeignJSONTests {
  private func read(_ text: String) throws -> ForeignJSON { try ForeignJSON(Array(text.utf8)) }

  @Test(arguments: [
    ("{\"a\":1}", "{\"a\":1}", [ForeignJSON.Deviation]()),
    ("\u{FEFF}{\"a\":1}", "{\"a\":1}", [.byteOrderMark]),
    ("{\"a\":1,\"a\":2}", "{\"a\":2}", [.repeatedName]),
    ("{\"a\":1,}", "{\"a\":1}", [.trailingComma]),
    ("[1, 2 ,\r\n\t]", "[1,2]", [.trailingComma]),
    ("[[1,],{\"b\":[],},]", "[[1],{\"b\":[]}]", [.trailingComma]),
    ("[\",]\",\"\\\",]\"]", "[\",]\",\"\\\",]\"]", []),
    ("[\"a\\\\\",]", "[\"a\\\\\"]", [.trailingComma]),
    ("\u{FEFF}{\"a\":1,\"a\":[2,],}", "{\"a\":[2]}", [.byteOrderMark, .trailingComma, .repeatedName]),
    ("[\"\\u0000\"]", "[\"\\u0000\"]", []),
    ("[9223372036854775807,9223372036854775808]", "[9223372036854775807,9.223372036854776e+18]", []),
    ("[-18446744073709551616,1.5,-2E3]", "[-1.8446744073709552e+19,1.5,-2000.0]", []),
    ("{\"1e400\":[1e400,-1e400]}", "{\"1e400\":[1.7976931348623157e+308,-1.7976931348623157e+308]}", []),
    ("[\"\\ud83d!\",\"\\uDE00\",\"\\\\ud83d\",\"\\ud83d\\ude00\"]", "[\"�!\",\"�\",\"\\\\ud83d\",\"😀\"]", []),
    ("[\"\\ud83d\\ud83d\\ude00\"]", "[\"�😀\"]", []),
  ])
  func `what others write is read`(text: String, same: String, deviations: [ForeignJSON.Deviation]) throws {
    let read = try read(text)
    #expect(read.value.text == same)
    #expect(read.deviations == deviations)
  }

  @Test func `bytes that are not UTF-8 become replacement characters`() throws {
    let read = try ForeignJSON([0x5B, 0x22, 0xE4, 0x22, 0x5D])
    #expect(read.value == ["\u{FFFD}"])
    #expect(read.deviations == [.notUTF8])
  }

  @Test(arguments: [
    "", "01", "1.", "--1", "+1", "+99999999999999999999", "[\"\\ud8\"]", "[,]", "{,}", "[1,,]", "[,1]",
    "{\"a\":,}", "[1,", ",", "[1],", "[1]]", "{a:1}", "['a']",
  ])
  func `what is no JSON at all stays refused`(text: String) {
    #expect(throws: JSONError.self) { try read(text) }
  }

  @Test(arguments: ["\u{FEFF}{\"a\":1}", "{\"a\":1,\"a\":2}", "{\"a\":1,}", "[1,]"])
  func `our own parser is as strict as before`(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test(arguments: [
    ("[\"a\\ud83d\"]", "[\"a\u{FFFD}\"]"), ("{\"n\":9223372036854775808}", "{\"n\":9223372036854775808.0}"),
    ("[1,2]", "[1,2]"),
  ])
  func `what JavaScript writes and Jansson refuses is read`(text: String, same: String) throws {
    #expect(try JSON(fromBrowser: text) == JSON(parsing: same))
  }

  @Test(arguments: [
    "\u{FEFF}{\"a\":1}", "{\"a\":1,\"a\":2}", "[1,]", "[\"\\ud83d\",]", "[\"\\ud8\"]", "[1e999999999]",
    "[\(String(repeating: "9", count: 400))]", "[9223372036854775808,-1e400]",
  ])
  func `all else is refused as by our own parser`(text: String) {
    #expect(throws: JSONError.self) { try JSON(fromBrowser: text) }
  }

  @Test func `values are bounded here too`() {
    let text = "[" + String(repeating: "{},", count: 100) + "]"
    #expect(throws: JSONError.self) { try ForeignJSON(Array(text.utf8), values: 50) }
  }
}
