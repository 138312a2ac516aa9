public import Client
import Crypto
public import Lifecycle
import Synchronization
import Wire

/// Flickr's API with one key. All portfolios of a hub share one, since Flickr counts the calls of a key.
public final class FlickrAPI: Sendable {
  public let key: FlickrKey
  public let addresses: FlickrAddresses
  let client: HTTPClient
  let time: any TimeSource
  let wait: @Sendable (Double) async throws(CancellationError) -> Void
  private let pauses = Mutex<[Host: BackOff]>([:])

  /// Counts a call at an uptime, and tells the seconds after which it may be made.
  private let count: @Sendable (Double) -> Double

  /// The hosts, which are busy independently of each other.
  enum Host { case calls, files }

  /// - Parameters:
  ///   - count: counts a call of the key at an uptime, and tells the seconds after which it may be made
  ///     (`CallRate.take`).
  ///   - wait: waits for so many seconds.
  public init(
    key: FlickrKey, addresses: FlickrAddresses = FlickrAddresses(), client: HTTPClient, time: any TimeSource,
    count: @escaping @Sendable (Double) -> Double,
    wait: @escaping @Sendable (Double) async throws(CancellationError) -> Void
  ) {
    (self.key, self.addresses, self.client, self.time) = (key, addresses, client, time)
    (self.count, self.wait) = (count, wait)
  }

  // MARK: Calls

  /// Calls a method, such as "flickr.photosets.getList". Waits for the hour's limit and, for seconds, for a busy
  /// Flickr.
  /// - Parameter token: the person as whom it is called; nil for what everybody may see.
  func call(
    _ method: String, _ parameters: [OAuthSignature.Parameter] = [], as token: FlickrToken?
  ) async throws(FlickrFault) -> JSON {
    var query: [OAuthSignature.Parameter] = [("method", method), ("format", "json"), ("nojsoncallback", "1")]
    query += parameters
    var header: OAuthHeader?
    if let token {
      header = OAuthHeader(key: key, token: token.token, tokenSecret: token.secret)
    } else {
      query.append(("api_key", key.key))
    }
    return try await attempt(.calls) { [self, query, header] () throws(FlickrFault) in
      let answer = try await fetch(addresses.rest, query, header, limit: FlickrLimits.answerBytes)
      return try FlickrAnswer.read(
        status: answer.status, body: answer.body, retryAfter: retryAfter(answer))
    }
  }

  /// Asks one of OAuth's addresses, whose answers are forms. They are not counted by Flickr.
  func form(_ address: String, _ header: OAuthHeader) async throws(FlickrFault) -> [String: String] {
    try await attempt(.calls) { [self] () throws(FlickrFault) in
      let answer = try await fetch(address, [], header, limit: 100_000)
      return try FlickrAnswer.readForm(status: answer.status, body: answer.body)
    }
  }

  /// A GET, signed if there is a header. Each attempt has a time and a nonce of its own.
  private func fetch(
    _ address: String, _ query: [OAuthSignature.Parameter], _ header: OAuthHeader?, limit: Int
  ) async throws(FlickrFault) -> FetchResponse {
    var fields: [(name: String, value: String)] = [("Accept", "application/json, */*;q=0.1")]
    if let header {
      let nonce = Digest.hex(Digest.random(16))
      fields.append(
        ("Authorization", header.field("GET", address, query: query, seconds: Int(time.now), nonce: nonce)))
    }
    let text = query.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
      .joined(separator: "&")
    // The address may hold the key, and the header is for Flickr alone: redirects are not followed.
    return try await get(
      FetchRequest(
        text.isEmpty ? address : "\(address)?\(text)", fields: fields, timeout: FlickrLimits.answerSeconds,
        bodyLimit: limit, redirects: 0))
  }

  func get(_ request: FetchRequest) async throws(FlickrFault) -> FetchResponse {
    do throws(FetchError) {
      return try await client.fetch(request)
    } catch {
      // Without libcurl's words: they name the address, in which the key may be.
      let reason = error.publicExplanation
      switch error {
      case .cancelled: throw .cancelled
      case .transfer(.broken, _), .stalled: throw .broken(reason, again: true)
      case .transfer, .timeout: throw .unreachable(reason)
      case .address, .malformed, .refusedAddress, .tooLarge, .tooManyFields: throw .broken(reason, again: false)
      }
    }
  }

  func retryAfter(_ answer: FetchResponse) -> Double? {
    answer["retry-after"].flatMap {
      RetryAfter.seconds($0, now: time.now, longest: FlickrLimits.longestRetryAfter)
    }
  }

  // MARK: Attempts

  /// Does the work, and again when its host is busy, as long as that is a matter of seconds.
  func attempt<Result>(
    _ host: Host, _ work: () async throws(FlickrFault) -> Result
  ) async throws(FlickrFault) -> Result {
    var attempts = 0
    while true {
      try await waitFor(host)
      attempts += 1
      do throws(FlickrFault) {
        let result = try await work()
        change(host) { $0.succeed() }
        return result
      } catch {
        switch error {
        case .later(let seconds, _): fail(host, seconds)
        case .unreachable: fail(host, nil)
        // The host has answered, but not well.
        case .broken(_, again: true) where attempts < FlickrLimits.attempts:
          do { try await wait(FlickrLimits.firstPause) } catch { throw .cancelled }
        default: throw error
        }
        guard attempts >= FlickrLimits.attempts else { continue }
        guard case .later(_, let reason) = error else { throw error }
        throw .later(seconds: pause(of: host), reason)
      }
    }
  }

  private func fail(_ host: Host, _ retryAfter: Double?) {
    let (uptime, chance) = (time.uptime, Double.random(in: 0..<1))
    change(host) { $0.fail(at: uptime, retryAfter: retryAfter, chance: chance) }
  }

  /// Waits until the host may be asked. A long wait is the caller's: the sync is put off.
  private func waitFor(_ host: Host) async throws(FlickrFault) {
    let pause = pause(of: host)
    guard pause <= FlickrLimits.longestWait else { throw .later(seconds: pause, Reason(.flickrBusy)) }
    let spread = host == .calls ? count(time.uptime) : 0
    guard max(pause, spread) > 0 else { return }
    do { try await wait(max(pause, spread)) } catch { throw .cancelled }
  }

  private func pause(of host: Host) -> Double {
    let uptime = time.uptime
    return pauses.withLock { $0[host]?.wait(at: uptime) ?? 0 }
  }

  private func change(_ host: Host, _ change: (inout BackOff) -> Void) {
    pauses.withLock { change(&$0[host, default: BackOff()]) }
  }
}

/// Flickr's addresses: three hosts of its own, or one that stands for all, in tests.
public struct FlickrAddresses: Equatable, Sendable {
  public let rest: String
  let requestToken: String
  let authorize: String
  let accessToken: String
  /// The beginning of the addresses of files, without a slash at its end.
  let files: String
  /// The beginning of the addresses of pages that people open.
  let pages: String

  /// - Parameter base: an address that stands for all hosts, such as http://127.0.0.1:8200; nil for Flickr's own.
  public init(base: String? = nil) {
    var base = base ?? ""
    while base.hasSuffix("/") { base.removeLast() }
    let pages = base.isEmpty ? "https://www.flickr.com" : base
    rest = (base.isEmpty ? "https://api.flickr.com" : base) + "/services/rest/"
    requestToken = "\(pages)/services/oauth/request_token"
    authorize = "\(pages)/services/oauth/authorize"
    accessToken = "\(pages)/services/oauth/access_token"
    files = base.isEmpty ? "https://live.staticflickr.com" : base
    self.pages = "https://www.flickr.com"
  }
}
