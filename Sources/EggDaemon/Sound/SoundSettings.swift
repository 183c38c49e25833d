import Alarms
import EggTime

/// How rings are heard.
package struct SoundSettings: Hashable, Sendable {
  /// Of alarms without a sound of their own.
  package var usual: AlarmSound
  /// How long a sound is repeated; zero for once.
  package var lasting: TimeSpan
  /// Whether it begins at half volume.
  package var fadesIn: Bool

  package init(usual: AlarmSound = .usual, lasting: TimeSpan = .seconds(30), fadesIn: Bool = true) {
    self.usual = usual
    self.lasting = lasting
    self.fadesIn = fadesIn
  }

  /// What ``lasting`` may be, besides zero.
  package static let bounds = TimeSpan.seconds(1)...TimeSpan.seconds(600)
}
