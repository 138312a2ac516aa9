import Hub
import Wire

/// The check that the web server in front of the hub is trusted: if not, cookies lack Secure, links begin with http:,
/// and all visitors count as one.
enum ProxyCheck {
  private static let subject = "web server"

  /// - Parameter told: the running hub's answer at /healthz; nil if none runs.
  static func findings(_ plan: ServePlan, told: JSON?) -> [Finding] {
    if let address = told?["unbelieved_proxy"]?.string.flatMap({ IPAddress($0) })?.description {
      return [
        .warning(
          subject, "one at \(address) stands in front of the hub, and is not believed",
          remedy: consequences + "If it is yours, say so in eightbells.conf and start the hub again: "
            + (plan.trustedProxies.isEmpty
              ? "`trusted_proxies = \(address)`." : "add \(address) to trusted_proxies, behind a comma.") + afterwards)
      ]
    }
    // HTTPS that the hub does not serve itself must be served by a proxy.
    guard let url = plan.publicURL, url.hasPrefix("https://"), plan.certificate.isEmpty, plan.trustedProxies.isEmpty
    else { return [] }
    return [
      .warning(
        subject, "people reach the hub at \(url), and no web server in front of it is listed",
        remedy: consequences + "Where it is on this machine, eightbells.conf has: "
          + "`trusted_proxies = 127.0.0.0/8,::1/128`. Docs/https.md says more." + afterwards)
    ]
  }

  /// Over HTTPS the cookie has another name.
  private static let afterwards =
    " Whoever was signed in through it has to sign in anew then: `eightbells link --data DIR --role owner` lets you in."

  private static let consequences =
    "Cookies go without Secure, links that are asked for say http:, and all visitors count as one. "
}
