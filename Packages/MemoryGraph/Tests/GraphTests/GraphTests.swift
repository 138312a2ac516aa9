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
    ("MySwift.Thing", "MySwift.Thing"), ("App.Store<Swift.Int>.Item<>", "App.Store<Int>.Item"),
    ("Victim.(unknown context at $5627e5e5975c).Local", "Victim.Local"),
    ("Swift.Array<Victim.(unknown context at $56).(Local in $57)>", "Array<Victim.Local>"),
    ("Work #1 in static Victim.Heaps.run(thenWait: Swift.Bool, _: () -> ()) -> ()", "Victim.Heaps.run.Work"),
    ("<> { var Swift.Int } <>", "var Int"), ("<τ_0_0> { var τ_0_0 } <Swift.Int>", "var τ_0_0"),
  ])
  func `names are told as their authors write them`(name: String, expected: String) {
    #expect(TypeNames.short(name) == expected)
  }

  @Test func `own types are those of no module that comes with Swift`() {
    for (name, isOwn) in [
      ("FoundationNetworking.URLSession", false),
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

struct SymbolNameTests {
  @Test(arguments: [
    ("$s6Victim10controllerAA14ViewControllerCvp", "Victim.controller"),
    ("$s6Victim8ControlsO4keptSayyXlGvpZ", "Victim.Controls.kept"),
    // Repeated words and modules are abbreviated in mangled names.
    ("$s11chat_server0B0AA3AppCvp", "chat_server.server"), ("$s11chat_server0A0AA4ChatCvp", "chat_server.chat"),
    ("$s3App2pc33_7F2EF2DB17428177D06A2E945DB8BF36LLAA2PCACLLVvp", "App.pc"),
    ("$s3App1fyyF1SL_V5innerSays4Int8VGvpZ", "App.f.S.inner"),
    ("$s3App1fyyF1SL_V3ownADSgvpZ", "App.f.S.own"), ("$s3App1fyyF1SL_V1TV1tSaySiGvpZ", "App.f.S.T.t"),
    ("$s3App1KC1myySaySiGFyycfU_1ML_O1qAEvpZ", "App.K.m.M.q"), ("$sSS3AppE4mineSaySiGvpZ", "String.mine"),
    ("$ss13ManagedBufferCMI", "type metadata instantiation cache for ManagedBuffer"),
    ("_ZL21InitialAllocationPool", "InitialAllocationPool"), ("environ", "environ"), ("$s9", "$s9"),
    ("$s9223372036854775807a", "$s9223372036854775807a"),
  ])
  func `variables are told as they are written`(symbol: String, expected: String) {
    #expect(SymbolNames.variable(symbol) == expected)
  }

  @Test(arguments: [("_ZTVN6icu_766BMPSetE", "icu_76::BMPSet"), ("_dispatch_queue_vtable", "_dispatch_queue_vtable")])
  func `types of other languages are told as they are written`(symbol: String, expected: String) {
    #expect(SymbolNames.type(symbol) == expected)
  }
}

struct TypeSearchTests {
  private func names(_ word: String, among types: [String]) -> [String] {
    var graph = ObjectGraph()
    graph.types = types.map { BlockType($0) }
    graph.typeOf = types.indices.map { UInt32($0) }
    return graph.types(named: word).map(\.name)
  }

  @Test func `a type is found by any part of its name that is its alone`() {
    let types = [
      "App.Node<Int>", "App.Holder<App.Chat>", "App.Holder<Int>", "App.Tree.Leaf", "App.Leaf", "task (suspended)",
    ]
    #expect(names("Node", among: types) == ["App.Node<Int>"])
    #expect(names("Holder<Chat>", among: types) == ["App.Holder<App.Chat>"])
    #expect(names("Leaf", among: types) == ["App.Leaf"])
    #expect(names("Tree.Leaf", among: types) == ["App.Tree.Leaf"])
    #expect(names("task", among: types) == ["task (suspended)"])
    #expect(names("Holder", among: types) == ["App.Holder<App.Chat>", "App.Holder<Int>"])
    #expect(names("older", among: types) == [])
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

  @Test func `behind an object's end there is no field, but a buffer's own storage`() {
    let fields = [BlockType.Field("next", offset: 16)]
    let object = BlockType("App.Type", fields: fields, size: 24)
    #expect(object.label(at: 16) == "next" && object.isReference(at: 16))
    #expect(object.label(at: 24) == "+24" && !object.isReference(at: 24))
    let buffer = BlockType("App.Shelf", fields: fields, superclasses: ["ManagedBuffer<Int, App.Book>"], size: 24)
    #expect(buffer.label(at: 24) == "[…]" && buffer.isReference(at: 24))
  }

  @Test func `elements are told by their numbers, and by their fields`() {
    let plain = BlockType(
      "Array<App.Page> storage", elements: [.init(first: 32, stride: 8, fields: [BlockType.Field("", offset: 0)])])
    #expect(plain.label(at: 32) == "[0]")
    #expect(plain.label(at: 56) == "[3]")
    #expect(plain.isReference(at: 56))
    let structures = BlockType(
      "Array<App.Item> storage",
      elements: [
        .init(
          first: 32, stride: 24,
          fields: [
            BlockType.Field("weight", offset: 0, isReference: false), BlockType.Field("owner", offset: 8),
            BlockType.Field("parent", offset: 16, kind: .unowned),
          ])
      ])
    #expect(structures.label(at: 32 + 3 * 24 + 8) == "[3].owner")
    #expect(structures.pattern(at: 32 + 3 * 24 + 8) == "[…].owner")
    #expect(structures.isReference(at: 32 + 8) && !structures.isReference(at: 32) && !structures.isReference(at: 48))
  }

  @Test func `what is in a dictionary is told by its bucket, and by its key where that is known`() {
    var graph = ObjectGraph()
    graph.types = [
      BlockType(
        "Dictionary<String, App.Item> storage", fields: [BlockType.Field("_rawValues", offset: 56, isReference: false)],
        size: 64,
        elements: [
          .init(.key, first: 72, stride: 16, count: 4),
          .init(.value, first: 136, stride: 24, count: 4, fields: [BlockType.Field("owner", offset: 8)]),
        ])
    ]
    graph.addresses = [0x10000]
    graph.words = [29]
    graph.typeOf = [0]
    #expect(graph.label(of: 0, at: 56) == "_rawValues")
    #expect(graph.label(of: 0, at: 136 + 24 * 2 + 8) == "[bucket 2].value.owner")
    #expect(graph.label(of: 0, at: 136 + 24 * 4) == "[…]")
    graph.values = [0: [Value(offset: 72 + 2 * 16, kind: .text, text: "key")]]
    #expect(graph.label(of: 0, at: 136 + 24 * 2 + 8) == "[\"key\"].owner")
    #expect(graph.label(of: 0, at: 72 + 2 * 16) == "[\"key\"].key")
    #expect(graph.label(of: 0, at: 136 + 8) == "[bucket 0].value.owner")
  }

  @Test func `nothing that a damaged type says of its elements traps`() {
    for (first, stride, count) in [(0, 0, 0), (-8, 8, 1), (.max, .max, .max), (0, -8, 4)] {
      let type = BlockType("damaged", elements: [.init(first: first, stride: stride, count: count)])
      for offset in [0, 8, 1 << 32] { #expect(!type.label(at: offset).isEmpty) }
    }
  }
}

struct ScalarTests {
  private func read(_ type: String, _ bytes: [UInt8]) -> Scalar.Reading? {
    guard let scalar = Scalar(typeName: type) else { return nil }
    #expect(scalar.size == bytes.count, "\(type)")
    return scalar.read(bytes)
  }

  @Test(
    arguments: [
      ("Int", [0xFE, 255, 255, 255, 255, 255, 255, 255], "-2"), ("Int8", [0x80], "-128"), ("UInt8", [0x80], "128"),
      ("Int16", [0xFF, 0x7F], "32767"), ("UInt32", [0, 0, 0, 0x80], "2147483648"),
      ("UInt", [255, 255, 255, 255, 255, 255, 255, 255], "18446744073709551615"),
      ("Double", [0, 0, 0, 0, 0, 0, 4, 64], "2.5"), ("Float", [0, 0, 0x20, 0x40], "2.5"), ("Bool", [1], "true"),
      ("Optional<Bool>", [2], "nil"), ("Optional<Int16>", [7, 0, 0], "7"), ("Optional<Int16>", [7, 0, 1], "nil"),
      ("Optional<String>", [UInt8](repeating: 0, count: 16), "nil"),
    ] as [(String, [UInt8], String)])
  func `numbers of all widths are read`(type: String, bytes: [UInt8], text: String) {
    #expect(read(type, bytes) == .number(text))
  }

  @Test func `strings of all forms are read, and no others`() {
    let small = withUnsafeBytes(of: "Größe") { Array($0) }
    #expect(read("String", small) == .text(Array("Größe".utf8), isWhole: true))
    let literal = withUnsafeBytes(of: "a text that stands in the program") { Array($0) }
    guard case .stored(_, 33) = read("String", literal) else {
      Issue.record("a literal's text is stored elsewhere")
      return
    }
    #expect(read("String", [UInt8](repeating: 0, count: 16)) == nil)
    #expect(Scalar(typeName: "Victim.Int") == nil && Scalar(typeName: "Array<Int>") == nil)
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
