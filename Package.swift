// swift-tools-version: 6.3
import PackageDescription

/// Settings of every Swift target in this package.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let strictC: [CSetting] = [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]

/// A Swift module in its group's folder; `group` is empty for one that stands alone.
func module(
  _ name: String, in group: String = "", _ needs: [Target.Dependency] = [], extra: [SwiftSetting] = [],
  exclude: [String] = []
) -> Target {
  let path = group.isEmpty ? "Sources/\(name)" : "Sources/\(group)/\(name)"
  return .target(name: name, dependencies: needs, path: path, exclude: exclude, swiftSettings: strict + extra)
}

/// Rules that also run in the browser: natively, what Embedded Swift lacks is an error.
func portable(_ name: String, _ needs: [Target.Dependency] = []) -> Target {
  module(name, in: "Portable", needs, extra: [.treatWarning("EmbeddedRestrictions", as: .error)])
}

/// A room: every app has the same folders and may import the same things.
func app(_ name: String, _ needs: [Target.Dependency] = []) -> Target {
  let common: [Target.Dependency] = [
    "Hub", "Realtime", "Server", "Wire", "Crypto", "Client", "Store", "Settings", "Observe", "Lifecycle",
    "EventLoop", "CivilTime",
  ]
  return module(name, in: "Apps", common + needs, exclude: ["README.md", "Web"])
}

/// A door to a C library: a module map and a shim of static inline functions for its macros and variadics.
func system(_ name: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Sources/System/\(name)", providers: [.apt([apt])])
}
func shim(_ name: String, settings: [CSetting] = [], links: [LinkerSetting] = []) -> Target {
  .target(name: name, path: "Sources/System/\(name)", cSettings: strictC + settings, linkerSettings: links)
}
func command(
  _ name: String, in folder: String = "Sources/Commands", _ needs: [Target.Dependency], links: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: needs, path: "\(folder)/\(name)", swiftSettings: strict, linkerSettings: links)
}
/// Nothing on the stack can be run, and the addresses of functions in libraries cannot be written over: they are looked
/// up at the start, and are only read from then on (full RELRO). Without a word the linker makes the stack executable,
/// since one object of Swift's static runtime, get-cpu-context.S.o, does not say that it needs no such stack.
let hardened: [LinkerSetting] = [
  .unsafeFlags(["noexecstack", "relro", "now"].flatMap { ["-Xlinker", "-z", "-Xlinker", $0] })
]
func tests(_ path: String, _ needs: [Target.Dependency]) -> Target {
  .testTarget(
    name: String(path.split(separator: "/").last!), dependencies: needs + ["World"], path: "Tests/\(path)",
    swiftSettings: strict)
}

let package = Package(
  name: "eightbells",
  products: [
    .executable(name: "eightbells", targets: ["Eightbells"]),
    .executable(name: "rules", targets: ["PortableWeb"]),
    .executable(name: "memorygraph", targets: ["MemoryTool"]),
    .library(name: "LeakTesting", targets: ["LeakTesting"]),
    .library(name: "memorygraph-shim", type: .dynamic, targets: ["MemoryShim"]),
    .library(name: "MemoryLook", targets: ["CMemoryLook"]),
    .executable(name: "victim", targets: ["Victim"]),
    .executable(name: "storetrial", targets: ["StoreTrial"]),
    .executable(name: "allocationbench", targets: ["AllocationBench"]),
    .executable(name: "calendarbench", targets: ["CalendarBench"]),
    .executable(name: "socketload", targets: ["SocketLoad"]),
  ],
  targets: [
    // Portable
    .target(name: "Platform", path: "Sources/Portable/Platform", cSettings: strictC),
    portable("CivilTime"),
    // System
    system("CSQLite", apt: "libsqlite3-dev"),
    system("CArchive", apt: "libarchive-dev"),
    system("COpenSSL", apt: "libssl-dev"),
    system("CZlib", apt: "zlib1g-dev"),
    system("CNghttp2", apt: "libnghttp2-dev"),
    system("CJansson", apt: "libjansson-dev"),
    system("CCurl", apt: "libcurl4-openssl-dev"),
    system("CIcal", apt: "libical-dev"),
    system("CGumbo", apt: "libgumbo-dev"),
    system("CFido", apt: "libfido2-dev"),
    system("CQrencode", apt: "libqrencode-dev"),
    shim("CLinux"),
    shim("CWebFiles", settings: [.headerSearchPath("../../../.build/web")]),
    shim("CPtrace"),
    // The file itself, and not the library beside it: `memorygraph` is to run where there is none.
    shim("CDeflate", links: [.linkedLibrary(":libz.a")]),
    shim("CMemoryView", settings: [.headerSearchPath("../../../.build/view")]),
    .systemLibrary(name: "CRemoteMirror", path: "Sources/System/CRemoteMirror"),
    .systemLibrary(name: "CMemoryLook", path: "Sources/System/CMemoryLook"),
    // Core
    module("Lifecycle", in: "Core", ["CivilTime", "CLinux"]),
    module("Observe", in: "Core", ["Lifecycle", "Wire", "CivilTime"]),
    module("Settings", in: "Core"),
    module("EventLoop", in: "Core", ["CLinux", "Lifecycle"]),
    module("Crypto", in: "Core", ["COpenSSL"]),
    module("Wire", in: "Core", ["Crypto", "CivilTime", "CJansson", "CNghttp2", "CZlib"]),
    module("Pictures", in: "Core", ["Wire"]),
    module("Server", in: "Core", ["EventLoop", "Wire", "Crypto", "Observe", "Lifecycle", "CLinux", "COpenSSL"]),
    module("Client", in: "Core", ["EventLoop", "Wire", "Lifecycle", "CCurl"]),
    module("Store", in: "Core", ["Crypto", "CSQLite", "CArchive", "Lifecycle"]),
    // What stands on it
    module("Markup", ["CGumbo"], exclude: ["README.md"]),
    module(
      "Calendar", ["Markup", "Client", "Wire", "Crypto", "Lifecycle", "CivilTime", "CIcal"], exclude: ["README.md"]),
    module("Realtime", ["Server", "Wire", "Crypto", "EventLoop"]),
    module(
      "Hub",
      [
        "Realtime", "Server", "Wire", "Crypto", "Client", "Store", "Settings", "Observe", "EventLoop", "Lifecycle",
        "CivilTime", "COpenSSL", "CQrencode", "CFido", "CZlib", "CWebFiles", "CLinux",
      ], exclude: ["Web"]),
    app("Space", ["Calendar", "Pictures"]),
    // The memory graph
    module("Capture", in: "MemoryGraph", ["Lifecycle", "CPtrace", "CLinux"]),
    module("Graph", in: "MemoryGraph", ["Capture", "CRemoteMirror", "CDeflate"]),
    module("Analysis", in: "MemoryGraph", ["Graph"]),
    module("Report", in: "MemoryGraph", ["Analysis", "Graph", "Capture", "CMemoryView"], exclude: ["View"]),
    module("LeakTesting", in: "MemoryGraph", ["CPtrace"]),
    // Preloaded into programs by `memorygraph run`; nothing is linked with it.
    .target(
      name: "MemoryShim", path: "Sources/MemoryGraph/Shim", cSettings: strictC,
      // SwiftPM links every library with Swift's own, but not Embedded Swift; programs in C are to load none of it.
      // Its calls are bound at once: while the program's threads stand still, one of them may hold the loader's lock.
      linkerSettings: [
        .unsafeFlags(["-enable-experimental-feature", "Embedded", "-Xlinker", "-z", "-Xlinker", "now"])
      ]),
    // Commands
    module(
      "MemoryCommand", in: "Commands",
      ["Capture", "Graph", "Analysis", "Report", "Settings", "Lifecycle", "CLinux"]),
    command("MemoryTool", ["MemoryCommand", "CLinux"], links: hardened),
    command(
      "Eightbells",
      [
        "Space", "Hub", "Realtime", "Server", "Wire", "Client", "Store", "Settings", "Observe", "EventLoop",
        "Lifecycle", "CivilTime", "MemoryCommand",
      ], links: hardened),
    command("PortableWeb", ["Platform", "CivilTime"]),
    command("AllocationBench", in: "Benchmarks", []),
    command("CalendarBench", in: "Benchmarks", ["Calendar", "CivilTime", "Lifecycle"]),
    command("StoreTrial", in: "Tests", ["Store", "Lifecycle"]),
    command("Victim", in: "Tests", ["CPtrace"]),
    command("SocketLoad", in: "Benchmarks", ["CLinux"]),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "Wire", "Crypto", "Pictures", "Markup", "Calendar", "Hub", "Space", "Store", "CivilTime", "Lifecycle", "World",
        "Graph",
        "Analysis",
        "Report",
      ],
      path: "Fuzz/Targets",
      swiftSettings: strict),
    // Tests
    .target(
      name: "World", dependencies: ["Lifecycle"], path: "Tests/World",
      // The fixtures of the tests in Python live in the same room.
      exclude: [
        "api.py", "authenticator.py", "calendar_server.py", "certificates.py", "faults.c", "faults.py", "firefox.py",
        "first_view.py", "frames.py", "google_calendar.py", "http2.py", "hub.py", "ics.py", "live.py",
        "make_calendar.py", "memory_page.py", "mixed_load.py", "page.py", "people_pages.py", "png.py", "programme.py",
        "qr.py", "sealed.py",
        "sanitizer.c", "slow_names.c", "spaceapi.py", "tsan.txt", "victims.py", "visits.py", "wire.py",
      ],
      swiftSettings: strict),
    .target(
      name: "HubWorld",
      dependencies: ["World", "Hub", "Realtime", "Client", "Store", "Observe", "EventLoop", "Lifecycle"],
      path: "Tests/HubWorld", swiftSettings: strict),
    tests("Tidy", []),
    tests("Portable/CivilTimeTests", ["CivilTime"]),
    tests("Core/EventLoopTests", ["EventLoop", "Lifecycle"]),
    tests("Core/CryptoTests", ["Crypto"]),
    tests("Core/WireTests", ["Wire", "CNghttp2"]),
    tests("Core/PicturesTests", ["Pictures", "Wire"]),
    tests("Core/ObserveTests", ["Observe", "Wire"]),
    tests("Core/ServerTests", ["Server", "Wire", "EventLoop", "Lifecycle", "Observe"]),
    tests("Core/ClientTests", ["Client", "Server", "Wire", "EventLoop", "Observe"]),
    tests("Core/StoreTests", ["Store", "Lifecycle"]),
    tests("Core/SettingsTests", ["Settings"]),
    tests("MemoryGraph/GraphTests", ["Graph", "Capture"]),
    tests("MemoryGraph/AnalysisTests", ["Analysis", "Graph"]),
    tests("MemoryGraph/ReportTests", ["Report", "Analysis", "Graph"]),
    tests("MemoryGraph/LeakTestingTests", ["LeakTesting"]),
    tests("MarkupTests", ["Markup", "CGumbo"]),
    tests("CalendarTests", ["Calendar", "Wire", "CivilTime", "Lifecycle", "CIcal"]),
    tests("RealtimeTests", ["Realtime", "Server", "Wire", "EventLoop", "Observe", "Lifecycle"]),
    tests(
      "HubTests",
      ["HubWorld", "Hub", "Server", "Realtime", "Store", "Wire", "Crypto", "EventLoop", "Lifecycle", "Observe"]),
    tests(
      "Apps/SpaceTests",
      [
        "Space", "Calendar", "Pictures", "HubWorld", "Hub", "Realtime", "Store", "Client", "Observe", "EventLoop",
        "CivilTime", "Lifecycle",
        "Wire",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
