import Client
import Crypto
import EventLoop
public import Lifecycle
public import Store
import Wire

/// A bucket of an object store that speaks S3's protocol. Files flow to it and from it through a loop of its own, so
/// that a slow disk holds up no page.
public final class Bucket: BlobBucket {
  private let address: BucketAddress
  private let environment: [String: String]
  private let time: any TimeSource
  private let loop: EventLoop
  private let client: HTTPClient
  public var shown: String { address.text }

  /// - Parameter environment: the variables in which the keys are, unless the address names a file.
  public init(_ address: BucketAddress, environment: [String: String], time: any TimeSource) {
    self.address = address
    self.environment = environment
    self.time = time
    loop = EventLoop(time: time)
    client = HTTPClient(loop: loop, userAgent: "Eightbells", addresses: .anywhere)
    loop.runInBackground(name: "objects")
  }

  deinit { loop.stop() }

  /// By the keys as they are now: they may be others than a moment ago.
  /// - Throws: `.bucket` if there are none.
  private func signature() throws(StoreError) -> RequestSignature {
    RequestSignature(credentials: try Credentials.find(address, environment: environment), region: address.region)
  }

  /// - Throws: `.bucket` if there are no keys.
  public func demandKeys() throws(StoreError) { _ = try signature() }

  // MARK: BlobBucket

  private static let note = "eightbells"

  public func note() async throws(StoreError) -> String? {
    let answer = try await ask("GET", Self.note, "read", seconds: ObjectStoreLimits.lookSeconds)
    return answer.status == 404 ? nil : String(decoding: answer.body, as: UTF8.self)
  }

  public func write(note: String) async throws(StoreError) {
    _ = try await ask("PUT", Self.note, "write", body: Array(note.utf8))
  }

  public func put(_ name: String, file: String, size: Int, digest: BlobDigest) async throws(StoreError) {
    _ = try await ask("PUT", Self.place(name), "keep a blob", payload: digest.hex, size: size) { $0.bodyFile = file }
  }

  public func get(_ name: String, to file: String, size: Int) async throws(StoreError) -> Bool {
    let answer = try await ask("GET", Self.place(name), "read a blob", size: size) { $0.savesTo = file }
    return answer.status != 404
  }

  public func remove(_ name: String) async throws(StoreError) {
    _ = try await ask("DELETE", Self.place(name), "remove a blob")
  }

  public func names(after last: String) async throws(StoreError) -> [String] {
    let prefix = "\(address.folder)blobs/"
    var query: [RequestSignature.Pair] = [("list-type", "2"), ("prefix", prefix)]
    if !last.isEmpty { query.append(("start-after", address.folder + Self.place(last))) }
    let answer = try await ask("GET", nil, "list its blobs", query: query, size: ObjectStoreLimits.listBytes)
    // Nothing in a name of ours is escaped in XML.
    return String(decoding: answer.body, as: UTF8.self).split(separator: "<Key>").dropFirst().compactMap { part in
      part.prefix { $0 != "<" }.split(separator: "/").last.map(String.init)
    }
  }

  public func address(of name: String, type: String, disposition: String, seconds: Int) -> String? {
    let path = address.path + Self.place(name)
    let query = try? signature().query(
      host: address.host, path: path,
      query: [("response-content-disposition", disposition), ("response-content-type", type)], seconds: seconds,
      now: time.now)
    return query.map { "\(address.origin)\(path)?\($0)" }
  }

  /// In folders, for people who look at it.
  private static func place(_ name: String) -> String { "blobs/\(name.prefix(2))/\(name)" }

  // MARK: Looking at it

  /// Writes a small object, reads it and removes it.
  /// - Returns: seconds by which its clock is ahead of ours; nil if it tells no time.
  public func probe() async throws(StoreError) -> Double? {
    let name = "probe-\(Digest.hex(Digest.random(8)))"
    let bytes = Digest.random(64)
    let answer = try await ask("PUT", name, "write a probe", body: bytes, seconds: ObjectStoreLimits.lookSeconds)
    let ahead = answer["date"].flatMap { HTTPDate.seconds($0, now: Int(time.now)) }.map { Double($0) - time.now }
    let found = try await ask("GET", name, "read a probe").body
    _ = try await ask("DELETE", name, "remove a probe")
    guard found == bytes else {
      throw StoreError(.bucket, "The object store gave other bytes back than it was given", context: shown)
    }
    return ahead
  }

  // MARK: Requests

  /// How long a fault lasts: until somebody does something, or no longer than a moment, or so long that nobody can wait
  /// for its end.
  private enum Fault { case lasting, brief, long }

  /// Sends a request, and again while its failure may pass at once.
  /// - Parameters:
  ///   - name: an object's; nil for the bucket itself.
  ///   - what: such as "read a blob", for errors.
  ///   - payload: the SHA-256 of what is sent, if that is no `body`.
  ///   - size: bytes that flow in either direction.
  ///   - seconds: for all but their flow.
  private func ask(
    _ method: String, _ name: String?, _ what: String, query: [RequestSignature.Pair] = [], body: [UInt8] = [],
    payload: String? = nil, size: Int = 0, seconds: Double = ObjectStoreLimits.seconds,
    _ change: (inout FetchRequest) -> Void = { _ in }
  ) async throws(StoreError) -> FetchResponse {
    let signature = try signature()
    let path = name.map { address.path + $0 } ?? address.root
    let asked = query.isEmpty ? path : "\(path)?\(RequestSignature.text(query))"
    let payload = payload ?? Digest.hex(Digest.sha256(body))
    let flow = Double(size) / ObjectStoreLimits.bytesPerSecond
    let patienceEnd = time.uptime + ObjectStoreLimits.patience + flow
    var pauses = ObjectStoreLimits.pauses[...]
    while true {
      var request = FetchRequest(
        "\(address.origin)\(asked)", method: method,
        fields: signature.fields(method, host: address.host, path: path, query: query, payload: payload, now: time.now)
          + (method == "PUT" ? [("Content-Type", "application/octet-stream")] : []),
        body: body,
        timeout: seconds + flow, stallTimeout: ObjectStoreLimits.stallSeconds,
        bodyLimit: max(size, ObjectStoreLimits.answerBytes), redirects: 0)
      change(&request)
      let (answer, words, fault) = await attempt(request)
      if let answer { return answer }
      guard fault == .brief, time.uptime < patienceEnd, let pause = pauses.popFirst() else {
        throw StoreError(
          fault == .lasting ? .bucket : .bucketAway, "Cannot \(what) in the object store: \(words)", context: shown)
      }
      do throws(CancellationError) { try await loop.pause(for: pause) } catch {
        throw StoreError(.bucketAway, "Cannot \(what) in the object store: \(words)", context: shown)
      }
    }
  }

  /// The answer that was wanted, or else why there is none.
  private func attempt(_ request: FetchRequest) async -> (FetchResponse?, words: String, Fault) {
    do throws(FetchError) {
      let answer = try await client.fetch(request)
      if (200..<300).contains(answer.status) { return (answer, "", .lasting) }
      let refusal = BucketRefusal(status: answer.status, body: answer.body)
      // An object that is not there is an answer; a bucket that is not there is none.
      if answer.status == 404, request.method != "PUT", refusal.code != "NoSuchBucket" { return (answer, "", .lasting) }
      return (nil, refusal.words, refusal.isPassing ? .brief : .lasting)
    } catch {
      let fault: Fault =
        switch error {
        case .transfer(let failure, _): failure == .insecure ? .lasting : .brief
        case .timeout, .stalled: .long
        default: .lasting
        }
      return (nil, "\(error.explanation)", fault)
    }
  }
}

/// The limits of this module.
enum ObjectStoreLimits {
  /// Seconds for a request beside the time in which its bytes flow.
  static let seconds = 30.0
  /// Seconds for a request that only looks at the bucket: a hub's start waits for one.
  static let lookSeconds = 10.0
  /// Whole seconds without bytes, so that uploads are answered before the hub ends their requests.
  static let stallSeconds = 20.0
  /// Bytes a second below which a transfer is given up: the slowest line that is of use for pictures.
  static let bytesPerSecond = 100_000.0
  /// Bytes of an answer that is no blob, and of one that lists a thousand of them.
  static let answerBytes = 64 << 10
  static let listBytes = 2 << 20
  /// Seconds between attempts: an object store that is told to slow down by many needs some.
  static let pauses = [0.2, 0.8, 2.0]
  /// Seconds, beside the time in which bytes flow, after which nothing is tried again.
  static let patience = 3.0
}
