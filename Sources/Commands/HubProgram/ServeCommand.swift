import EventLoop
import Glibc
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Settings
import Store
import Terminal

/// `eightbells serve`: composes the hub and runs it until it is stopped.
struct ServeCommand {
  let rooms: RoomList

  private var verb: Verb {
    let demo = Option(
      "demo", help: "show a club that does not exist, in data-demo unless --data says else, in German if LANG is")
    return Verb(
      "serve", usage: "[OPTIONS]", options: ServeSettings.served(rooms).map(\.option) + [demo],
      summary: "Runs the hub.")
  }
  private static let note = """
    Each option can also be a variable (EIGHTBELLS_LISTEN) or, but for --data, a line of DIR/eightbells.conf
    (listen = 127.0.0.1:8080). An option counts before a variable, a variable before the file.
    """

  func run(_ words: [String]) throws(CommandError) {
    let arguments = try verb.parse(words, note: Self.note)
    let isDemo = arguments.has("demo")
    let path = try ServeSettings.dataPath(arguments, rooms, isDemo: isDemo)
    let configuration = try DataFolder.configurationText(in: path)
    let plan: ServePlan
    do throws(SettingsError) {
      plan = try ServePlan(ServeSettings.values(rooms, arguments, file: configuration), rooms)
    } catch {
      throw CommandError(usage: error.message)
    }
    // Nothing is created before all settings are valid.
    try Self.check(store: plan.options["store"], isOnCommandLine: arguments.has("store"))
    if DataFolder.isBucket(plan.options["blobs"]) { _ = try DataFolder.bucket(plan.options["blobs"]) }
    if NATSBus.hasSecret(plan.options["bus"]), arguments.has("bus") {
      throw CommandError(
        usage: "--bus: a password on the command line can be seen by others; use EIGHTBELLS_BUS, or the line bus = … "
          + "in eightbells.conf.")
    }
    var folder = try DataFolder(path)
    try folder.lock()
    try folder.use(store: plan.options["store"])
    try folder.use(blobs: plan.options["blobs"])

    keepNoLargeBlocks()
    Self.raiseDescriptorLimit()
    SignalWatcher.block(Lifetime.signals)
    let time = SystemTime()
    let log = Log(time: time, threshold: plan.logLevel, format: plan.logFormat)
    if folder.closeToOthers() {
      log.warning("others on this machine can look into the data folder", ["folder": folder.path])
    }
    if folder.server == nil, let kind = FolderCheck.networkFileSystem(at: folder.path) {
      log.warning(
        "the data folder is where a database's locks may not work, and data can be lost",
        ["folder": folder.path, "file_system": kind])
    }
    let loops = (0..<plan.loops).map { _ in EventLoop(time: time) }
    let lifetime = Lifetime(loops: loops, log: log, notice: ServiceNotice(environment(), loop: loops[0]))
    for (index, loop) in loops.enumerated().dropFirst() { loop.runInBackground(name: "loop-\(index)") }
    // The loop that it runs on lasts as long as the program, and a start that fails ends both.
    Task(executorPreference: loops[0]) { [folder] in
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

  /// - Parameter isOnCommandLine: true if everybody on the machine can see it.
  private static func check(store: String, isOnCommandLine: Bool) throws(CommandError) {
    if ["", "file"].contains(store) { return }
    let address: ServerAddress
    do throws(StoreError) { address = try ServerAddress(store) } catch { throw CommandError(storeError: error) }
    if address.hasPassword, isOnCommandLine {
      throw CommandError(
        usage: "--store: a password on the command line can be seen by others; use ?passfile=FILE in the address, "
          + "EIGHTBELLS_STORE, or the line store = … in eightbells.conf.")
    }
  }

  /// Linux starts a program with 1,024 descriptors and permits more on request; every connection needs one.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, rlim_t(ServerLimits.descriptors))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private func start(
    _ folder: DataFolder, _ plan: ServePlan, _ lifetime: Lifetime, isDemo: Bool
  ) async throws(CommandError) {
    let (loop, log) = (lifetime.loop, lifetime.log)
    let bus = try plan.bus(folder, loop: loop, log: log)
    lifetime.watch()
    let tls = try plan.tlsContext()
    if folder.server == nil, Store.isCopyOfOpen(folder.database) {
      log.warning("the data folder was copied while a hub had it open: its last changes may be missing")
    }
    let store: Store
    do throws(StoreError) {
      store = try await folder.openStore(rooms, time: loop.time) { file in
        log.info("the records are brought up to date", ["version": productVersion, "backup": file])
      } getsOn: {
        lifetime.startGetsOn()
      }
    } catch {
      var failure = CommandError(storeError: error)
      switch error.code {
      // SQLite has the same few words for a disk without room, one that fails, and one that it cannot work on.
      case .open where folder.server == nil, .sqlite:
        failure.message += " `eightbells doctor --data \(folder.path.shellWord)` says more."
      default: break
      }
      throw failure
    }
    let hub = try await plan.setup(folder).open(
      store, on: lifetime.loops, log: log, serves: true, isDemo: isDemo, bus: bus)
    do throws(StoreError) {
      try await hub.openPrivateChannels()
      try await hub.tellReturnedRooms()
    } catch {
      throw CommandError(storeError: error)
    }
    let server = HTTPServer(
      loops: lifetime.loops, router: hub.router(isDemo: isDemo, limitsRates: plan.limitsRates), log: log, tls: tls,
      trustedProxies: plan.trustedProxies, unbelieved: hub.unbelievedProxy,
      connectionsPerAddress: plan.connectionsPerAddress, metrics: hub.metrics)
    let port: Int
    var others: [String] = []
    do throws(ListenError) {
      port = try server.listen(plan.address)
      for room in hub.rooms { others += try await room.listen() }
    } catch {
      throw CommandError(error.message)
    }
    if plan.hasNetworkURL { hub.findNetworkURL { plan.networkURL(port: port) } }
    hub.run(hub.rooms.flatMap(\.receivers))
    lifetime.running = (server, hub, plan)
    lifetime.listen(for: folder, hub)
    try await greet(hub, plan, port, others, isDemo: isDemo)
    lifetime.notice.ready()
  }

  /// Prints the address to standard output, the lines of rooms that listen, and suggestions in the demonstration;
  /// everything else goes to the log, which has the address, too, unless both are on one terminal.
  private func greet(
    _ hub: Hub, _ plan: ServePlan, _ port: Int, _ others: [String], isDemo: Bool
  ) async throws(CommandError) {
    let url = plan.url(port: port)
    if isatty(STDERR_FILENO) != 1 { hub.log.info("the hub listens", ["url": url, "version": productVersion]) }
    print("Eightbells listens on \(url)")
    let near = hub.networkURL
    if let near {
      print("Devices in your network find it at \(near)")
    } else if plan.hasNetworkURL, ContainerNetwork.isApart() {
      print("It cannot see from inside a container where others find it: EIGHTBELLS_PUBLIC_URL tells it.")
    }
    for line in others { print(line) }
    if isDemo { try await hint(hub, plan, url) }
    do throws(StoreError) {
      let address = plan.publicURL ?? near ?? url
      try await hub.links.note(hubAddress: address)
      let another = "\(CommandLine.arguments[0].shellWord) link --data \(hub.dataFolder.shellWord) --role owner"
      if isatty(STDOUT_FILENO) == 1 {
        if let link = try await hub.links.setup() {
          print("Set it up: \(link.url(on: address))")
          print("  (good for \(Links.minutes) minutes; \(another) makes another)")
        }
      } else if try await !hub.links.hasOwner() {
        // Not the link itself: a journal is read by others, and kept, and whoever finds a link becomes the owner.
        print("It has no owner yet. This makes the link that sets it up:")
        print("  \(another)")
      }
    } catch {
      throw CommandError(storeError: error)
    }
    // All streams, since Swift cannot name this one safely.
    fflush(nil)
  }

  private func hint(_ hub: Hub, _ plan: ServePlan, _ url: String) async throws(CommandError) {
    do {
      for room in plan.on {
        for line in try await room.demoHints(hub, program: CommandLine.arguments[0].shellWord, url: url) { print(line) }
      }
    } catch {
      throw CommandError("\(error).")
    }
  }
}
