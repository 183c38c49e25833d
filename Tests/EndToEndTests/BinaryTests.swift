import Testing

@Suite("what make build leaves")
struct BinaryTests {
  private func readelf(_ option: String, _ path: String) throws -> String {
    let finished = try Finished.run(
      ["readelf", "--wide", option, path], environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
    #expect(finished.status == 0, "\(finished.errors)")
    return finished.output
  }

  @Test("eggctl is static")
  func eggctlIsStatic() throws {
    #expect(try !readelf("-d", Product.eggctl).contains("NEEDED"))
    #expect(try !readelf("-l", Product.eggctl).contains("INTERP"))
  }

  @Test("eggd needs libraries of Debian only, and no folder of the toolchain")
  func eggdNeeds() throws {
    let dynamic = try readelf("-d", Product.eggd).split(separator: "\n")
    let needed = dynamic.filter { $0.contains("(NEEDED)") }.compactMap {
      $0.split(separator: "[").last?.dropLast()
    }
    #expect(
      Set(needed.map(String.init)).isSubset(of: [
        "libsystemd.so.0", "libsqlite3.so.0", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6",
        "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1",
      ]), "\(needed)")
    #expect(needed.contains("libsystemd.so.0") && needed.contains("libsqlite3.so.0"))
    let paths = dynamic.filter { $0.contains("PATH)") }
    #expect(paths.allSatisfy { $0.contains("[$ORIGIN]") }, "\(paths)")
  }

  @Test("eggctl links neither SQLite nor libsystemd nor full Foundation")
  func eggctlLinksLittle() throws {
    let symbols = try readelf("-s", Product.eggctl)
    // 10Foundation is how a name of that module is mangled
    let found = ["20FoundationEssentials", "10Foundation", "sqlite3_", "sd_bus_", "sd_journal_", "udat_open"]
      .filter { symbols.contains($0) }
    #expect(found == ["20FoundationEssentials"])
  }

  @Test("systemd-analyze verify has nothing to say of the units")
  func unitsVerify() throws {
    let directory = try TemporaryDirectory()
    let finished = try Finished.run(
      [
        "bash", "-c",
        """
        sed "s|@bindir@|${1%/*}|; s|@libexecdir@|${1%/*}|" "$2/systemd/eggd.service" >"$3/eggd.service"
        sed "s|@libexecdir@|${1%/*}|" "$2/systemd/eggd-wake.service" >"$3/eggd-wake.service"
        cp "$2/systemd/eggd.socket" "$2/systemd/eggd-wake.socket" "$3"
        XDG_RUNTIME_DIR=$3 systemd-analyze verify --user --man=no "$3"/eggd{,-wake}.{service,socket}
        mkdir "$3/system"
        sed "s|@libexecdir@|${1%/*}|" "$2/systemd/eggd-wake@.service" >"$3/system/eggd-wake@.service"
        cp "$2/systemd/eggd-wake@.socket" "$3/system"
        systemd-analyze verify --man=no "$3"/system/eggd-wake@root.{service,socket}
        """, "bash", Product.eggd, Product.root, directory.path,
      ], environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path])
    #expect(finished.status == 0)
    #expect(finished.errors.isEmpty, "\(finished.errors)")
  }
}
