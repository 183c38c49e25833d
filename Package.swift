// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

// For programs of a few system calls: without the Swift runtime they take 0.05 MB each instead of 7, and start in a third
// of the time. What eggd waits for at each ring must be quick.
let embedded = strict + [.enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo"])]

// What is installed needs nothing of the toolchain, and has no debug information but the names of functions,
// for the backtraces of coredumpctl(1).
func stripped(_ flags: [String]) -> [LinkerSetting] {
  [.unsafeFlags(flags + ["-use-ld=lld", "-Xlinker", "--strip-debug"], .when(configuration: .release))]
}

// A module compiled for the shared runtime names fewer libraries than the static one takes.
func linkedStatically(_ flags: [String]) -> [LinkerSetting] {
  stripped(flags + ["-l_FoundationCollections", "-l_FoundationCShims", "-lswiftSynchronization"])
}

// Packed relative relocations, and no table of names for libraries that would call the program, spare eggd 1.2 MB of
// memory each, and each program half a megabyte of its file.
let packed = ["-static-stdlib", "-Xlinker", "-zpack-relative-relocs", "-Xlinker", "--no-export-dynamic"]

let daemonsLinking = linkedStatically(packed + ["-l_FoundationICU", "-lCoreFoundation"])

let package = Package(
  name: "eggd",
  products: [
    .executable(name: "eggd", targets: ["eggd"]),
    .executable(name: "eggctl", targets: ["eggctl"]),
    .executable(name: "eggd-sound", targets: ["eggd-sound"]),
    .executable(name: "eggd-wake", targets: ["eggd-wake"]),
    .executable(name: "eggd-search", targets: ["eggd-search"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CLibc"),
    .target(name: "EmptyICU", cSettings: [.define("NDEBUG", .when(configuration: .release))]),
    .target(name: "LinuxIO", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "DBus", dependencies: ["CSystemd", "LinuxIO"], swiftSettings: strict),
    .target(name: "Gettext", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "EggTime", dependencies: ["CLinux", "LinuxIO", "Gettext"], swiftSettings: strict),
    .target(name: "Alarms", dependencies: ["EggTime", "Gettext"], swiftSettings: strict),
    .target(name: "Varlink", dependencies: ["CLinux", "LinuxIO"], swiftSettings: strict),
    .target(
      name: "EggProtocol", dependencies: ["EggTime", "Alarms", "Varlink", "LinuxIO"],
      resources: [.embedInCode("io.eggd.Schedule.varlink")], swiftSettings: strict),
    .target(name: "ICalendar", dependencies: ["EggTime", "Alarms", "Gettext"], swiftSettings: strict),
    .target(name: "Ringing", dependencies: ["EggTime", "Alarms", "Gettext"], swiftSettings: strict),
    .target(
      name: "EggStore",
      dependencies: [
        "EggTime", "Alarms", "Ringing", "LinuxIO", "CLinux",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(
      name: "EggDaemon",
      dependencies: [
        "EggTime", "Alarms", "Gettext", "Varlink", "EggProtocol", "Ringing", "EggStore", "LinuxIO",
        "DBus", "CSystemd", "CLinux", "EmptyICU",
      ],
      swiftSettings: strict),
    .target(
      name: "EggCommands",
      dependencies: [
        "EggTime", "Alarms", "Gettext", "Varlink", "LinuxIO", "EggProtocol", "ICalendar",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: ["bash", "zsh", "fish"].map { .embedInCode("Completion/eggctl.\($0)") },
      swiftSettings: strict),
    .executableTarget(
      name: "eggd", dependencies: ["EggDaemon", "EggProtocol", "Gettext"],
      swiftSettings: strict, linkerSettings: daemonsLinking),
    .executableTarget(
      name: "eggctl", dependencies: ["EggCommands"], swiftSettings: strict,
      linkerSettings: linkedStatically(["-static-executable"])),
    .executableTarget(
      name: "eggd-search", dependencies: ["DBus", "Gettext", "LinuxIO"], swiftSettings: strict,
      linkerSettings: stripped(packed)),
    .executableTarget(
      name: "eggd-sound", dependencies: ["CLibc"], swiftSettings: embedded,
      linkerSettings: stripped([]) + [.linkedLibrary("m")]),
    .executableTarget(
      name: "eggd-wake", dependencies: ["CLibc", "CLinux"], swiftSettings: embedded,
      linkerSettings: stripped([])),
    .target(name: "StrictClose", path: "Tests/EggTestSupport/StrictClose"),
    .target(
      name: "EggTestSupport",
      dependencies: [
        "EggTime", "Alarms", "Varlink", "EggProtocol", "Ringing", "EggStore", "LinuxIO", "CSystemd",
        "StrictClose",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/EggTestSupport", exclude: ["StrictClose"], swiftSettings: strict),
    .testTarget(
      name: "EggTimeTests", dependencies: ["EggTime", "Gettext", "EggTestSupport"], swiftSettings: strict),
    .testTarget(name: "AlarmsTests", dependencies: ["Alarms", "EggTime"], swiftSettings: strict),
    .executableTarget(
      name: "VarlinkCertification", dependencies: ["Varlink", "LinuxIO"], path: "Tests/VarlinkCertification",
      resources: [.embedInCode("org.varlink.certification.varlink")], swiftSettings: strict),
    .testTarget(
      name: "VarlinkTests",
      dependencies: ["Varlink", "LinuxIO", "CLinux", "EggTestSupport", "VarlinkCertification"],
      swiftSettings: strict),
    .testTarget(
      name: "EggProtocolTests",
      dependencies: ["EggProtocol", "Alarms", "EggTime", "Varlink", "EggTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RingingTests", dependencies: ["Ringing", "Alarms", "EggTime", "EggTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EggStoreTests",
      dependencies: [
        "EggStore", "Ringing", "Alarms", "EggTime", "LinuxIO", "CLinux", "EggTestSupport",
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EggDaemonTests",
      dependencies: [
        "EggDaemon", "EggStore", "Ringing", "EggProtocol", "Alarms", "EggTime", "Varlink", "LinuxIO",
        "CSystemd", "CLinux",
        "EggTestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ICalendarTests",
      dependencies: ["ICalendar", "Ringing", "Alarms", "EggTime", "EggTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "EggCommandsTests",
      dependencies: [
        "EggCommands", "EggProtocol", "Alarms", "EggTime", "Varlink", "LinuxIO", "EggTestSupport",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "eggd-bench",
      dependencies: ["EggProtocol", "EggTime", "Alarms", "Varlink", "EggTestSupport", "CSystemd", "CLinux"],
      path: "Tests/Benchmarks", exclude: ["run", "peers", "scale.svg", "shared-server.py"],
      swiftSettings: strict),
    .executableTarget(
      name: "eggd-simulate",
      dependencies: [
        "EggDaemon", "EggStore", "Ringing", "LinuxIO", "Alarms", "EggTime", "EggTestSupport",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Tests/Torture/Simulation", swiftSettings: strict, linkerSettings: daemonsLinking),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["EggProtocol", "EggTime", "Alarms", "Varlink", "LinuxIO", "CLinux", "EggTestSupport"],
      exclude: ["Scenarios"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
