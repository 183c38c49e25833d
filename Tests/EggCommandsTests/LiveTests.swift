import Glibc
import Testing

@testable import EggCommands

/// `eggctl monitor` and `eggctl next --follow` with a scripted daemon.
@Suite struct LiveTests {
  private static func alarm(_ number: Int, label: String) -> String {
    """
    {"number":\(number),"state":"scheduled","done":false,"category":"soft","eggs":2,"due":1795210860000000,\
    "label":"\(label)"}
    """
  }

  /// As `--json` prints it, members in alphabetical order.
  private static func shown(_ number: Int, label: String) -> String {
    """
    {"category":"soft","done":false,"due":1795210860000000,"eggs":2,"label":"\(label)","number":\(number),\
    "state":"scheduled"}
    """
  }

  private static func told(_ part: String, _ sequence: Int, _ rest: String = "") -> String {
    "{\"parameters\":{\"part\":\"\(part)\",\"sequence\":\(sequence)\(rest)},\"continues\":true}"
  }

  private static let denied = "{\"error\":\"org.varlink.service.PermissionDenied\"}"
  private static let deniedMessage = "eggctl: error: eggd serves only the user who runs it\n"

  @Test("monitor prints a line for each change, and says so if it was too slow")
  func monitor() throws {
    let old = Self.alarm(12, label: "soft")
    let new = Self.alarm(12, label: "soft \\u001b 한글")
    let (run, calls) = try Run.eggctl(
      "monitor",
      answers: [
        .messages([
          Self.told("ready", 7), Self.told("change", 8, ",\"new\":\(old)"),
          Self.told("change", 9, ",\"old\":\(old),\"new\":\(new)"),
          Self.told("groups", 9, ",\"groups\":[{\"name\":\"Sunday\",\"alarms\":1,\"done\":0,\"eggs\":2}]"),
          Self.told("startOver", 10),
          Self.told("ready", 10), Self.told("change", 11, ",\"old\":\(new)"),
          "{\"error\":\"io.eggd.Schedule.TooSlow\"}",
        ])
      ])
    let shownOld = Self.shown(12, label: "soft")
    let shownNew = Self.shown(12, label: "soft \\u001b 한글")
    #expect(
      run
        == Run(
          status: .refused,
          output: """
            {"ready":true,"sequence":7}
            {"new":\(shownOld),"sequence":8}
            {"new":\(shownNew),"old":\(shownOld),"sequence":9}
            {"groups":[{"alarms":1,"done":0,"eggs":2,"name":"Sunday"}],"sequence":9}
            {"sequence":10,"startOver":true}
            {"ready":true,"sequence":10}
            {"old":\(shownNew),"sequence":11}

            """,
          messages: """
            eggctl: error: the output was read too slowly, so eggd closed the stream
            eggctl: hint: start again; eggctl list and eggctl history show what you missed

            """))
    #expect(calls.count == 1 && calls[0].contains("\"pages\":false"))
  }

  @Test("monitor --list prints the alarms first, and starts over after eggd was away")
  func list() throws {
    let page = Self.told("page", 7, ",\"alarms\":[\(Self.alarm(1, label: "a")),\(Self.alarm(2, label: "b"))]")
    let (run, calls) = try Run.eggctl(
      "monitor", "--list",
      answers: [
        .lastMessages([page, Self.told("ready", 7)]), .hangUp,
        .messages([Self.told("ready", 9), Self.denied]),
      ])
    #expect(
      run
        == Run(
          status: .notPermitted,
          output: """
            {"new":\(Self.shown(1, label: "a")),"sequence":7}
            {"new":\(Self.shown(2, label: "b")),"sequence":7}
            {"ready":true,"sequence":7}
            {"sequence":9,"startOver":true}
            {"ready":true,"sequence":9}

            """, messages: Self.deniedMessage))
    #expect(calls.allSatisfy { !$0.contains("pages") })
  }

  private static func listed(_ alarms: String...) -> ScriptedDaemon.Answer {
    .messages([
      "{\"parameters\":{\"alarms\":[\(alarms.joined(separator: ","))],\"totals\":{\"alarms\":1,\"eggs\":1}}}"
    ])
  }

  @Test(
    "next --format fills in placeholders",
    arguments: [
      ("{left} {label}", "6 min 30 s two soft ones"), ("{due}|{time}", "2026. 11. 20. 21:41:00|21:41"),
      ("#{number} {eggs} {category} {state}{group}", "#12 2 soft scheduled"), ("{{left}} }{", nil),
      ("{{left}} }", "{left} }"), ("", ""), ("\u{1b}[2J", "\\u{1b}[2J"),
    ] as [(String, String?)])
  func format(format: String, text: String?) throws {
    let run = try Run.eggctl(
      "next", "--format", format, answers: [Self.listed(Self.alarm(12, label: "two soft ones"))]
    ).run
    if let text { #expect(run == .said(text + "\n")) } else { #expect(run.status == .usage) }
  }

  @Test("next --format prints an empty line if no alarm is waiting")
  func formatOfNothing() throws {
    #expect(try Run.eggctl("next", "--format", "{left}", answers: [Self.listed()]).run == .said("\n"))
  }

  @Test("An unknown placeholder is refused with the known ones, before any call")
  func usage() {
    #expect(
      Run.alone("next", "--format", "{lft}")
        == .failed(
          .usage,
          """
          eggctl: error: there is no placeholder '{lft}'
          eggctl: hint: {left} {label} {number} {due} {time} {eggs} {category} {state} {group}

          """))
    #expect(
      Run.alone("next", "--format", "a {left")
        == .failed(.usage, "eggctl: error: '{left' is not closed\neggctl: hint: '{{' is a brace\n"))
    #expect(Run.alone("next", "--plain").status == .usage)
    #expect(Run.alone("next", "--follow", "--json").status == .usage)
    #expect(Run.alone("next", "--format", "{left}", "-q").status == .usage)
  }

  @Test("next --follow asks after changes that may concern it, and prints only new lines")
  func follow() throws {
    let soft = Self.alarm(12, label: "soft")
    let (run, calls) = try Run.eggctl(
      "next", "--follow",
      answers: [
        .lastMessages([Self.told("ready", 7)]), Self.listed(soft),
        .lastMessages([Self.told("ready", 8)]), Self.listed(soft),
        .lastMessages([Self.told("ready", 9)]), Self.listed(),
        .messages([Self.denied]),
      ])
    #expect(
      run
        == Run(
          status: .notPermitted,
          output: """
            {"alt":"scheduled","class":"scheduled","text":"6 min 30 s soft",\
            "tooltip":"#12 2026. 11. 20. 21:41:00 soft"}
            {"alt":"none","class":"none","text":"","tooltip":"no alarm is waiting"}

            """, messages: Self.deniedMessage))
    #expect(calls.count == 7)
  }
}
