import Crypto
import Hub
import Wire

/// The link by which a phone's app is configured, and its QR code. The secret is in it, so it is shown once.
struct PhoneSetup {
  let phone: Phone
  let secret: String
  /// The hub's address.
  let hub: String

  /// The address to which the app reports.
  private var address: String { "\(hub)\(ReportingRoutes.path(phone.app))" }

  /// OwnTracks' configuration (owntracks.org/booklet/tech/json), also as a file with the ending otrc.
  var configuration: JSON {
    .object(
      [
        .init("_type", "configuration"), .init("mode", 3), .init("url", .string(address)), .init("auth", true),
        .init("username", .string(phone.name)), .init("password", .string(secret)),
        .init("deviceId", .string("\(phone.id)")), .init("tid", .string(Self.initials(phone.name))),
        .init("monitoring", 2), .init("ping", 15), .init("cmd", true), .init("remoteConfiguration", true),
        .init("extendedData", true), .init("pubExtendedData", true), .init("autostartOnBoot", true),
      ] + PhoneMode.moveMembers)
  }

  var link: String {
    switch phone.app {
    case .owntracks: "owntracks:///config?inline=\(percentEncoded(Digest.base64(configuration.bytes)))"
    case .overland:
      "overland://setup?url=\(percentEncoded(address))&token=\(secret)&device_id=\(percentEncoded(phone.name))"
    // The client takes an address as it is: what is before the question mark to report to, and these parameters. In
    // seconds; a phone that lies still has the heartbeat.
    case .traccar: "\(address)?id=\(secret)&accuracy=highest&distance=0&interval=30&heartbeat=60&service=true"
    }
  }

  /// A picture of the QR code, as an address that has it all in it.
  var code: String? {
    QRCode(link).map { "data:image/svg+xml;base64,\(Digest.base64(Array($0.svg.utf8)))" }
  }

  private static func initials(_ name: String) -> String {
    let letters = name.uppercased().unicodeScalars.filter { ("A"..."Z").contains($0) || ("0"..."9").contains($0) }
    return String(String.UnicodeScalarView(letters.prefix(2)))
  }
}
