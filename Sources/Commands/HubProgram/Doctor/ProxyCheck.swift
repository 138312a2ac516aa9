import Hub
import Wire

/// Whether the hub believes the web server in front of it: if not, cookies go without Secure, links say http:, and all
/// visitors count as one.
enum ProxyCheck {
  private static let subject = "web server"

  /// - Parameter told: what the running hub tells at /healthz; nil if none runs.
  static func findings(_ plan: ServePlan, told: JSON?) -> [Finding] {
    if let address = told?["unbelieved_proxy"]?.string.flatMap({ IPAddress($0) })?.description {
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
}
