// swift-tools-version: 6.3
import Foundation
import PackageDescription

/// Settings of every Swift target in this package.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
/// The same, for modules whose internals tests look at: `@testable import`.
let testable = strict + [.unsafeFlags(["-enable-testing"])]
/// What runs only for a while takes less time without the optimiser than that would take.
let quick: [SwiftSetting] = [.unsafeFlags(["-Onone"])]
let strictC: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

/// The dependencies of a target, by the names of modules of this package and of Packages/Base.
func needed(_ names: [String]) -> [Target.Dependency] {
  let base: Set = ["CivilTime", "CLinux", "Lifecycle", "Settings"]
  return names.map { base.contains($0) ? .product(name: $0, package: "Base") : .byName(name: $0) }
}

/// What a folder of Swift tests has besides Swift: the fixtures of the tests in Python.
func fixtures(in folder: String) -> [String] {
  let names = try? FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/" + folder)
  return (names ?? []).filter { !$0.hasSuffix(".swift") }.sorted()
}

/// A Swift module in its group's folder; `group` is empty for a module without one.
func module(
  _ name: String, in group: String = "", _ needs: [String] = [], exclude: [String] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  let path = group.isEmpty ? "Sources/\(name)" : "Sources/\(group)/\(name)"
  return .target(name: name, dependencies: needed(needs), path: path, exclude: exclude, swiftSettings: settings)
}

/// A room: every app has the same folders and the same dependencies.
func app(
  _ name: String, in folder: String = "Sources/Apps", _ needs: [String] = [], settings: [SwiftSetting] = strict
) -> Target {
  let common = [
    "Hub", "Realtime", "Server", "Wire", "Crypto", "Client", "Store", "Settings", "Terminal", "Observe", "Lifecycle",
    "EventLoop", "CivilTime",
  ]
  return .target(
    name: name, dependencies: needed(common + needs), path: "\(folder)/\(name)",
    exclude: ["README.md", "Web", "openapi.yaml"], swiftSettings: settings)
}

/// A C library: a module map and a shim of static inline functions for its macros and variadics.
func system(_ name: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Sources/System/\(name)", providers: [.apt([apt])])
}
func shim(_ name: String, settings: [CSetting] = []) -> Target {
  .target(name: name, path: "Sources/System/\(name)", cSettings: strictC + settings)
}
/// Swift's libraries in the program itself, so that it runs where no Swift is. Modules are compiled the same either
/// way, so the tests, which need Swift's libraries beside them, are linked with the modules of the programs.
/// Not for WebAssembly, whose libraries are others, and not for what imports Foundation, which needs more of them.
let alone: [LinkerSetting] = [.unsafeFlags(["-static-stdlib"])]
func command(
  _ name: String, in folder: String = "Sources/Commands", _ needs: [String], settings: [SwiftSetting] = strict,
  links: [LinkerSetting] = alone
) -> Target {
  .executableTarget(
    name: name, dependencies: needed(needs), path: "\(folder)/\(name)", swiftSettings: settings,
    linkerSettings: links)
}
/// Linker options against exploits: the stack is not executable, and the addresses of library functions are resolved at
/// the start and then read-only (full RELRO). By default the linker makes the stack executable, since one object of
/// Swift's static runtime, get-cpu-context.S.o, lacks the note that it needs no such stack.
let hardened: [LinkerSetting] =
  alone + [.unsafeFlags(["noexecstack", "relro", "now"].flatMap { ["-Xlinker", "-z", "-Xlinker", $0] })]
/// Debian's folders of GLib's headers, which libvips's include; one of them is on each machine.
let gLib = ["/usr/include", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"].flatMap {
  ["-isystem", $0 + "/glib-2.0" + ($0 == "/usr/include" ? "" : "/include")]
}
/// Tests of a program get its linker options with it; Testing has no static library.
func tests(_ path: String, _ needs: [String], exclude: [String] = []) -> Target {
  .testTarget(
    name: String(path.split(separator: "/").last!), dependencies: needed(needs + ["World"]), path: "Tests/\(path)",
    exclude: exclude, swiftSettings: strict + quick, linkerSettings: [.unsafeFlags(["-no-static-stdlib"])])
}

/// The rooms of `eightbells`.
let rooms = ["Space", "Programme", "Bells", "TalkingClock", "Anchor", "Backend", "Albums", "Portfolio"]

let package = Package(
  name: "eightbells",
  products: [
    .executable(name: "eightbells", targets: ["Eightbells"]),
    .library(name: "withoutpages", type: .static, targets: ["HubProgram"] + rooms),
    .executable(name: "eightbells-agent", targets: ["EightbellsAgent"]),
    .executable(name: "eightbells-pictures", targets: ["EightbellsPictures"]),
    .executable(name: "rules", targets: ["PortableWeb"]),
    .executable(name: "notifications", targets: ["NotificationsWeb"]),
    .executable(name: "speakingclock", targets: ["SpeakingClockWeb"]),
    .executable(name: "anchorwatch", targets: ["AnchorWatchWeb"]),
    .executable(name: "storetrial", targets: ["StoreTrial"]),
    .executable(name: "hubtrial", targets: ["HubTrial"]),
    .executable(name: "calendarbench", targets: ["CalendarBench"]),
    .executable(name: "anchorbench", targets: ["AnchorBench"]),
    .executable(name: "joinbench", targets: ["JoinBench"]),
    .executable(name: "socketload", targets: ["SocketLoad"]),
    .executable(name: "appleload", targets: ["AppleLoad"]),
    .executable(name: "webpushtrial", targets: ["WebPushTrial"]),
  ],
  dependencies: [.package(path: "Packages/Base")],
  targets: [
    // Portable
    .target(name: "Platform", path: "Sources/Portable/Platform", cSettings: strictC),
    .target(
      name: "Notifications", dependencies: needed(["CivilTime"]), path: "Sources/Portable/Notifications",
      exclude: ["README.md"], swiftSettings: strict + [.treatWarning("EmbeddedRestrictions", as: .error)]),
    .target(
      name: "SpeakingClock", dependencies: needed(["CivilTime"]), path: "Sources/Portable/SpeakingClock",
      exclude: ["README.md"], swiftSettings: strict + [.treatWarning("EmbeddedRestrictions", as: .error)]),
    .target(
      name: "AnchorWatch", path: "Sources/Portable/AnchorWatch", exclude: ["README.md"],
      swiftSettings: strict + [.treatWarning("EmbeddedRestrictions", as: .error)]),
    .target(
      name: "Leases", path: "Sources/Portable/Leases", exclude: ["README.md"],
      swiftSettings: strict + [.treatWarning("EmbeddedRestrictions", as: .error)]),
    // System
    system("CSQLite", apt: "libsqlite3-dev"),
    system("CPq", apt: "libpq-dev"),
    system("CArchive", apt: "libarchive-dev"),
    system("COpenSSL", apt: "libssl-dev"),
    system("CZlib", apt: "zlib1g-dev"),
    system("CNghttp2", apt: "libnghttp2-dev"),
    system("CJansson", apt: "libjansson-dev"),
    system("CCurl", apt: "libcurl4-openssl-dev"),
    system("CIcal", apt: "libical-dev"),
    system("CGumbo", apt: "libgumbo-dev"),
    system("CFido", apt: "libfido2-dev"),
    system("CMosquitto", apt: "libmosquitto-dev"),
    system("CQrencode", apt: "libqrencode-dev"),
    system("CPcre2", apt: "libpcre2-dev"),
    system("CAsound", apt: "libasound2-dev"),
    system("CSndfile", apt: "libsndfile1-dev"),
    system("CSamplerate", apt: "libsamplerate0-dev"),
    .target(
      name: "CVoices", path: "Sources/System/CVoices", publicHeadersPath: ".",
      cSettings: strictC + [.headerSearchPath("../../../.build/voices")]),
    shim("CSandbox"),
    .target(
      name: "CVips", path: "Sources/System/CVips", cSettings: strictC + [.unsafeFlags(gLib)],
      linkerSettings: ["vips", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }),
    // The pages are in programs alone: a changed one compiles no module again, and modules need not wait for them.
    .systemLibrary(name: "CWebFiles", path: "Sources/System/CWebFiles"),
    .target(
      name: "CPackedWebFiles", path: "Sources/System/CPackedWebFiles", publicHeadersPath: ".",
      cSettings: strictC + [.headerSearchPath("../CWebFiles"), .headerSearchPath("../../../.build/web")]),
    // Core
    module("Observe", in: "Core", ["Lifecycle", "Wire", "CivilTime"]),
    module("EventLoop", in: "Core", ["CLinux", "Lifecycle"]),
    module("Crypto", in: "Core", ["COpenSSL"]),
    module("Wire", in: "Core", ["Crypto", "CivilTime", "CJansson", "CNghttp2", "CZlib"]),
    module("Pictures", in: "Core", ["Wire"]),
    module("XML", in: "Core", []),
    module("Server", in: "Core", ["EventLoop", "Wire", "Crypto", "Observe", "Lifecycle", "CLinux", "COpenSSL"]),
    module("Client", in: "Core", ["EventLoop", "Wire", "CCurl"]),
    module("TCPClient", in: "Core", ["EventLoop", "Wire", "Crypto", "Lifecycle", "COpenSSL"], settings: testable),
    module("WebSocketClient", in: "Core", ["TCPClient", "EventLoop", "Wire", "Crypto"]),
    module("NATSClient", in: "Core", ["TCPClient", "EventLoop", "Wire", "Settings"]),
    module("MQTTClient", in: "Core", ["EventLoop", "Lifecycle", "CMosquitto"]),
    module("ObjectStore", in: "Core", ["Store", "Client", "EventLoop", "Wire", "Crypto", "Lifecycle", "CivilTime"]),
    module("Store", in: "Core", ["Crypto", "CSQLite", "CPq", "CArchive", "CLinux", "CZlib", "Lifecycle"]),
    module("Terminal", in: "Core", ["EventLoop", "Settings", "Observe", "Lifecycle"]),
    // What is based on Core
    module("Markup", ["CGumbo"], exclude: ["README.md"]),
    module(
      "Calendar", ["Markup", "XML", "Client", "Wire", "Crypto", "Lifecycle", "CivilTime", "CIcal"],
      exclude: ["README.md"]),
    module("Positions", ["AnchorWatch", "Wire", "CivilTime"], exclude: ["README.md"], settings: testable),
    module("Sound", ["SpeakingClock", "Wire", "CSndfile", "CSamplerate", "CVoices"], exclude: ["README.md"]),
    module(
      "Imaging", ["XML", "EventLoop", "Lifecycle", "Observe", "CivilTime", "CLinux"], exclude: ["README.md"],
      settings: testable),
    module(
      "Playback",
      ["Sound", "SpeakingClock", "CivilTime", "EventLoop", "Lifecycle", "Wire", "CAsound", "CLinux"],
      exclude: ["README.md"]),
    module("Objects", ["Wire", "Crypto", "CivilTime", "Lifecycle", "CPcre2"], exclude: ["README.md"]),
    module("Zip", ["CivilTime"], exclude: ["README.md"]),
    module("Uploads", ["Wire", "Crypto"], exclude: ["README.md"]),
    module("Galleries", ["Wire"], exclude: ["README.md"]),
    module(
      "Flickr", ["Galleries", "Markup", "Client", "Wire", "Crypto", "Lifecycle"], exclude: ["README.md"],
      settings: testable),
    module("Realtime", ["Server", "Client", "Wire", "Crypto", "EventLoop", "Observe", "Lifecycle"]),
    module(
      "Delivery", in: "Push", ["Store", "Wire", "EventLoop", "Observe", "Lifecycle", "CivilTime"],
      exclude: ["README.md"]),
    module(
      "Gateway", in: "Push",
      [
        "Delivery", "Server", "Wire", "Crypto", "EventLoop", "Lifecycle", "Observe", "Store", "CivilTime",
        "Notifications",
      ],
      exclude: ["README.md"]),
    module(
      "WebPush", in: "Push",
      ["Delivery", "Store", "Client", "Crypto", "Wire", "EventLoop", "Lifecycle", "Observe", "Notifications"],
      exclude: ["README.md"]),
    module(
      "APNs", in: "Push", ["Delivery", "Store", "Wire", "Crypto", "Notifications"], exclude: ["README.md"]),
    module(
      "APNsSender", in: "Push",
      [
        "APNs", "Delivery", "Store", "TCPClient", "Crypto", "Wire", "EventLoop", "Lifecycle", "Observe",
        "Notifications",
      ],
      exclude: ["README.md"]),
    module(
      "Webhooks", in: "Push",
      ["Delivery", "Store", "Client", "Crypto", "Wire", "EventLoop", "Lifecycle", "Observe", "CivilTime"],
      exclude: ["README.md"]),
    module(
      "Mail", in: "Push",
      ["Delivery", "Store", "Client", "Crypto", "Wire", "EventLoop", "Lifecycle", "Observe", "CivilTime"],
      exclude: ["README.md"]),
    module(
      "Hub",
      [
        "Realtime", "Server", "Wire", "Crypto", "Client", "Store", "ObjectStore", "Settings", "Terminal", "Observe",
        "EventLoop", "Lifecycle", "CivilTime", "COpenSSL", "CQrencode", "CFido", "CWebFiles", "CLinux",
        "NATSClient", "TCPClient",
      ], exclude: ["Web", "openapi.yaml"]),
    app("Space", ["Pictures"]),
    app("Programme", ["Calendar"]),
    module("Ntfy", in: "Push", ["Wire", "Crypto", "CivilTime"], exclude: ["README.md"]),
    app(
      "Bells",
      [
        "Delivery", "Gateway", "WebPush", "APNs", "APNsSender", "Webhooks", "Mail", "Ntfy", "Sealed", "Notifications",
        "Calendar",
      ], settings: testable),
    app("Anchor", ["Delivery", "Device", "AnchorWatch", "Leases", "Positions", "MQTTClient"], settings: testable),
    app("Backend", ["Webhooks", "Objects"], settings: testable),
    module(
      "Receiving", ["Hub", "Server", "Store", "Wire", "Settings", "EventLoop", "Lifecycle", "Uploads"],
      exclude: ["README.md"]),
    app("Albums", ["Imaging", "Uploads", "Receiving", "Zip"], settings: testable),
    app("Portfolio", ["Imaging", "Galleries", "XML", "Flickr", "Uploads", "Receiving"], settings: testable),
    app("TalkingClock", ["SpeakingClock", "Sound", "Playback", "CArchive", "Delivery"], settings: testable),
    module("Sealed", in: "Push", ["Crypto", "Wire", "Notifications"], exclude: ["README.md"]),
    module("Device", in: "Push", ["Wire", "CivilTime", "Notifications"], exclude: ["README.md"]),
    module(
      "Agent",
      [
        "Device", "Sealed", "WebSocketClient", "TCPClient", "Wire", "Crypto", "EventLoop", "Lifecycle", "Settings",
        "Terminal", "Observe", "Notifications", "CivilTime", "SpeakingClock", "Sound", "Playback", "AnchorWatch",
        "Positions",
      ],
      exclude: ["README.md"]),
    // Commands
    module(
      "HubProgram", in: "Commands",
      [
        "Agent", "Delivery", "Hub", "Realtime", "Server", "Wire", "Client", "Store", "Crypto", "Settings", "Terminal",
        "Observe", "EventLoop", "Lifecycle", "CLinux",
      ]),
    command("Eightbells", ["HubProgram", "Hub", "CPackedWebFiles"] + rooms, settings: testable, links: hardened),
    command("EightbellsAgent", ["Agent", "Crypto"], links: hardened),
    command("EightbellsPictures", ["Imaging", "CVips", "CSandbox", "CLinux"], links: hardened),
    command("PortableWeb", ["Platform", "CivilTime"], links: []),
    command("NotificationsWeb", ["Platform", "Notifications"], links: []),
    command("SpeakingClockWeb", ["Platform", "SpeakingClock", "CivilTime"], links: []),
    command("AnchorWatchWeb", ["Platform", "AnchorWatch"], links: []),
    command("AnchorBench", in: "Benchmarks", ["AnchorWatch"]),
    command("CalendarBench", in: "Benchmarks", ["Calendar", "CivilTime", "Lifecycle"]),
    command("JoinBench", in: "Benchmarks", ["Sound", "SpeakingClock"]),
    command("StoreTrial", in: "Tests", ["Store", "Crypto", "Lifecycle"]),
    command(
      "HubTrial", in: "Tests", ["HubWorld", "World", "Hub", "CPackedWebFiles", "Server", "Store", "Crypto", "Wire"],
      links: []),
    command("SocketLoad", in: "Benchmarks", ["CLinux"]),
    command(
      "AppleLoad", in: "Benchmarks",
      ["APNsSender", "Delivery", "TCPClient", "Wire", "Crypto", "EventLoop", "Lifecycle", "Observe"]),
    command("WebPushTrial", in: "Tests/Push", ["WebPush", "Client", "Crypto", "Wire", "EventLoop", "Lifecycle"]),
    .executableTarget(
      name: "Fuzz",
      dependencies: needed([
        "Wire", "Crypto", "Pictures", "XML", "Markup", "Calendar", "WebPush", "APNs", "Webhooks", "Notifications",
        "Hub",
        "CPackedWebFiles", "Sound", "Positions", "AnchorWatch", "Objects", "Imaging", "Uploads",
        "Space", "Store", "CivilTime", "Lifecycle", "World", "Delivery", "Gateway", "Ntfy", "Realtime",
        "Flickr", "Galleries", "Client", "EventLoop", "Agent", "Backend", "TalkingClock",
        "NATSClient",
      ]),
      path: "Fuzz/Targets",
      swiftSettings: strict + quick),
    // Tests
    .target(
      name: "World", dependencies: needed(["Lifecycle"]), path: "Tests/World",
      exclude: fixtures(in: "Tests/World"),
      swiftSettings: strict),
    .target(
      name: "HubWorld",
      dependencies: needed([
        "World", "Hub", "Realtime", "Server", "Wire", "Client", "Store", "Settings", "Observe", "EventLoop",
        "Lifecycle",
      ]),
      path: "Tests/HubWorld", swiftSettings: strict),
    // A room for tests, and a program with it and the real rooms.
    app("Kettle", in: "Tests/Fixtures/ToyRoom"),
    command("ToyHub", in: "Tests/Fixtures/ToyRoom", ["HubProgram", "Hub", "CPackedWebFiles", "Kettle"] + rooms),
    tests("Tidy", []),
    tests("Portable/CivilTimeTests", ["CivilTime"]),
    tests("Portable/NotificationsTests", ["Notifications", "CivilTime", "Wire", "Lifecycle"]),
    tests("Portable/SpeakingClockTests", ["SpeakingClock", "CivilTime", "Lifecycle", "Wire"]),
    tests("Portable/AnchorWatchTests", ["AnchorWatch", "Wire"]),
    tests("Portable/LeasesTests", ["Leases"]),
    tests("Core/EventLoopTests", ["EventLoop", "Lifecycle"]),
    tests("Core/CryptoTests", ["Crypto"]),
    tests("Core/WireTests", ["Wire", "CNghttp2"]),
    tests("Core/PicturesTests", ["Pictures"]),
    tests("Core/XMLTests", ["XML"]),
    tests("Core/ObserveTests", ["Observe", "Wire"]),
    tests("Core/ServerTests", ["Server", "Wire", "EventLoop", "Lifecycle", "Observe"]),
    tests("Core/ClientTests", ["Client", "Server", "Wire", "EventLoop", "Observe"]),
    tests("Core/WebSocketClientTests", ["WebSocketClient"]),
    tests("Core/MQTTClientTests", ["MQTTClient"]),
    tests("Core/NATSClientTests", ["NATSClient", "TCPClient", "EventLoop", "Lifecycle", "Wire"]),
    tests("Core/ObjectStoreTests", ["ObjectStore", "Store"]),
    tests("Core/StoreTests", ["Store", "Crypto", "Lifecycle"]),
    tests("Core/SettingsTests", ["Settings"]),
    tests("Push/DeviceTests", ["Device", "Wire", "Notifications", "Lifecycle"]),
    tests(
      "AgentTests",
      ["Agent", "Notifications", "Wire", "Playback", "SpeakingClock", "AnchorWatch", "Positions", "Device"]),
    tests("PositionsTests", ["Positions", "AnchorWatch", "Wire"]),
    tests("MarkupTests", ["Markup", "CGumbo"]),
    tests("CalendarTests", ["Calendar", "CivilTime", "Lifecycle", "CIcal"]),
    tests(
      "Push/WebPushTests",
      ["WebPush", "Delivery", "Store", "Client", "Crypto", "Wire", "EventLoop", "Lifecycle", "Observe"]),
    tests("Push/APNsSenderTests", ["APNsSender", "APNs", "Delivery", "Crypto", "Wire"]),
    tests("Push/APNsTests", ["APNs", "Delivery", "Store", "Crypto", "Wire", "Notifications"]),
    tests(
      "Push/WebhooksTests",
      ["Webhooks", "Delivery", "Store", "Client", "Wire", "EventLoop", "Lifecycle", "Observe"]),
    tests("Push/MailTests", ["Mail", "Delivery", "Store", "Client", "Wire", "EventLoop", "Lifecycle", "Observe"]),
    tests("ImagingTests", ["Imaging", "EventLoop", "Lifecycle", "Observe"], exclude: ["fake_decoder.py"]),
    tests("SoundTests", ["Sound", "SpeakingClock", "CSndfile"]),
    tests("PlaybackTests", ["Playback", "Sound", "SpeakingClock", "CivilTime", "EventLoop", "Lifecycle"]),
    tests("ZipTests", ["Zip", "CivilTime"]),
    tests("UploadsTests", ["Uploads", "Wire"]),
    tests("FlickrTests", ["Flickr", "Galleries", "Client", "Wire", "EventLoop", "Lifecycle"]),
    tests("ObjectsTests", ["Objects", "Wire"]),
    tests("RealtimeTests", ["Realtime", "Server", "Client", "Wire", "Crypto", "EventLoop", "Observe", "Lifecycle"]),
    tests("Push/DeliveryTests", ["Delivery", "Store", "Wire", "EventLoop", "Observe", "CivilTime"]),
    tests("Push/SealedTests", ["Sealed", "Wire", "Crypto", "Notifications"]),
    tests("Push/NtfyTests", ["Ntfy", "Wire", "CivilTime"]),
    tests(
      "Push/GatewayTests",
      [
        "Gateway", "WebPush", "Client", "Delivery", "Server", "Store", "Wire", "Crypto", "EventLoop", "Lifecycle",
        "Observe", "CivilTime",
      ]),
    tests(
      "HubTests",
      [
        "HubWorld", "Hub", "Kettle", "Server", "Store", "Wire", "Crypto", "Terminal", "EventLoop", "CivilTime",
        "Lifecycle", "Observe",
      ]),
    tests(
      "Apps/SpaceTests",
      ["Space", "Pictures", "HubWorld", "Hub", "Server", "Store", "Client", "CivilTime", "Lifecycle", "Wire"]),
    tests(
      "Apps/ProgrammeTests",
      [
        "Programme", "Space", "Albums", "Calendar", "HubWorld", "Hub", "Server", "Store", "Client", "Observe",
        "EventLoop", "CivilTime", "Lifecycle", "Wire",
      ]),
    tests("Apps/BellsTests", ["Bells", "HubWorld", "Hub", "Server", "Store", "Wire"]),
    tests(
      "Apps/AnchorTests",
      [
        "Anchor", "AnchorWatch", "Bells", "Delivery", "HubWorld", "Hub", "Server", "Store", "Crypto", "Wire",
        "MQTTClient",
      ]),
    tests(
      "Apps/TalkingClockTests",
      [
        "TalkingClock", "Bells", "Delivery", "SpeakingClock", "HubWorld", "Hub", "Server", "Store", "Crypto", "Wire",
      ]),
    tests(
      "Apps/BackendTests", ["Backend", "Objects", "HubWorld", "Hub", "Realtime", "Server", "Store", "Wire"]),
    tests(
      "Apps/AlbumsTests",
      ["Albums", "Receiving", "Imaging", "HubWorld", "Hub", "Server", "Store", "Crypto", "Wire"]),
    tests(
      "Apps/PortfolioTests",
      ["Portfolio", "Galleries", "Imaging", "HubWorld", "Hub", "Server", "Store", "Crypto", "Wire"]),
    tests(
      "Commands/EightbellsTests",
      [
        "Eightbells", "HubProgram", "HubWorld", "Hub", "Delivery", "TalkingClock", "Realtime", "Server", "Store",
        "Crypto", "Settings", "Terminal", "Wire",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)

// The sanitizer builds cover Core and Realtime only: EIGHTBELLS_CORE_ONLY=1 leaves out everything based on them. The
// simulations of devices would take the time that other tests wait for.
if Context.environment["EIGHTBELLS_CORE_ONLY"] == "1" {
  let core = ["Sources/System/", "Sources/Core/", "Sources/Realtime", "Tests/World", "Tests/Core/", "Tests/Realtime"]
  package.products = []
  package.targets.removeAll { target in !core.contains { target.path!.hasPrefix($0) } }
}
