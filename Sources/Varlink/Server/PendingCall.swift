/// A connection's record of a call in progress. Used on the server's queue, which guards its state.
final class PendingCall: @unchecked Sendable {
  let message: CallMessage
  /// Several replies may be sent.
  let wantsMore: Bool
  /// Replies made before an earlier call was answered.
  var held: [UInt8] = []
  var isDone = false
  /// A reply with `continues` was sent.
  var hasContinued = false
  /// Waits for an event that may never come.
  var awaitsEvent = false
  /// Memory kept by its handler.
  var keptBytes = 0
  var closeAction: (@Sendable () -> Void)?

  init(message: CallMessage, wantsMore: Bool) {
    self.message = message
    self.wantsMore = wantsMore
  }
}
