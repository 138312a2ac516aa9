import EventLoop
import Glibc
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Settings
import Space
import Store

/// `eightbells serve`: puts the hub together and runs it until it is told to stop.
enum ServeCommand {
  /// All that can be set; the client's own variables are known here too, so that one environment serves both.
  static let settings = [
    Setting("data", "DIR", fallback: "data", help: "the folder everything is kept in", isInFile: false),
    Setting("listen", "HOST:PORT", fallback: "127.0.0.1:8080", help: "where to listen"),
    Setting(
      "certificate", "FILE", fallback: "", help: "a PEM file: HTTPS is served with it; SIGHUP reads it again"),
    Setting("key", "FILE", fallback: "", help: "the PEM file of the certificate's private key"),
    Setting(
      "public_url", "URL", fallback: "",
      help: "where people reach the hub, if that is not where they ask for a link, such as https://hub.example"),
    Setting(
      "loops", "N", fallback: "",
      help: "event loops, 1 to \(ServeLimits.loops); as many as there are cores if not given"),
    Setting(
      "calendar_folders", "DIR:DIR", fallback: "",
      help: "folders beside the data folder that calendars may be read from"),
    Setting(
      "reachable_networks", "CIDR,CIDR", fallback: "",
      help: "networks that calendars may come from although they are not the public Internet"),
    Setting(
      "google_calendar_base", "URL", fallback: "https://www.googleapis.com/calendar/v3",
      help: "where the Google Calendar API is"),
    Setting(
      "trusted_proxies", "CIDR,CIDR", fallback: "",
      help: "web servers in front of the hub whose X-Forwarded fields count"),
    Setting(
      "connections_per_address", "N", fallback: "\(ServerLimits.connectionsPerAddress)",
      help: "connections of one address (an IPv6 /64), sockets that are signed in not counted; 0 for any number"),
    Setting("log_level", "LEVEL", fallback: "info", help: "what the log tells: debug, info, warning or error"),
    Setting("log_format", "FORMAT", fallback: "text", help: "how it tells it: text, or json for other programs"),
    Setting("hub", "URL", fallback: "", help: "the hub that commands talk to", isInFile: false),
    Setting("token", "TOKEN", fallback: "", help: "the token that commands use", isInFile: false),
  ]
  static let served = settings.filter { !["hub", "token"].contains($0.name) }
  private static let options =
    served.map(\.option) + [
      Option("demo", help: "show a club that does not exist, in data-demo unless --data says else")
    ]

  private static let verb = Verb("serve", usage: "[OPTIONS]", options: options, summary: "Runs the hub.")
  private static let note = """
    Each option can also be a variable (EIGHTBELLS_LISTEN) or, but for --data, a line of DIR/eightbells.conf
    (listen = 127.0.0.1:8080). An option counts before a variable, a variable before the file.
    """

  static func run(_ words: [String]) throws(CommandError) {
    let arguments = try verb.parse(words, note: note)
    let isDemo = arguments.has("demo")
    let path = try dataPath(arguments, isDemo: isDemo)
    let configuration = try DataFolder.configurationText(in: path)
    let plan: ServePlan
    do throws(SettingsError) {
      let values = try Settings(settings, arguments: arguments, environment: environment(), file: configuration)
      plan = try ServePlan(values)
    } catch {
      throw CommandError(usage: error.message)
    }
    // Nothing is made before everything that was said is understood.
    let folder = try DataFolder(path)
    try folder.lock()

    keepNoLargeBlocks()
    raiseDescriptorLimit()
    SignalWatcher.block(Lifetime.signals)
    let time = SystemTime()
    let log = Log(time: time, threshold: plan.logLevel, format: plan.logFormat)
    if folder.closeToOthers() {
      log.warning("others on this machine can look into the data folder", ["folder": folder.path])
    }
    let loops = (0..<plan.loops).map { _ in EventLoop(time: time) }
    let lifetime = Lifetime(loops: loops, log: log)
    for (index, loop) in loops.enumerated().dropFirst() { loop.runInBackground(name: "loop-\(index)") }
    Task(executorPreference: loops[0]) {
      do throws(CommandError) {
        try await start(folder, plan, lifetime, isDemo: isDemo)
      } catch {
        printError("eightbells: \(error.message)")
        exit(1)
      }
    }
    loops[0].run()
    log.info("the hub has stopped")
  }

  /// Linux starts a program with 1,024 descriptors and lets it have more when it asks; every connection is one.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, rlim_t(ServerLimits.descriptors))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  static func dataPath(_ arguments: Arguments, isDemo: Bool) throws(CommandError) -> String {
    do throws(SettingsError) {
      let values = try Settings(settings, arguments: arguments, environment: environment(), file: nil)
      let isGiven = arguments.has("data") || environment()["EIGHTBELLS_DATA"] != nil
      return isDemo && !isGiven ? "data-demo" : values["data"]
    } catch {
      throw CommandError(usage: error.message)
    }
  }

  private static func start(
    _ folder: DataFolder, _ plan: ServePlan, _ lifetime: Lifetime, isDemo: Bool
  ) async throws(CommandError) {
    let (loop, log) = (lifetime.loop, lifetime.log)
    lifetime.watch()
    let tls = try plan.tlsContext()
    let hub: Hub
    do throws(StoreError) {
      let store = try await openStore(folder, time: loop.time)
      hub = Hub(
        loop: loop, time: loop.time, log: log, store: store, channels: Channels(loops: lifetime.loops),
        client: plan.client(on: loop), dataFolder: folder.path, readableFolders: plan.calendarFolders,
        publicURL: plan.publicURL, googleCalendarBase: plan.googleCalendarBase)
      if isDemo { try await fillDemo(hub) }
      try await hub.openPrivateChannels()
      hub.open(try await openRooms(hub))
    } catch {
      throw CommandError("\(error.description).")
    }
    let server = HTTPServer(
      loops: lifetime.loops, router: hub.router(isDemo: isDemo), log: log, tls: tls,
      trustedProxies: plan.trustedProxies, unbelieved: hub.unbelievedProxy,
      connectionsPerAddress: plan.connectionsPerAddress, metrics: hub.metrics)
    let port: Int
    do throws(ListenError) {
      port = try server.listen(plan.address)
    } catch {
      throw CommandError(error.message)
    }
    hub.run()
    lifetime.running = (server, hub, plan)
    try await greet(hub, plan, port, isDemo: isDemo)
  }

  /// The same tables for every command that opens the store.
  static let migrations = Hub.migrations + SpaceRoom.plan.migrations

  static func openStore(
    _ folder: DataFolder, time: any TimeSource, access: Store.Access = .owner
  ) async throws(StoreError) -> Store {
    defer { printProgress.finish() }
    return try await Store(
      path: folder.database, migrations: migrations, time: time, access: access,
      progress: { printProgress.show($0) })
  }

  static func openRooms(_ hub: Hub) async throws(StoreError) -> [any Room] {
    try await hub.place.load(from: hub.store)
    return [try await SpaceRoom(hub)]
  }

  private static func fillDemo(_ hub: Hub) async throws(StoreError) {
    do throws(SpaceDemo.Refusal) {
      try await SpaceDemo.fill(hub)
    } catch {
      printError("eightbells: \(error.message)")
      exit(1)
    }
  }

  /// Standard output gets the address, and in the demo a way to turn the sign; all else goes to the log.
  private static func greet(
    _ hub: Hub, _ plan: ServePlan, _ port: Int, isDemo: Bool
  ) async throws(CommandError) {
    let url = plan.url(port: port)
    print("Eightbells listens on \(url)")
    do throws(StoreError) {
      if isDemo {
        let token = try await hub.tokens.replace(name: "demo keykeeper", role: .keykeeper)
        print("Open the page, then turn the sign from another terminal:")
        print("  \(CommandLine.arguments[0]) space open --hub \(url) --token \(token)")
      }
      let address = plan.publicURL ?? url
      try await hub.links.note(hubAddress: address)
      let another = "\(CommandLine.arguments[0]) link --data \(hub.dataFolder) --role owner"
      if isatty(STDOUT_FILENO) == 1 {
        if let link = try await hub.links.setup() {
          print("Set it up: \(link.url(on: address))")
          print("  (good for \(Links.minutes) minutes; \(another) makes another)")
        }
      } else if try await !hub.links.hasOwner() {
        // A journal is read by others, and kept: whoever finds a link there becomes the owner.
        print("It has no owner yet. This makes the link that sets it up:")
        print("  \(another)")
      }
    } catch {
      throw CommandError("\(error.description).")
    }
    // All streams: Swift cannot name this one safely.
    fflush(nil)
  }
}
