import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Testing

@testable import EggDaemon

@Suite("The file of the settings")
struct ConfigurationFileTests {
  private func place() throws -> String {
    var template = Array("/tmp/eggd-config.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func write(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = text.utf8.withContiguousStorageIfAvailable { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  private func mistake(_ path: String) -> String? {
    do throws(ConfigurationMistake) {
      _ = try ConfigurationFile.contents(path)
      return nil
    } catch { return error.reason }
  }

  @Test("It lies where the XDG variables say; a relative one is ignored")
  func path() {
    #expect(ConfigurationFile.path(["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/eggd/config.toml")
    #expect(ConfigurationFile.path(["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/eggd/config.toml")
    #expect(ConfigurationFile.path(["XDG_STATE_HOME": "/s"]) == nil)
  }

  @Test("A missing file is none; one that cannot be read is a mistake, and never a wait")
  func kinds() throws {
    let place = try place()
    defer { for name in ["", "/file", "/fifo", "/large"] { remove(place + name) } }
    #expect(try ConfigurationFile.contents(place + "/file") == nil)
    #expect(try ConfigurationFile.contents("/dev/null/eggd/config.toml") == nil)
    write("snooze = \"1m\"", to: place + "/file")
    #expect(try ConfigurationFile.contents(place + "/file") == Array("snooze = \"1m\"".utf8))
    #expect(mkfifo(place + "/fifo", 0o600) == 0)
    #expect(mistake(place + "/fifo") == "is not a regular file")
    #expect(mistake(place) == "is not a regular file")
    #expect(mistake("/dev/zero") == "is not a regular file")
    write(String(repeating: "#", count: ConfigurationFile.largest), to: place + "/large")
    #expect(mistake(place + "/large") == nil)
    write(String(repeating: "#", count: ConfigurationFile.largest + 1), to: place + "/large")
    #expect(mistake(place + "/large") == "is larger than 65536 bytes")
    remove(place + "/file")
    symlink("file", place + "/file")
    defer { remove(place + "/file") }
    #expect(mistake(place + "/file")?.hasPrefix("cannot be read: ") == true)
  }

  @Test("A file that another user could change is a mistake")
  func exposed() throws {
    let place = try place()
    defer { for name in ["/file", ""] { remove(place + name) } }
    write("snooze = \"1m\"", to: place + "/file")
    for (path, mode, reason) in [
      (place + "/file", 0o646, "it can be written by anybody"), (place + "/file", 0o664, nil),
      (place, 0o777, "anybody can replace what is in '\(place)'"), (place, 0o1777, nil),
    ] as [(String, mode_t, String?)] {
      chmod(path, mode)
      #expect(mistake(place + "/file") == reason)
      chmod(path, path == place ? 0o700 : 0o600)
    }
  }

  @Test("The command line wins over the file")
  func commandLine() throws {
    let place = try place()
    let folder = place + "/eggd"
    mkdir(folder, 0o700)
    defer { for name in ["/eggd/config.toml", "/eggd", ""] { remove(place + name) } }
    write("snooze = \"1m\"\nsound = \"bell\"\ntitle = \"Up!\"\n", to: folder + "/config.toml")
    let invocation = try Configuration.read(
      arguments: ["--snooze", "2m"], environment: ["HOME": "/h", "XDG_CONFIG_HOME": place])
    guard case .run(let configuration) = invocation else { return #expect(Bool(false)) }
    let settings = try #require(configuration.readSettings().settings)
    #expect(settings.snooze == [.span(.seconds(120))])
    #expect(settings.heard.usual == .named("bell"))
    #expect(settings.places == [.snooze: .commandLine, .sound: .file(line: 2), .title: .file(line: 3)])
  }
}
