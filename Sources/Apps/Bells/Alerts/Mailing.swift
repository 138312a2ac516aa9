import Client
import EventLoop
import Glibc
import Hub
import Lifecycle
import Mail
import Observe
import Server
import Settings
import Store
import Terminal

/// The means to send mail, where the owner has set a mail server.
struct Mailing: Sendable {
  let sender: MailSender
  let links: MailLinks
  let channel: MailChannel

  private static let server = Setting(
    "smtp", "URL", fallback: "",
    help: "the mail server for what people have not seen elsewhere: smtp://user@host:587 or smtps://user@host"
  ) { value throws(SettingsError) in
    guard value.isEmpty || MailServer(value) != nil else {
      // It may have a password in it.
      throw SettingsError(
        "smtp: \(value.contains("@") ? "" : "\"\(value)\"; ")smtp://user@host:587 or smtps://user@host is accepted, "
          + "and the password in the file of smtp_password_file.")
    }
  }
  private static let passwordFile = Setting(
    "smtp_password_file", "FILE", fallback: "", help: "a file with the mail server's password in its first line")
  static let from = Setting(
    "mail_from", "ADDRESS", fallback: "", help: "the address that mails come from; the mail server's user if not given"
  ) { value throws(SettingsError) in
    guard value.isEmpty || MailAddress(value) != nil else {
      throw SettingsError("mail_from: \"\(value)\"; an address such as bells@hub.example is accepted.")
    }
  }
  /// The beginning of the paths of links in mails.
  static let linkPath = "/bells/mail/"

  static let options = [server, passwordFile, from]

  /// - Parameter loop: of mail alone: libcurl waits for a mail server's farewell, and nobody else may wait for that.
  /// - Returns: nil without a mail server.
  static func make(_ hub: Hub) async throws(StoreError) -> Mailing? {
    guard var server = MailServer(hub.options[server.name]) else { return nil }
    let file = hub.options[passwordFile.name]
    if !file.isEmpty {
      server.password = MailServer.password(inFile: file)
      if server.password == nil { hub.log.error("the mail server's password cannot be read", ["file": file]) }
    }
    let host = server.url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != ":" }
    let chosen = MailAddress(hub.options[from.name]) ?? server.user.flatMap { MailAddress($0) }
    guard let from = chosen ?? MailAddress("eightbells@\(host)") ?? MailAddress("eightbells@localhost") else {
      return nil
    }
    let links = try await hub.store.write { database throws(StoreError) in try database.mailLinks() }
    let sender = MailSender(client: client(), server: server, from: from, name: hub.publicURL.flatMap(Self.name))
    return Mailing(hub, sender, links)
  }

  /// The name in an address, if it is a whole one. Google's relay, among others, takes nothing from whoever greets it
  /// with a single word, as the name of a container is.
  private static func name(in url: String) -> String? {
    guard !TargetAddress.hasNumericHost(url), let host = url.split(separator: "/").last?.prefix(while: { $0 != ":" }),
      host.contains("."), host.utf8.allSatisfy({ $0 < 128 })
    else { return nil }
    return String(host)
  }

  /// The room's part of `eightbells doctor`: the server is asked to take a mail, and gets none.
  func examine(_ hub: Hub) async -> Finding {
    let (server, file) = (sender.server, hub.options[Self.passwordFile.name])
    guard file.isEmpty || server.password != nil else {
      return .problem(
        "mail", "the password in \(file) cannot be read",
        remedy: "It stands in the first line, and the hub's user has to be able to read it: "
          + "`sudo chown \(FolderCheck.name(of: geteuid())) \(file.shellWord)`")
    }
    guard let reason = await sender.trial() else { return .ok("mail", "\(server.url) lets the hub in") }
    let isNameAlone = server.user != nil && server.password == nil
    return .problem(
      "mail", "\(server.url) takes no mail: \(reason)",
      remedy: isNameAlone
        ? "The setting smtp names a user: smtp_password_file = FILE names the file with the password."
        : "Look whether the server runs, whether name and password are still right, and whether the name may send from "
          + "mail_from: Docs/mail.md")
  }

  private init(_ hub: Hub, _ sender: MailSender, _ links: MailLinks) {
    self.sender = sender
    self.links = links
    channel = MailChannel(
      store: hub.store, sender: sender, links: links, loop: hub.loop, log: hub.log, place: { await Self.place(hub) })
  }

  private static func client() -> HTTPClient {
    let loop = EventLoop(time: SystemTime())
    loop.runInBackground(name: "mail")
    return HTTPClient(loop: loop, userAgent: "eightbells", addresses: .anywhere)
  }

  static func place(_ hub: Hub) async -> MailChannel.Place {
    let noted: String?
    do throws(StoreError) { noted = try await hub.links.hubAddress() } catch { noted = nil }
    return MailChannel.Place(
      name: hub.place.current?.name ?? "Eightbells", url: hub.publicURL ?? noted ?? "http://localhost:8080",
      page: "/bells", links: linkPath)
  }
}
