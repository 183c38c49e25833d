public struct ServerLimits: Sendable {
  /// Bytes of a call, without its NUL. A longer one closes the connection.
  public var messageBytes = 1 << 20
  /// Fields and elements in a call's parameters; more is InvalidParameter. Bounds the time of a call, which
  /// bytes alone do not: half a million numbers fit into a mebibyte.
  public var valuesPerCall = 16_384
  /// Open connections. A further one replaces another, so that a new call is always answered.
  public var connections = 512
  /// Memory of all connections in bytes: incomplete messages, calls in flight, replies not taken. Beyond it
  /// the largest holders are closed.
  public var heldBytes = 64 << 20
  /// Unanswered calls of a connection. At this many, reading pauses.
  public var callsInFlight = 64
  /// Bytes of replies that a client has not taken. More closes the connection.
  public var unsentBytes = 4 << 20
  /// Bytes read from a connection at a time.
  public var bytesPerTurn = 64 << 10
  /// Calls of a connection handled before the others get their turn.
  public var callsPerTurn = 16

  public static let standard = ServerLimits()

  public init() {}
}
