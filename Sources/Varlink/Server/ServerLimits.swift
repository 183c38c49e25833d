/// What one server grants its clients.
public struct ServerLimits: Sendable {
  /// Bytes of one call, without its NUL. A longer one closes the connection.
  public var messageBytes = 1 << 20
  /// Fields and elements in one call's parameters; more are InvalidParameter. Bounds the time that one call takes,
  /// which its bytes alone do not: half a million numbers fit a mebibyte.
  public var valuesPerCall = 16_384
  /// Open connections. One more takes the place of another (``Yielding``), so that a new call is always answered.
  public var connections = 512
  /// Bytes of memory that all connections hold together: messages that have not ended, calls in flight, replies that
  /// are not taken. Beyond that the largest holders are closed (``Yielding``).
  public var heldBytes = 64 << 20
  /// Calls of one connection that are not yet answered. At that many reading pauses.
  public var callsInFlight = 64
  /// Bytes of replies that a client has not taken. More closes the connection.
  public var unsentBytes = 4 << 20
  /// Bytes that one connection is read at a time.
  public var bytesPerTurn = 64 << 10
  /// Calls of one connection that are handled before the others have their turn.
  public var callsPerTurn = 16

  /// Generous for one person's programs.
  public static let standard = ServerLimits()

  /// The standard limits, to be changed.
  public init() {}
}
