import Testing

@Suite("hooks without a service manager")
struct HookTests {
  @Test("the examples of docs/hooks.md play a file, push to a phone, follow one another and blink a light")
  func examples() throws { try Scenario.run("hook-examples.sh") }
}
