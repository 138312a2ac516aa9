import Foundation
import Notifications
import Sealed
import Testing
import Wire

struct SealedTests {
  @Test func `of several lengths the box tells nothing, and no two are alike`() throws {
    let key = PrivateKey()
    let boxes = try ["a", "a", "a much longer text that says where we meet"].map { text in
      try SealedContent.seal(["title": .string(text)], with: key)["sealed"]?["box"]?.string ?? ""
    }
    #expect(Set(boxes).count == 3 && Set(boxes.map(\.utf8.count)).count == 1)
  }

  @Test func `the longest is accepted by the rules, and one byte more is refused`() throws {
    let key = PrivateKey()
    let empty = JSON.object([.init("body", "")]).bytes.count
    let longest = String(repeating: "x", count: SealedLimits.contentBytes - empty)
    let sealed = try SealedContent.seal(["body": .string(longest)], with: key)
    #expect((try? checkContent(sealed.bytes).get()) != nil)
    let refusal = #expect(throws: SealedError.self) {
      try SealedContent.seal(["body": .string(longest + "x")], with: key)
    }
    #expect(refusal?.message.contains("\(SealedLimits.contentBytes)") == true)
  }

  @Test func `a new key takes the place of the current one, and the older one still opens`() throws {
    let (first, second) = (PrivateKey(), PrivateKey())
    var ring = KeyRing()
    #expect(ring.current == nil)
    try ring.add(first)
    let sealed = try SealedContent.seal(["title": "Open"], with: first)
    try ring.add(second)
    #expect(ring.current == second && ring.states.map(\.state) == [.current, .older])
    #expect(SealedContent.open(sealed, with: ring) == .opened(["title": "Open"]))
    ring.forget(first.id)
    #expect(SealedContent.open(sealed, with: ring) == .notOpened)
    try ring.add(first)
    #expect(ring.current == first && SealedContent.open(sealed, with: ring) == .opened(["title": "Open"]))
    #expect(try KeyRing(ring.json) == ring)
  }

  @Test func `a revoked key opens nothing, is no sender's any more, and does not come back`() throws {
    let key = PrivateKey()
    var ring = KeyRing()
    try ring.add(key)
    let sealed = try SealedContent.seal(["title": "Open"], with: key)
    ring.revoke(key.id)
    #expect(ring.current == nil && SealedContent.open(sealed, with: ring) == .notOpened)
    #expect(throws: SealedError.self) { try ring.add(key) }
    #expect(ring.states.map(\.state) == [.revoked])
    #expect(try KeyRing(ring.json) == ring)
    #expect(!ring.json.text.contains(key.text))
  }

  @Test func `there is an end to keys`() throws {
    var ring = KeyRing()
    for _ in 0..<SealedLimits.keys { try ring.add(PrivateKey()) }
    #expect(throws: SealedError.self) { try ring.add(PrivateKey()) }
    for number in 0..<SealedLimits.revoked + 5 { ring.revoke("\(number)") }
    #expect(ring.revoked.count == SealedLimits.revoked)
    #expect(ring.json.bytes.count <= SealedLimits.ringBytes)
  }

  @Test func `only its owner reads a file of keys`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = KeyFile("\(folder)/keys.json")
    #expect(try file.read() == KeyRing())
    let key = PrivateKey()
    try file.change { ring throws(SealedError) in try ring.add(key) }
    #expect(try file.read().current == key)
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }
    #expect(try mode() == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let refusal = #expect(throws: SealedError.self) { try file.read() }
    #expect(refusal?.message.contains("640") == true)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    for wrong in ["", "[]", "{}", "{\"v\":1,\"keys\":[{\"id\":\"0\",\"key\":\"\(key.text)\"}],\"revoked\":[]}"] {
      try Data(wrong.utf8).write(to: URL(filePath: file.path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
      let fault = #expect(throws: SealedError.self) { try file.read() }
      #expect(fault?.message.contains(key.text) == false, "no key in a message")
    }
  }
}
