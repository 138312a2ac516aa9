import Objects
import Testing
import Wire

struct IndexKeyTests {
  @Test func `keys are in order as values are`() throws {
    let values: [JSON] = [
      .null, .double(-.greatestFiniteMagnitude), .int(.min), -1, .double(-0.5), 0, .double(0.5), 1,
      .int((1 << 53) - 1), .int(1 << 53), .int((1 << 53) + 1), .int((1 << 53) + 2), .int(.max - 1), .int(.max),
      .double(1e300), "", "a", "ab", "b", "ä", StoredObject.pointer(to: "x", of: "A"),
      StoredObject.pointer(to: "a", of: "AB"), false, true, ObjectDate.json(-1), ObjectDate.json(0), ObjectDate.json(1),
    ]
    let keys = try values.map { try #require(IndexKey.bytes($0)) }
    for (index, key) in keys.enumerated().dropFirst() {
      #expect(keys[index - 1].lexicographicallyPrecedes(key), "\(values[index - 1]) is before \(values[index])")
    }
  }

  @Test func `a number has one key, however it is written`() {
    #expect(IndexKey.bytes(1) == IndexKey.bytes(.double(1)))
    #expect(IndexKey.bytes(0) == IndexKey.bytes(.double(-0.0)))
    #expect(IndexKey.bytes([1]) == nil && IndexKey.bytes(["a": 1]) == nil)
  }
}
