import Objects
import Testing
import Wire

struct FieldRulesTests {
  private func code(_ rules: JSON, _ type: FieldType, _ value: JSON) -> Int? {
    do throws(ObjectError) {
      try FieldRules(rules, field: "f", type: type).check(value, field: "f")
      return nil
    } catch {
      return error.code
    }
  }

  static let values: [(JSON, FieldType, JSON, Bool)] = [
    (["min": 1, "max": 3], .number, 1, true), (["min": 1, "max": 3], .number, 3.0, true),
    (["min": 1, "max": 3], .number, 0.9, false), (["min": 1, "max": 3], .number, 4, false),
    (["minLength": 2, "maxLength": 3], .string, "äö", true), (["minLength": 2, "maxLength": 3], .string, "a", false),
    (["minLength": 2, "maxLength": 3], .string, "abcd", false), (["maxLength": 1], .array, [1, 2], false),
    (["oneOf": ["red", "blue"]], .string, "red", true), (["oneOf": ["red", "blue"]], .string, "Red", false),
    (["dictionary": "german"], .string, "Segelboot", true), (["dictionary": "german"], .string, "häuser", true),
    (["dictionary": "german"], .string, "Segelbot", false), (["dictionary": "german"], .string, "", false),
    (["dictionary": "english"], .string, "ANCHOR", true), (["dictionary": "english"], .string, "Anker", false),
    (["pattern": "^[a-z]+$"], .string, "abc", true), (["pattern": "^[a-z]+$"], .string, "ab1", false),
    ([:], .string, "anything", true),
  ]

  @Test(arguments: values)
  func `a value that breaks a rule is refused`(rules: JSON, type: FieldType, value: JSON, isRight: Bool) {
    #expect(code(rules, type, value) == (isRight ? nil : 142))
  }

  @Test(
    arguments: [
      (["min": "1"], .number), (["min": 1], .string), (["maxLength": 3], .number), (["dictionary": "latin"], .string),
      (["dictionary": "german"], .number), (["oneOf": []], .string), (["color": "red"], .string), ("red", .string),
      (["pattern": "("], .string), (["min": 3, "max": 1], .number), (["minLength": -1], .string),
    ] as [(JSON, FieldType)])
  func `a rule that makes no sense is refused with the schema`(rules: JSON, type: FieldType) {
    #expect(code(rules, type, "x") == 255)
  }

  @Test func `rules are read again as they were written`() throws {
    let rules: JSON = ["min": 1, "max": 2.5]
    #expect(try FieldRules(rules, field: "f", type: .number).json == rules)
    let schema: JSON = ["type": "String", "rules": ["minLength": 2, "oneOf": ["ab"], "dictionary": "english"]]
    #expect(try ClassSchema.Field(schema, named: "f").json == schema)
  }
}
