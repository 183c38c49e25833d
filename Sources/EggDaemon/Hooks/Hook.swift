import Alarms
import Ringing

/// One command that runs because of one ring.
package struct Hook: Sendable {
  /// Of the alarm's own command its text, of a program in `on-ring.d` its path.
  var name: String
  /// The program first.
  var words: [String]
  var ring: RingID
  var number: Int64
  /// `EGG_…` variables, as the entry of the ring in the journal has them.
  var variables: [(name: String, value: String)]

  init(_ notice: Notice, name: String, words: [String]) {
    (self.name, self.words) = (name, words)
    ring = notice.ring
    number = notice.number
    variables = notice.record.fields
  }

  /// How long a hook may run, in seconds.
  package static let patience = 600
}
