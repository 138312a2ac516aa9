import Client
import EventLoop
import Hub
import Server
import Wire

/// Whether the hub believes the web server in front of it: if not, cookies go without Secure, links say http:, and all
/// visitors count as one.
enum ProxyCheck {
  private static let subject = "web server"

  /// - Parameter isRunning: whether the hub runs, and can be asked what it has met.
  static func findings(_ plan: ServePlan, isRunning: Bool, on loop: EventLoop) async -> [Finding] {
    if isRunning, let address = await unbelieved(plan, on: loop) {
      return [
        .warning(
          subject, "one at \(address) stands in front of the hub, and is not believed",
          mend: consequences + "If it is yours, say so in eightbells.conf and start the hub again: "
            + (plan.trustedProxies.isEmpty
              ? "`trusted_proxies = \(address)`" : "add \(address) to trusted_proxies, behind a comma."))
      ]
    }
    // HTTPS that the hub does not speak itself is spoken by somebody in front of it.
    guard let url = plan.publicURL, url.hasPrefix("https://"), plan.certificate.isEmpty, plan.trustedProxies.isEmpty
    else { return [] }
    return [
      .warning(
        subject, "people reach the hub at \(url), and no web server in front of it is listed",
        mend: consequences + "Where it is on this machine, eightbells.conf has: "
          + "`trusted_proxies = 127.0.0.0/8,::1/128` Docs/https.md says more.")
    ]
  }

  private static let consequences =
    "Cookies go without Secure, links that are asked for say http:, and all visitors count as one. "

  /// What the running hub tells of it at /healthz.
  private static func unbelieved(_ plan: ServePlan, on loop: EventLoop) async -> String? {
    let client = HTTPClient(loop: loop, userAgent: "eightbells/\(Main.version)", addresses: .anywhere)
    let request = FetchRequest("\(plan.url(port: plan.address.port))/healthz", timeout: 10, bodyLimit: 10_000)
    guard let body = try? await client.fetch(request).body, let told = try? JSON(parsing: body),
      let address = told["unbelieved_proxy"]?.string.flatMap({ IPAddress($0) })
    else { return nil }
    return address.description
  }
}
