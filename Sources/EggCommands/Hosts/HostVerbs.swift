import Alarms
import ArgumentParser
import EggTime
import Gettext

extension HostName {
  /// Verbs that do not ask eggd. `-H` would promise what they do not do.
  static let localVerbs: [any ParsableCommand.Type] = [
    Resolve.self, Now.self, Times.self, Completion.self, Bridge.self,
  ]

  /// Verbs that add alarms, which are to ring there whoever is logged in.
  fileprivate static let addingVerbs: [any Verb.Type] = [
    Schedule.self, Hungry.self, Again.self, Boil.self, AnniversaryVerb.self, Import.self,
  ]
}

extension Surroundings {
  /// Runs a verb on other machines; all but `watch` serve one.
  func run(_ verb: any Verb, on names: [String]) throws {
    try Self.check(names, for: verb)
    if names.count > 1, let watch = verb as? Watch { return try watch.run(on: names, in: self) }
    let surroundings = try on(names[0], for: verb)
    output.rewordHint = surroundings.host?.hint
    try verb.run(in: surroundings)
    let adds = HostName.addingVerbs.contains { $0 == type(of: verb) }
    if let host = surroundings.host, adds, host.lingers == false {
      try output.hint(
        tr(
          "eggd on \(host.name.text) ends when you are logged out there; to keep it running: \(host.hint("loginctl enable-linger"))"
        ))
    }
  }

  /// Those of a verb on another machine, connected if it asks eggd. Throws ``Failure``.
  func on(_ name: String, for verb: any Verb) throws -> Surroundings {
    var surroundings = self
    guard name != HostName.own else { return surroundings }
    let host = RemoteHost(try HostName(name), now: now)
    surroundings.host = host
    // The service manager is this machine's.
    surroundings.unit = nil
    surroundings.now = { [now] in now() + host.clockLead }
    switch verb {
    case is Log: break
    case is Doctor: try host.openEggctl()
    default: try host.open()
    }
    return surroundings
  }

  /// Throws if the verb cannot serve these machines.
  static func check(_ hosts: [String], for verb: any Verb) throws(Failure) {
    let name = type(of: verb).configuration.commandName ?? ""
    if HostName.localVerbs.contains(where: { $0 == type(of: verb) }) {
      throw Failure(.usage, tr("\(name) does not ask eggd, so it takes no -H"), hint: "eggctl help \(name)")
    }
    guard hosts.count > 1, !(verb is Watch) else { return }
    throw Failure(
      .usage, tr("\(name) asks one machine; only watch shows several"),
      hint: "eggctl watch " + hosts.map { "-H \($0.shellQuoted)" }.joined(separator: " "))
  }
}

extension RemoteHost {
  /// A file there, whose path nobody here can complete or check. Throws ``Failure``.
  func file(_ path: String) throws -> String {
    guard path.hasPrefix("/") else {
      throw Failure(
        .usage, tr("'\(path.visible)' would be a file on \(name.text): enter its whole path there"))
    }
    return path
  }

  /// A command as it is entered here: eggctl asks that machine, other programs run there.
  func hint(_ text: String) -> String {
    let programs = ["systemctl ", "journalctl ", "loginctl "]
    if programs.contains(where: text.hasPrefix) { return name.command(text) }
    if text.hasPrefix("sudo ") { return name.command(text.inSingleQuotes, onTerminal: true) }
    return text.replacing("eggctl ", with: "eggctl -H \(name.text.shellQuoted) ")
      .replacing("eggctl -H \(name.text.shellQuoted) help", with: "eggctl help")
      .replacing("eggctl -H \(name.text.shellQuoted) --version", with: "eggctl --version")
  }
}
