import Testing
import Uploads
import Wire

/// A request as a row: its method, fields and framing.
struct UploadRequestTests {
  static let offer = UploadOffer(maxSize: 1_000)

  static func head(
    _ method: Wire.Method, _ fields: KeyValuePairs<String, String>, _ framing: BodyFraming = .none
  ) -> RequestHead {
    RequestHead(method: method, target: "/", fields: Fields(fields), framing: framing)
  }

  static func read(
    _ method: Wire.Method, _ fields: KeyValuePairs<String, String>, _ framing: BodyFraming = .none,
    on upload: Bool = true
  ) throws(UploadRefusal) -> UploadRequest {
    try UploadRequest(head(method, fields, framing), isOnUpload: upload, offer: offer)
  }

  /// The status and the fields of a refusal.
  static func refusal(
    _ method: Wire.Method, _ fields: KeyValuePairs<String, String>, _ framing: BodyFraming = .none,
    on upload: Bool = true
  ) -> UploadRefusal? {
    do throws(UploadRefusal) {
      _ = try read(method, fields, framing, on: upload)
      return nil
    } catch {
      return error
    }
  }

  // MARK: OPTIONS, version

  @Test func `OPTIONS needs no version, and tells what is offered`() throws {
    for upload in [false, true] { #expect(try Self.read(.options, [:], on: upload) == .options) }
    let answer = UploadAnswer.options(Self.offer)
    #expect(answer.status == 204)
    #expect(
      answer.fields.map { "\($0.name): \($0.value)" } == [
        "Tus-Resumable: 1.0.0", "Tus-Version: 1.0.0",
        "Tus-Extension: creation,creation-with-upload,checksum,expiration,termination", "Tus-Max-Size: 1000",
        "Tus-Checksum-Algorithm: sha1,sha256",
      ])
  }

  @Test(arguments: [nil, "0.2.2", "1.0.0, 1.0.0"]) func `another version is refused`(version: String?) {
    for method in [Wire.Method.post, .head, .patch, .delete] {
      let fields: KeyValuePairs = ["Tus-Resumable": version ?? ""]
      let refusal = Self.refusal(method, version == nil ? [:] : fields, on: method != .post)
      #expect(refusal?.status == 412)
      #expect(refusal?.fields.contains(UploadField("Tus-Version", "1.0.0")) == true)
    }
  }

  // MARK: POST

  @Test func `POST makes an upload, with or without its first bytes`() throws {
    let empty = try Self.read(.post, ["tus-resumable": "1.0.0", "upload-length": "1000"], on: false)
    #expect(empty == .create(UploadCreation(length: 1_000, metadata: UploadMetadata(), part: nil)))
    let filled = try Self.read(
      .post,
      [
        "Tus-Resumable": "1.0.0", "Upload-Length": "10", "Content-Type": "application/offset+octet-stream",
        "Upload-Metadata": "filename d29ybGQ=",
      ], .length(4), on: false)
    guard case .create(let creation) = filled else { throw UploadRefusal.gone }
    #expect(creation.part == UploadPart(offset: 0, count: 4, checksum: nil))
    #expect(creation.metadata["filename"] == "world")
  }

  @Test(
    arguments: [
      ([:], 400), (["Upload-Length": "-1"], 400), (["Upload-Length": "1e3"], 400), (["Upload-Length": "+1"], 400),
      (["Upload-Length": ""], 400), (["Upload-Length": "0"], 400), (["Upload-Length": "1001"], 413),
      (["Upload-Length": "999999999999999999"], 413), (["Upload-Length": "9999999999999999999999"], 400),
      (["Upload-Defer-Length": "1"], 400), (["Upload-Length": "1", "Upload-Defer-Length": "1"], 400),
      (["Upload-Length": "1", "Upload-Concat": "partial"], 400),
      (["Upload-Length": "1", "Upload-Metadata": "a ä"], 400),
    ] as [([String: String], Int)]) func `POST is refused`(fields: [String: String], status: Int)
  {
    let all = fields.merging(["Tus-Resumable": "1.0.0"]) { one, _ in one }
    let refusal = UploadRequestTests.refusal(all)
    #expect(refusal?.status == status)
  }

  private static func refusal(_ fields: [String: String]) -> UploadRefusal? {
    var made = Fields()
    // A field at a time, since the initializer takes a literal.
    for (name, value) in fields { made = appending(name, value, to: made) }
    do throws(UploadRefusal) {
      _ = try UploadRequest(
        RequestHead(method: .post, target: "/", fields: made), isOnUpload: false, offer: offer)
      return nil
    } catch {
      return error
    }
  }

  private static func appending(_ name: String, _ value: String, to fields: Fields) -> Fields {
    switch name {
    case "Tus-Resumable": fields.replacing("tus-resumable", with: value)
    case "Upload-Length": fields.replacing("upload-length", with: value)
    case "Upload-Defer-Length": fields.replacing("upload-defer-length", with: value)
    case "Upload-Concat": fields.replacing("upload-concat", with: value)
    default: fields.replacing("upload-metadata", with: value)
    }
  }

  @Test func `a POST's body must be announced, and fit`() {
    let length: KeyValuePairs = ["Tus-Resumable": "1.0.0", "Upload-Length": "3"]
    #expect(Self.refusal(.post, length, .length(3), on: false)?.status == 415)
    let typed: KeyValuePairs = [
      "Tus-Resumable": "1.0.0", "Upload-Length": "3", "Content-Type": "application/offset+octet-stream",
    ]
    #expect(Self.refusal(.post, typed, .length(4), on: false)?.status == 413)
    #expect(Self.refusal(.post, typed, .chunked, on: false) == nil)
  }

  @Test func `the answer to POST says where, and how much came along`() {
    let answer = UploadAnswer.created(location: "/a/1", offset: 4, expires: 1_795_000_000)
    #expect(answer.status == 201)
    #expect(
      answer.fields.map { "\($0.name): \($0.value)" } == [
        "Tus-Resumable: 1.0.0", "Location: /a/1", "Upload-Offset: 4", "Upload-Expires: Wed, 18 Nov 2026 11:06:40 GMT",
      ])
    #expect(UploadAnswer.created(location: "/", offset: nil, expires: nil).fields.count == 2)
  }

  // MARK: HEAD, DELETE

  @Test func `HEAD tells offset, length, expiry and metadata`() throws {
    #expect(try Self.read(.head, ["Tus-Resumable": "1.0.0"]) == .state)
    let metadata = try UploadMetadata("filename d29ybGQ=")
    let answer = UploadAnswer.state(offset: 3, length: 10, expires: 0, metadata: metadata)
    #expect(
      answer.fields.map(\.name) == [
        "Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Expires", "Upload-Metadata",
      ])
  }

  @Test func `DELETE gives an upload up, also as the POST of a client that knows no other method`() throws {
    #expect(try Self.read(.delete, ["Tus-Resumable": "1.0.0"]) == .terminate)
    #expect(
      try Self.read(.post, ["Tus-Resumable": "1.0.0", "X-HTTP-Method-Override": "DELETE"]) == .terminate)
    #expect(Self.refusal(.post, ["Tus-Resumable": "1.0.0"])?.status == 400)
    #expect(Self.refusal(.delete, ["Tus-Resumable": "1.0.0"], on: false)?.status == 400)
  }

  // MARK: PATCH

  static let typed: KeyValuePairs = [
    "Tus-Resumable": "1.0.0", "Upload-Offset": "7", "Content-Type": "application/offset+octet-stream",
  ]

  @Test func `PATCH adds bytes at an offset`() throws {
    let part = UploadPart(offset: 7, count: 3, checksum: nil)
    #expect(try Self.read(.patch, Self.typed, .length(3)) == .append(part))
    #expect(try Self.read(.patch, Self.typed) == .append(UploadPart(offset: 7, count: 0, checksum: nil)))
    #expect(Self.refusal(.patch, ["Tus-Resumable": "1.0.0", "Upload-Offset": "7"], .length(3))?.status == 415)
    #expect(
      Self.refusal(
        .patch, ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"], .length(3))?.status
        == 400)
  }

  @Test(arguments: [(7, 10, nil), (6, 10, 409), (8, 10, 409), (7, 9, 413), (7, 7, 413)] as [(Int, Int, Int?)])
  func `a part belongs where the last one ended, and fits`(received: Int, length: Int, status: Int?) {
    let part = UploadPart(offset: 7, count: 3, checksum: nil)
    do throws(UploadRefusal) {
      try part.demandPlace(after: received, of: length)
      #expect(status == nil)
    } catch {
      #expect(error.status == status)
      if status == 409 { #expect(error.fields.contains(UploadField("Upload-Offset", "\(received)"))) }
    }
  }

  @Test(arguments: [
    ("sha1 qvTGHdzF6KLavt4PO0gs2a6pQ00=", true), ("sha256 LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", true),
    ("sha1 LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", false), ("md5 XUFAKrxLKna5cZ2REBfFkg==", false),
    ("sha1", false), ("sha1 %", false), ("", false), ("sha1 qvTGHdzF6KLavt4PO0gs2a6pQ00= x", false),
  ]) func `a checksum is SHA-1 or SHA-256 of the right length`(text: String, isAccepted: Bool) throws {
    let fields: KeyValuePairs = [
      "Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream",
      "Upload-Checksum": text,
    ]
    #expect(Self.refusal(.patch, fields, .length(5))?.status == (isAccepted ? nil : 400))
  }

  // MARK: Metadata

  @Test func `metadata are keys with values, some without`() throws {
    let metadata = try UploadMetadata("filename d29ybGQ=, is_draft,empty ,bytes /w==")
    #expect(metadata.values == ["filename": Array("world".utf8), "is_draft": [], "empty": [], "bytes": [255]])
    #expect(metadata["filename"] == "world" && metadata["is_draft"] == nil && metadata["bytes"] == nil)
    #expect(try UploadMetadata("").values.isEmpty)
  }

  @Test(arguments: [
    ",", "a,", "a b c", "a %%%", "a YQ==,a YQ==", String(repeating: "k", count: 65), "schl\u{fc}ssel YQ==",
    (0..<17).map { "k\($0)" }.joined(separator: ","), "k " + String(repeating: "A", count: 4_096),
  ]) func `malformed metadata are refused`(text: String) {
    #expect(throws: UploadRefusal.self) { try UploadMetadata(text) }
  }
}
