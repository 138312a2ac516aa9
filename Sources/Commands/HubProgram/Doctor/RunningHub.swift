import Client
import EventLoop
package import Hub
import Server
import Settings
package import Wire

/// The state of a running hub, as it reports it to its own machine.
package enum RunningHub {
  /// The answer of /healthz; nil without one.
  static func health(_ plan: ServePlan, on loop: EventLoop) async -> JSON? {
    let client = HTTPClient(loop: loop, userAgent: "eightbells/\(productVersion)", addresses: .anywhere)
    var request = FetchRequest("\(plan.url(port: plan.address.port))/healthz", timeout: 10, bodyLimit: 10_000)
    // It is asked by its own machine's address, for which it has no certificate.
    request.checksCertificate = false
    guard let body = try? await client.fetch(request).body else { return nil }
    return try? JSON(parsing: body)
  }

  /// A finding about other hubs of which the bus brings nothing.
  package static func unheard(_ told: JSON?) -> [Finding] {
    let hosts = (told?["unheard_hubs"]?.array ?? []).compactMap(\.string)
    guard !hosts.isEmpty else { return [] }
    return [
      .warning(
        "bus", "no messages come from the hubs on \(hosts.joined(separator: ", "))",
        remedy: "All hubs need the same `bus`, which has to answer: look after it, and compare the lines in their "
          + "eightbells.conf. Until then pages are told to connect again at each change of theirs.")
    ]
  }

  /// Findings about background tasks that keep failing.
  package static func tasks(_ told: JSON?) -> [Finding] {
    let names = (told?["failing_tasks"]?.array ?? []).compactMap(\.string)
    guard !names.isEmpty else { return [] }
    return [
      .warning(
        "background", "failed within the last ten minutes: \(names.joined(separator: ", "))",
        remedy: "The hub runs it again by itself. Its log says why: `journalctl -u eightbells -g 'a task failed'`")
    ]
  }
}
