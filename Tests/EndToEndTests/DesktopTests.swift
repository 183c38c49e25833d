import Testing

@Suite("eggd on a real session bus, with real notification servers")
struct DesktopTests {
  private let serverScript = [Product.testbed("with-notify-server")]

  @Test("dunst shows what rings, its actions work, and deletion closes the bubble")
  func dunst() throws { try Scenario.run("desktop-dunst.sh", below: serverScript + ["dunst"]) }

  @Test("xfce4-notifyd shows what rings, and a click dismisses")
  func xfce4() throws { try Scenario.run("desktop-xfce4.sh", below: serverScript + ["xfce4-notifyd"]) }

  @Test("a ring is heard with a server that plays no sounds, and without one, until it is answered")
  func sound() throws { try Scenario.run("sound.sh", below: serverScript + ["dunst"]) }

  @Test("Koreans read Korean in eggctl and bubbles, others English, and journal and JSON stay English")
  func languages() throws { try Scenario.run("languages.sh", below: serverScript + ["dunst"]) }

  @Test("without a bus rings are kept until there is one")
  func lateBus() throws { try Scenario.run("late-bus.sh") }
}
