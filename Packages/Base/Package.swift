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

// The modules that the hub and the memory graph share. Their tests are in the root's Tests.
let package = Package(
  name: "base",
  products: [
    .library(name: "CivilTime", targets: ["CivilTime"]),
    .library(name: "CLinux", targets: ["CLinux"]),
    .library(name: "Lifecycle", targets: ["Lifecycle"]),
    .library(name: "Settings", targets: ["Settings"]),
  ],
  targets: [
    // Also runs in the browser: in the native build too, using what Embedded Swift lacks is an error.
    .target(
      name: "CivilTime", path: "Sources/Portable/CivilTime",
      swiftSettings: strict + [.treatWarning("EmbeddedRestrictions", as: .error)]),
    .target(name: "CLinux", path: "Sources/System/CLinux", cSettings: strictC),
    .target(
      name: "Lifecycle", dependencies: ["CivilTime", "CLinux"], path: "Sources/Core/Lifecycle", swiftSettings: strict),
    .target(name: "Settings", path: "Sources/Core/Settings", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
