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

/// A module of the package Base.
func base(_ name: String) -> Target.Dependency { .product(name: name, package: "Base") }

func module(_ name: String, _ needs: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: needs, path: "Sources/\(name)", exclude: exclude, swiftSettings: strict)
}

/// A module of C functions that Swift cannot call or express.
func shim(_ name: String, settings: [CSetting] = [], links: [LinkerSetting] = []) -> Target {
  .target(name: name, path: "Sources/System/\(name)", cSettings: strictC + settings, linkerSettings: links)
}
func command(_ name: String, at path: String, _ needs: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: needs, path: path, swiftSettings: strict, linkerSettings: hardened)
}
/// Against exploits: see Package.swift of the whole.
let hardened: [LinkerSetting] = [
  .unsafeFlags(["noexecstack", "relro", "now"].flatMap { ["-Xlinker", "-z", "-Xlinker", $0] })
]
func tests(_ name: String, _ needs: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: needs, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "memorygraph",
  products: [
    .executable(name: "memorygraph", targets: ["MemoryTool"]),
    .library(name: "LeakTesting", targets: ["LeakTesting"]),
    .library(name: "memorygraph-shim", type: .dynamic, targets: ["MemoryShim"]),
    .library(name: "MemoryLook", targets: ["CMemoryLook"]),
    .executable(name: "victim", targets: ["Victim"]),
    .executable(name: "allocationbench", targets: ["AllocationBench"]),
    .executable(name: "heapbench", targets: ["HeapBench"]),
  ],
  dependencies: [.package(path: "../Base")],
  targets: [
    // System
    shim("CPtrace"),
    // The static library, since `memorygraph` is to run on machines without the shared one.
    shim("CDeflate", links: [.linkedLibrary(":libz.a")]),
    shim("CMemoryView", settings: [.headerSearchPath("../../../.build/view")]),
    .systemLibrary(name: "CRemoteMirror", path: "Sources/System/CRemoteMirror"),
    .systemLibrary(name: "CMemoryLook", path: "Sources/System/CMemoryLook"),
    .systemLibrary(name: "CPrefetch", path: "Sources/System/CPrefetch"),
    // From a process' memory to the report
    module("Capture", ["CPtrace", base("Lifecycle"), base("CLinux")]),
    module("Graph", ["Capture", "CRemoteMirror", "CDeflate"]),
    module("Analysis", ["Graph", "CPrefetch"]),
    module("Report", ["Analysis", "Graph", "Capture", "CMemoryView"], exclude: ["View"]),
    module(
      "MemoryCommand",
      ["Capture", "Graph", "Analysis", "Report", base("Settings"), base("Lifecycle"), base("CLinux")]),
    command("MemoryTool", at: "Sources/MemoryTool", ["MemoryCommand"]),
    // In the process under examination
    module("LeakTesting", ["CPtrace"]),
    // Preloaded into programs by `memorygraph run`; nothing is linked with it.
    .target(
      name: "MemoryShim", path: "Sources/Shim", cSettings: strictC,
      // SwiftPM links every library with Swift's, although Embedded Swift needs none; programs in C are not to load
      // them. Symbols are bound at once: while the program's threads are stopped, one of them may hold the loader's
      // lock.
      linkerSettings: [
        .unsafeFlags(["-enable-experimental-feature", "Embedded", "-Xlinker", "-z", "-Xlinker", "now"])
      ]),
    // Tests
    command("Victim", at: "Tests/Victim", ["CPtrace"]),
    command("AllocationBench", at: "Benchmarks/AllocationBench", []),
    command("HeapBench", at: "Benchmarks/HeapBench", []),
    command("Fuzz", at: "Fuzz/Targets", ["Graph", "Analysis", "Report", "Capture"]),
    tests("GraphTests", ["Graph", "Capture"]),
    tests("AnalysisTests", ["Analysis", "Graph"]),
    tests("ReportTests", ["Report", "Analysis", "Graph", "Capture"]),
    tests("LeakTestingTests", ["LeakTesting"]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
