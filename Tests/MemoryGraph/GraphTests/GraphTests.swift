import Capture
import Graph
import Testing

struct TypeNameTests {
  @Test(arguments: [
    ("Victim.DummyObject", "Victim.DummyObject"),
    ("Victim.(Node in _8F3A12BC)", "Victim.Node"),
    ("Victim.(Node in $55d0c0ff)", "Victim.Node"),
    ("Swift.Array<Victim.(Node in _8F3A)>", "Array<Victim.Node>"),
    (
      "Swift.Dictionary<Swift.String, (Swift.Int, Victim.(A in _1).(B in _2))>", "Dictionary<String, (Int, Victim.A.B)>"
    ),
    ("(Swift.Int, Swift.Int) -> ()", "(Int, Int) -> ()"),
    ("MySwift.Thing", "MySwift.Thing"),
  ])
  func `names are told as their authors write them`(name: String, expected: String) {
    #expect(TypeNames.short(name) == expected)
  }

  @Test func `own types are those of no module that comes with Swift`() {
    for (name, isOwn) in [
      ("Victim.Node", true), ("Victim.Box<Swift.Int>", true), ("Foundation.Thread", false),
      ("Dictionary<String, Victim.Entry> storage", false), ("Array<Victim.Page> storage", false),
    ] {
      #expect(BlockType(name).isOwn == isOwn, "\(name)")
    }
  }
}

struct PrintableTests {
  @Test(arguments: [
    ("Victim.Größe", "Victim.Größe"), ("\u{1B}[2J", "\u{FFFD}[2J"), ("a\r\nb\u{7F}", "a\u{FFFD}\u{FFFD}b\u{FFFD}"),
    ("\u{9B}31m", "\u{FFFD}31m"), ("abc\u{202E}def", "abc\u{FFFD}def"),
  ])
  func `nothing that a terminal obeys is left in a name`(name: String, expected: String) {
    #expect(printable(name) == expected)
  }
}

struct RootNameTests {
  @Test(arguments: [
    ("$s6Victim10controllerAA14ViewControllerCvp", "Victim.controller"),
    ("$s6Victim8ControlsO4keptSayyXlGvpZ", "Victim.Controls.kept"),
    ("environ", "environ"), ("$sSS", "$sSS"), ("$s9", "$s9"),
    ("$s9223372036854775807a", "$s9223372036854775807a"),
  ])
  func `variables are told as they are written`(symbol: String, expected: String) {
    #expect(RootNames.readable(symbol) == expected)
  }
}

struct BlockTypeTests {
  private let type = BlockType(
    "App.Type",
    fields: [
      BlockType.Field("count", offset: 16, isReference: false), BlockType.Field("delegate", offset: 24),
      BlockType.Field("parent", offset: 40, kind: .weak),
    ])

  @Test func `a place is told by the field it lies in`() {
    #expect(type.label(at: 24) == "delegate")
    // The second word of an existential belongs to it.
    #expect(type.label(at: 32) == "delegate")
    #expect(type.label(at: 8) == "+8")
  }

  @Test func `only what Swift counts makes a cycle`() {
    #expect(!type.isReference(at: 16))
    #expect(type.isReference(at: 24))
    #expect(!type.isReference(at: 40))
  }

  @Test func `elements are told by their numbers, and by their fields`() {
    let plain = BlockType("Array<App.Page> storage", elements: (32, 8))
    #expect(plain.label(at: 32) == "[0]")
    #expect(plain.label(at: 56) == "[3]")
    let structures = BlockType(
      "Array<App.Item> storage", fields: [BlockType.Field("owner", offset: 8)], elements: (32, 24))
    #expect(structures.label(at: 32 + 3 * 24 + 8) == "[3].owner")
  }
}

struct MappingTests {
  @Test func `lines of maps are read, with spaces in their paths, and strange ones left out`() {
    let found = Mapping.parse(
      """
      55d0c0000000-55d0c0010000 r-xp 00002000 fe:00 1234                       /opt/a program (deleted)
      7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]
      7f0000000000-7f0000001000 rw-p 00000000 00:00 0
      nonsense
      """)
    #expect(found.map(\.path) == ["/opt/a program (deleted)", "[stack]", ""])
    #expect(found[0].isExecutable && !found[0].isWritable && found[0].fileOffset == 0x2000)
    #expect(found[2].isAnonymous && found[2].size == 4096)
  }
}
