public import Client
package import Delivery
import Wire

/// Hands mails to the mail server.
public final class MailSender: Sendable {
  public let server: MailServer
  public let from: MailAddress
  private let client: HTTPClient
  private let url: String

  /// - Parameters:
  ///   - client: on a loop of its own, since libcurl waits for a server's farewell; the server is the owner's choice,
  ///     and may be anywhere.
  ///   - name: by which the hub greets the server, such as "hub.example"; nil for the machine's own.
  public init(client: HTTPClient, server: MailServer, from: MailAddress, name: String? = nil) {
    self.client = client
    self.server = server
    self.from = from
    // So libcurl is told it.
    url = server.url + (name.map { "/\($0)" } ?? "")
  }

  /// Hands one mail over, once.
  /// - Throws: when the task is cancelled; the mail may have gone out.
  package func send(_ mail: MailText) async throws(CancellationError) -> Outcome {
    do throws(FetchError) {
      let answer = try await client.fetch(request(to: mail.to, mail.bytes))
      return answer.status < 400 ? .sent() : Outcome(refusal: answer.status, ofMail: answer.refusesMail)
    } catch {
      if error == .cancelled { throw CancellationError() }
      return .retry(Self.isAway(error) ? .mailUnreachable : .mailServer, detail: error.publicExplanation.text)
    }
  }

  /// True if the server was not reached: it cannot have taken the mail without our knowing.
  private static func isAway(_ error: FetchError) -> Bool {
    switch error {
    case .transfer(.unknownHost, _), .transfer(.unreachable, _): true
    default: false
    }
  }

  /// Greets the server, signs in and names the sender, as before a mail.
  /// - Returns: why it would take none; nil if it would.
  public func trial() async -> String? {
    do throws(FetchError) {
      let status = try await client.fetch(request(to: nil, [])).status
      return status < 400 ? nil : "the server answered \(status)"
    } catch {
      return error.explanation.text
    }
  }

  private func request(to: MailAddress?, _ body: [UInt8]) -> FetchRequest {
    var request = FetchRequest(url, body: body, timeout: MailLimits.sendSeconds, redirects: 0)
    request.mail = MailEnvelope(
      from: from.text, to: to?.text, user: server.user, password: server.password,
      needsTLS: server.user != nil && !server.isLocal && server.url.hasPrefix("smtp:"))
    // A mail server on the machine itself has a certificate for its public name, if it has a good one at all. Where a
    // mail may go in the clear, a certificate that nobody signed, as Postfix has at first, is no reason to keep it.
    request.checksCertificate = !server.isLocal && (server.user != nil || server.url.hasPrefix("smtps:"))
    return request
  }
}

extension Outcome {
  /// 4xx is tried again. So is what the owner has to mend: the password (530 to 539), and whatever else the server says
  /// before it knows the mail.
  package init(refusal status: Int, ofMail isOfMail: Bool) {
    let isFinal = isOfMail && status >= 500 && !(530..<540).contains(status)
    self = isFinal ? .failed(.mailServer, detail: "\(status)") : .retry(.mailServer, detail: "\(status)")
  }
}
