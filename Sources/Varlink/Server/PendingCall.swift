/// A call that is being answered, as its connection keeps it. On the server's queue, which guards
/// what varies.
final class PendingCall: @unchecked Sendable {
  let message: CallMessage
  /// Whether several replies may be sent.
  let wantsMore: Bool
  /// Replies made while an earlier call was not answered yet.
  var held: [UInt8] = []
  var isDone = false
  /// Has sent a reply that announced others.
  var hasContinued = false
  /// Is answered by an event that may never come.
  var awaitsEvent = false
  /// Of memory, kept by who answers it.
  var keptBytes = 0
  var closeAction: (@Sendable () -> Void)?

  init(message: CallMessage, wantsMore: Bool) {
    self.message = message
    self.wantsMore = wantsMore
  }
}
