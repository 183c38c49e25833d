/// Names an alarm on the screen: each machine counts its own numbers.
struct WatchedID: Hashable, ExpressibleByIntegerLiteral {
  var number: Int64
  /// The machine's index among those of the screen.
  var host: UInt8 = 0

  init(_ number: Int64, host: UInt8 = 0) { (self.number, self.host) = (number, host) }

  init(integerLiteral number: Int64) { self.number = number }
}
