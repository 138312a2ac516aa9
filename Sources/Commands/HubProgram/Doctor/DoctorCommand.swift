import Client
import EventLoop
import Glibc
import Hub
import Lifecycle
import Observe
import Server
import Settings
import Store
import Terminal
import Wire

/// `eightbells doctor`: reports problems of an installation with remedies. It changes nothing.
struct DoctorCommand {
  let rooms: RoomList

  var verb: Verb {
    Verb(
      "doctor", usage: "[OPTIONS]", options: ServeSettings.served(rooms).map(\.option) + [Verb.json],
      summary: "Looks at a set-up as `eightbells serve` would find it, and says what is wrong and how to mend it.")
  }
  private static let note = """
    Give it the options that the hub is started with, and run it as the hub's user, which root becomes. The hub may be
    running. It ends with 0 when the hub works, also with warnings, and with 1 when there is a problem.
    """

  func run(_ words: [String]) throws(CommandError) {
    let arguments = try verb.parse(words, note: Self.note)
    let time = SystemTime()
    let path = try ServeSettings.dataPath(arguments, rooms, isDemo: false)
    let report = Report(inJSON: arguments.has("json"), folder: path)
    DataFolder.lookAsItsUser(path)
    let ofFolder = FolderCheck.findings(path)
    report.add(ofFolder)
    // All that is in it would look missing.
    if access(path, R_OK | X_OK) != 0, errno == EACCES { report.finish() }
    let plan = understood(arguments, path, report)
    report.add(DiskCheck.findings(path))
    report.add(ClockCheck.findings(time) + ClockCheck.zones())
    // A running hub has a limit of its own, which its unit sets, and not the one of this process.
    if !DataFolder.isLocked(path) { report.add(DescriptorCheck.findings(wanted: ServerLimits.descriptors)) }
    let database = "\(path)/\(DataFolder.databaseName)"
    // Looking opens it, and then it looks like any other.
    let server = try DataFolder.server(notedIn: path)
    let noteOfCopy = server == nil ? StoreCheck.noteOfCopy(database) : nil
    let place = server.map { StorePlace.server($0, blobs: "\(path)/blobs") } ?? .file(database)
    let examination = StoreExamination.look(at: place, migrations: rooms.migrations)
    report.add([StoreCheck.finding(examination, at: place)] + [noteOfCopy].compactMap(\.self))
    let (named, bus) = (plan?.options["blobs"] ?? "", plan?.options["bus"] ?? "")
    let bucket = try DataFolder.isBucket(named) ? DataFolder.bucket(named) : DataFolder.bucket(notedIn: path)
    if let server {
      let folder = bucket == nil ? "\(path)/blobs" : nil
      report.add(ServerCheck.findings(server, time: time))
      report.add(ClusterCheck.findings(server, blobs: folder, hasBus: plan == nil || !bus.isEmpty))
    }
    if !bus.isEmpty { report.add([try runOnLoop { loop async in await BusCheck.finding(bus, on: loop) }]) }
    let ofBucket = try bucket.map { bucket throws(CommandError) in
      try runOnLoop { _ async in await BucketCheck.findings(bucket, time: SystemTime()) }
    }
    report.add(ofBucket ?? [])
    let canList = ofBucket?.contains { $0.verdict == .problem } == false
    if let plan {
      report.add(
        CertificateCheck.findings(
          certificate: plan.certificate, key: plan.key, publicURL: plan.publicURL, now: time.now))
      report.add(Self.exposure(plan))
      let isRunning = DataFolder.isLocked(path)
      report.add([try runOnLoop { loop async in await Self.listening(plan, isRunning: isRunning, on: loop) }])
      let told = isRunning ? try runOnLoop { loop async in await RunningHub.health(plan, on: loop) } : nil
      report.add(ProxyCheck.findings(plan, told: told) + RunningHub.tasks(told) + RunningHub.unheard(told))
      report.add(LostChangesCheck.findings(noticedAt: told?["lost_changes_at"]?.number))
      // A folder that cannot be written cannot be opened as a hub's, for the reason that was told above.
      if examination == .current, ofFolder[0].verdict != .problem {
        report.add(try runOnLoop { loop async in await lookInside(path, plan, canList: canList, on: loop) })
      }
    }
    report.finish()
  }

  /// The parsed settings; nil, and a finding, if they are invalid.
  private func understood(_ arguments: Arguments, _ path: String, _ report: Report) -> ServePlan? {
    var message: String
    var remedy =
      "Correct the option, the variable or the line of \(path)/eightbells.conf that says so; "
      + "Docs/configuration.md has them all."
    do throws(CommandError) {
      let text = try DataFolder.configurationText(in: path)
      do throws(SettingsError) {
        let plan = try ServePlan(ServeSettings.values(rooms, arguments, file: text), rooms)
        report.add([.ok("settings", text == nil ? "understood; there is no eightbells.conf" : "understood")])
        return plan
      } catch {
        message = error.message
      }
    } catch {
      message = error.message
      let file = "\(path)/eightbells.conf"
      remedy =
        access(file, R_OK) != 0 && errno == EACCES
        ? "Give it to the hub's user: `sudo chown \(FolderCheck.name(of: geteuid())) \(file.shellWord)`"
        : "Make it a file of text that the hub's user can read: `ls -ld \(file.shellWord)`"
    }
    remedy += " What depends on the settings was not looked at."
    report.add([.problem("settings", message, remedy: remedy)])
    return nil
  }

  /// The rooms' own checks, and the check that there is an owner, without whom a hub cannot be set up.
  /// - Parameter canList: true if there is an object store that works.
  private func lookInside(
    _ path: String, _ plan: ServePlan, canList: Bool, on loop: EventLoop
  ) async -> [Finding] {
    do {
      let folder = try DataFolder(path, moves: true)
      if let move = try FolderMove(in: folder) {
        return [
          .problem(
            "move", "a move of the records was cut short, and no hub starts until it is done",
            remedy: "Go on with it: `\(move.command)`; with --cancel it is taken back.")
        ]
      }
      let store = try await folder.openStore(rooms, time: loop.time, access: .guest)
      let hub = try await plan.setup(folder).open(store, on: [loop], log: Log(time: loop.time, sink: { _ in }))
      var findings: [Finding] = []
      if try await !hub.links.hasOwner() {
        findings.append(
          .warning(
            "owner", "there is no owner, so nobody can change the settings",
            remedy: "Become it: `eightbells link --data \(folder.path.shellWord) --role owner`; or make a token for a "
              + "program: `eightbells token create --data \(folder.path.shellWord) --name me --role owner`"))
      }
      findings += hub.place.examine()
      if canList { findings += await BucketCheck.lost(store) }
      for room in hub.rooms { findings += await room.examine() }
      await store.close()
      return findings
    } catch {
      let message = (error as? CommandError)?.message ?? "\(error)."
      return [.problem("database", message, remedy: "Start the hub and look at its log: `eightbells serve --data DIR`")]
    }
  }

  private static func listening(_ plan: ServePlan, isRunning: Bool, on loop: EventLoop) async -> Finding {
    let subject = "listen"
    let (address, other) = (plan.address.text(port: plan.address.port), plan.address.text(port: plan.address.port + 1))
    let running = Finding.ok(subject, "the hub is running at \(address)")
    let elsewhere = Finding.warning(
      subject, "a hub runs on this data folder, but not at \(address)",
      remedy: "It was started with other settings. Give this command the same ones: "
        + "`systemctl cat eightbells` shows those of the unit.")
    switch PortCheck.look(plan.address) {
    case .free where isRunning: return elsewhere
    case .free: return .ok(subject, "\(address) is free")
    // The unit may give its hub a right that whoever runs this does not have.
    case .forbidden where isRunning: return await isHub(plan, isRunning: true, on: loop) ? running : elsewhere
    case .forbidden:
      return .warning(
        subject, "\(address): only root may listen there, or a hub that is allowed to",
        remedy:
          "With systemd, three lines of the unit allow it: Docs/https.md, \"The hub itself\". Without it, after each "
          + "upgrade: `sudo setcap cap_net_bind_service=+ep \"$(readlink -f \"$(command -v eightbells)\")\"`. Every "
          + "hub may have a port from 1024 on.")
    case .failed(let text, let remedy): return .problem(subject, "\(address): \(text)", remedy: remedy)
    case .taken(let somebody):
      let who = somebody ?? "another program"
      guard await isHub(plan, isRunning: isRunning, on: loop) else {
        return .problem(
          subject, "\(address) is taken by \(who), which is no hub",
          remedy: "Choose another port, such as --listen \(other), or end that "
            + "program: `sudo ss -ltnp 'sport = :\(plan.address.port)'` shows it.")
      }
      return isRunning
        ? running
        : .problem(
          subject, "another hub, of another data folder, listens at \(address)",
          remedy: "Choose another port for one of them, such as --listen \(other), or name its folder with --data.")
    }
  }

  /// True if the program that listens there answers like a hub, well or not.
  private static func isHub(_ plan: ServePlan, isRunning: Bool, on loop: EventLoop) async -> Bool {
    let url = plan.url(port: plan.address.port)
    let client = HTTPClient(loop: loop, userAgent: "eightbells/\(productVersion)", addresses: .anywhere)
    do throws(FetchError) {
      let body = try await client.fetch(FetchRequest("\(url)/healthz", timeout: 10, bodyLimit: 10_000)).body
      let text = String(decoding: body, as: UTF8.self)
      return text.contains("\"status\":\"ok\"") || text.contains("\"code\":50302")
    } catch {
      // The certificate is for the public name, not for this machine's address: the program that answers cannot be
      // identified, but a hub is running.
      if case .transfer(.insecure, _) = error { return isRunning }
      return false
    }
  }

  /// A finding about plain HTTP for a whole network.
  private static func exposure(_ plan: ServePlan) -> [Finding] {
    let host = plan.address.host
    guard plan.certificate.isEmpty, host != "localhost", IPAddress(host)?.isLoopback != true else { return [] }
    return [
      .warning(
        "encryption", "the hub listens at \(host.isEmpty ? "every address" : host) without it",
        remedy:
          "Others in the network can read tokens, and phones install no page. Set certificate and key, or listen at "
          + "127.0.0.1 behind a web server that has them: Docs/https.md")
    ]
  }
}
