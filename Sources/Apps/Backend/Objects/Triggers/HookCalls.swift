import Client
import Crypto
import Hub
import Lifecycle
import Objects
import Observe
import Server
import Wire

/// Posts to the apps' own servers what they are asked about objects, signed with the app's secret, and reads their
/// answers.
final class HookCalls: Sendable {
  private let client: HTTPClient
  private let time: any TimeSource
  private let publicURL: String?
  private let log: Log
  /// Each app has its share of the calls that are under way.
  private let places = RequestGate(AppsLimits.allHookCalls, each: AppsLimits.hookCalls, refusal: HookCalls.full.http)
  private static let full = ObjectError.tooMany(
    "Too many webhooks are being asked; \(AppsLimits.hookCalls) of an app are at a time. Try again.")

  /// - Parameters:
  ///   - client: its `AddressPolicy` decides what may be connected to, at each connection.
  ///   - publicURL: the hub's, for the addresses of files.
  init(client: HTTPClient, time: any TimeSource, log: Log, publicURL: String?) {
    (self.client, self.time, self.log, self.publicURL) = (client, time, log, publicURL)
  }

  /// The value of X-Parse-Webhook-Key, by which a server knows that the hub asks. It is made of the app's present
  /// secret, which it does not give away.
  static func key(of app: App) -> String {
    signature(of: Array("X-Parse-Webhook-Key".utf8), secret: app.secrets.first?.text ?? "")
  }

  private static func signature(of body: [UInt8], secret: String) -> String {
    Digest.hex(Digest.hmacSHA256(body, key: Array(secret.utf8)))
  }

  /// Asks a webhook.
  /// - Parameter preparing: done once it is sure that the webhook can be asked now; if it fails, nothing is asked.
  /// - Returns: the value of `success` in its answer.
  /// - Throws: what it answers as `error`, with 141 if it names no code; 124 if it takes too long; 155 if too many
  ///   others are being asked.
  func call(
    _ hook: Hook, of app: App, _ question: [JSON.Member], preparing: () async throws(HTTPError) -> Void = {}
  ) async throws(HTTPError) -> JSON {
    let place = try places.enter(for: "\(app.id)")
    defer { withExtendedLifetime(place) {} }
    try await preparing()
    do throws(ObjectError) {
      return try Self.read(try await post(hook, of: app, question, fields: []))
    } catch {
      throw error.http
    }
  }

  /// Tells a webhook what has happened already: whatever it answers but for a failure will do.
  /// - Parameter number: the same when it is told once more, so that the server can know it.
  /// - Returns: how it went, for people.
  func tell(_ hook: Hook, of app: App, _ question: [JSON.Member], number: Int) async throws(ObjectError) -> String {
    let place: RequestGate.Place
    do throws(HTTPError) { place = try places.enter(for: "\(app.id)") } catch { throw Self.full }
    defer { withExtendedLifetime(place) {} }
    let began = time.uptime
    let response = try await post(hook, of: app, question, fields: [("X-Eightbells-Call", "\(number)")])
    guard (200..<300).contains(response.status) else {
      throw .script("The app's webhook answered \(response.status).")
    }
    return "\(response.status), \(Int((time.uptime - began) * 1_000)) ms"
  }

  private func post(
    _ hook: Hook, of app: App, _ question: [JSON.Member], fields more: [(String, String)]
  ) async throws(ObjectError) -> FetchResponse {
    let named: JSON.Member =
      switch hook.name {
      case .function(let name): .init("functionName", .string(name))
      case .trigger(let trigger, _): .init("triggerName", .string(trigger.rawValue))
      }
    let whole = JSON.object([named, .init("time_ms", .int(Int(time.now * 1_000)))] + question)
    let body = FileAddresses(app, base: publicURL).renewed(whole).bytes
    let fields =
      [
        ("Content-Type", "application/json"), ("X-Parse-Webhook-Key", Self.key(of: app)),
        ("X-Parse-Application-Id", app.applicationID),
        ("X-Eightbells-Signature", Self.signature(of: body, secret: app.secrets.first?.text ?? "")),
      ] + more
    do throws(FetchError) {
      return try await client.fetch(
        FetchRequest(
          hook.url, method: "POST", fields: fields, body: body, timeout: AppsLimits.hookSeconds,
          bodyLimit: AppsLimits.hookAnswerBytes,
          // The question is for this server alone.
          redirects: 0))
    } catch {
      log.warning("a webhook did not answer", ["app": "\(app.id)", "reason": error.publicExplanation.text])
      if case .timeout = error {
        throw .timeout("The app's webhook took longer than \(Int(AppsLimits.hookSeconds)) s.")
      }
      throw .script("The app's webhook did not answer: \(error.publicExplanation.text).")
    }
  }

  private static func read(_ response: FetchResponse) throws(ObjectError) -> JSON {
    guard let json = try? JSON(fromBrowser: response.body), json.members != nil else {
      throw .script("The app's webhook answered \(response.status), and no JSON object.")
    }
    if let error = json["error"], error != .null {
      throw ObjectError(error["code"]?.int ?? 141, error.string ?? error["message"]?.string ?? error.text)
    }
    guard (200..<300).contains(response.status) else {
      throw .script("The app's webhook answered \(response.status).")
    }
    return json["success"] ?? nil
  }
}
