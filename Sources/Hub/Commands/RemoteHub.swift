import Client
public import EventLoop
import Lifecycle
public import Settings
public import Terminal
public import Wire

/// The running hub that a command asks over the network, given by `--hub` and `--token`.
public struct RemoteHub: Sendable {
  /// Without a slash at its end.
  public let address: String
  private let token: String?
  private let checksCertificate: Bool
  private let loop: EventLoop

  /// - Parameter needs: the holder of the token that is needed, for the error without one; nil if none is needed.
  public init(
    _ arguments: Arguments, verb: Verb, needs holder: String?, on loop: EventLoop
  ) throws(CommandError) {
    var hub = arguments["hub"] ?? environment()["EIGHTBELLS_HUB"] ?? "http://127.0.0.1:8080"
    while hub.hasSuffix("/") { hub.removeLast() }
    address = hub
    let token = arguments["token"] ?? environment()["EIGHTBELLS_TOKEN"]
    if let holder, token?.isEmpty ?? true { throw verb.misused("--token is missing: \(holder).") }
    self.token = token
    checksCertificate = true
    self.loop = loop
  }

  /// The hub on this machine, asked without a token by an address for which it need have no certificate.
  public init(ofThisMachine address: String, on loop: EventLoop) {
    self.address = address
    token = nil
    checksCertificate = false
    self.loop = loop
  }

  /// Sends a request.
  /// - Returns: the answer; null for one without a body.
  public func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws(CommandError) -> JSON {
    try await send(method, path, body.map { ("application/json", $0.bytes) }).answer
  }

  /// Asks by GET.
  /// - Returns: the answer, and its time by the hub's clock; by this machine's where that is not told.
  public func look(_ path: String) async throws(CommandError) -> (answer: JSON, now: Double) {
    let (answer, date) = try await send("GET", path, nil)
    let now = loop.time.now
    return (answer, date.flatMap { HTTPDate.seconds($0, now: Int(now)) }.map { Double($0) } ?? now)
  }

  /// Sends a file by POST.
  public func upload(_ path: String, _ bytes: [UInt8]) async throws(CommandError) -> JSON {
    try await send("POST", path, ("application/octet-stream", bytes)).answer
  }

  private func send(
    _ method: String, _ path: String, _ body: (type: String, bytes: [UInt8])?
  ) async throws(CommandError) -> (answer: JSON, date: String?) {
    var request = FetchRequest(address + path)
    request.method = method
    request.checksCertificate = checksCertificate
    if let token { request.fields.append(("Authorization", "Bearer \(token)")) }
    // One that is sent on loses its body and its token.
    if method != "GET" || token != nil { request.redirects = 0 }
    if let body {
      request.fields.append(("Content-Type", body.type))
      request.body = body.bytes
    }
    let response: FetchResponse
    do throws(FetchError) {
      // The person who runs the command chooses the address, so it may be in any network.
      let client = HTTPClient(loop: loop, userAgent: "eightbells/\(productVersion)", addresses: .anywhere)
      response = try await client.fetch(request)
    } catch {
      throw CommandError("Cannot reach the hub at \(address): \(error.explanation.text).")
    }
    if response.status == 204 { return (.null, response["date"]) }
    if (300..<400).contains(response.status), let location = response["location"] {
      // Some servers leave out their own scheme and host.
      let origin = address.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
      let target = location.hasPrefix("/") ? origin + location : location
      let hub = target.dropLast(path.count)
      // A proxy's sign-in page may have the address asked for at the end of its own.
      guard target.hasSuffix(path), !hub.contains("?") else {
        throw CommandError("\(address) sends on to \(Layout.plain(target)), which is no hub's address: check --hub.")
      }
      throw CommandError("\(address) sends on to \(Layout.plain(String(hub))): give that address as --hub.")
    }
    guard let json = try? JSON(parsing: response.body) else {
      throw CommandError("\(address) answered \(response.status), but not like a hub.")
    }
    guard (200..<300).contains(response.status) else {
      // The hub's help is about requests; commands have options.
      let error = json["error"]?.string ?? "The hub answered \(response.status)."
      throw CommandError(
        Layout.plain(error) + ([401, 403].contains(response.status) ? " Check --token or EIGHTBELLS_TOKEN." : ""))
    }
    return (json, response["date"])
  }
}
