/// The one door to the clocks. Tests pass in a clock of their own.
package protocol Clock: Sendable {
  /// All clocks at one moment.
  func read() -> ClockReading
}
