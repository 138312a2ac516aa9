import Crypto
import Foundation
import Sealed
import Testing
import Wire

/// Tests/Fixtures/sealed/vectors.json was made by another implementation (Tests/World/seal.py); the pages' one answers
/// the same vectors (Tests/Web/sealed.test.mjs).
struct VectorTests {
  private let vectors: JSON

  init() throws {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let data = try Data(contentsOf: root.appending(path: "Tests/Fixtures/sealed/vectors.json"))
    vectors = try JSON(parsing: Array(data))
  }

  private func bytes(_ json: JSON?) throws -> [UInt8] {
    let text = try #require(json?.string)
    return try #require(Digest.bytes(base64URL: text))
  }

  private func key(_ json: JSON?) throws -> PrivateKey {
    let bytes = try bytes(json)
    return try #require(PrivateKey(bytes: bytes))
  }

  @Test func `keys have their ids, proofs and links`() throws {
    for one in try #require(vectors["keys"]?.array) {
      let key = try key(one["key"])
      #expect(key.id == one["id"]?.string)
      #expect(Digest.base64URL(key.proof) == one["proof"]?.string)
      #expect(key.link(on: "https://hub.example") == one["link"]?.string)
      #expect(PrivateKey(one["link"]?.string ?? "") == key && PrivateKey(key.text) == key)
    }
    for wrong in ["", "https://hub.example/bells", "https://hub.example/bells#key=", "#key=abc", "x y"] {
      #expect(PrivateKey(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `contents are sealed byte by byte, and opened`() throws {
    let (salt, nonce) = (try bytes(vectors["salt"]), try bytes(vectors["nonce"]))
    for one in try #require(vectors["contents"]?.array) {
      let (name, key) = (one["name"]?.string ?? "", try key(one["key"]))
      let content = try #require(one["content"])
      let sealed = try SealedContent.seal(content, fallback: one["fallback"]?.string, with: key) { count in
        count == 16 ? salt : nonce
      }
      #expect(sealed == one["sealed"], "\(name): \(sealed.text)")
      var ring = KeyRing()
      try ring.add(key)
      #expect(SealedContent.open(sealed, with: ring) == .opened(one["opened"] ?? .null), "\(name)")
      #expect(SealedContent.open(sealed, with: KeyRing()) == .notOpened)
      #expect(SealedContent.open(content, with: ring) == .clear)
    }
  }

  @Test func `what was changed on its way is not opened`() throws {
    var ring = KeyRing()
    for one in try #require(vectors["keys"]?.array) { try ring.add(try key(one["key"])) }
    for one in try #require(vectors["not_opened"]?.array) {
      let opening = SealedContent.open(one["sealed"] ?? .null, with: ring)
      #expect(opening == .notOpened, "\(one["name"]?.string ?? "")")
    }
  }

  @Test func `files are sealed byte by byte, and opened`() throws {
    for one in try #require(vectors["files"]?.array) {
      let size = try #require(one["size"]?.int)
      let (key, nonce) = (try bytes(one["key"]), try bytes(one["nonce"]))
      let file = (0..<size).map { UInt8($0 % 251) }
      let sealed = try SealedFile(sealing: file) { $0 == 32 ? key : nonce }
      #expect(Digest.hex(Digest.sha256(sealed.bytes)) == one["sha256"]?.string, "\(size)")
      let entry = JSON.object(sealed.members(type: "image/png"))
      #expect(SealedFile.open(sealed.bytes, entry) == file)
      for place in [0, 24, 25, 40, sealed.bytes.count - 1] {
        var changed = sealed.bytes
        changed[place] ^= 1
        #expect(SealedFile.open(changed, entry) == nil, "\(place)")
      }
      #expect(SealedFile.open(Array(sealed.bytes.dropLast()), entry) == nil)
      #expect(SealedFile.open(sealed.bytes, ["key": .string(Digest.base64URL(key)), "size": 1_000_000]) == nil)
    }
    #expect(throws: SealedError.self) {
      try SealedFile(sealing: [UInt8](repeating: 0, count: SealedLimits.fileBytes + 1))
    }
  }
}
