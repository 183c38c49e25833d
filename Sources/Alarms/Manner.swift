import EggTime

/// What an alarm shows, plays and does when it rings. These fields go with it everywhere, by their row in ``fields``.
///
/// Values are as the wire and the database have them; nil is absent.
public struct Manner: Hashable, Sendable {
  /// The notification's summary; nil for `Wait!`.
  public var summary: String?
  /// The notification's body; nil for `Your eggs are almost done!`.
  public var body: String?
  /// An icon's name or file; nil for eggd's own.
  public var icon: String?
  /// More of the person's own words than a label holds.
  public var note: String?
  /// The text of an ``AlarmSound``; nil for eggd's usual sound.
  public var sound: String?
  /// How often it repeats bubble and sound until it is answered; nil for never.
  public var insist: TimeSpan?
  /// The text of an ``AlarmCommand`` that runs; nil for nothing of its own.
  public var run: String?
  /// Whether the machine wakes from suspend for it; nil for no.
  public var wake: Bool?
  /// How long a ring waits for an answer before it counts as unanswered; nil for ever, see ``patience``.
  public var unansweredAfter: TimeSpan?
  /// The text of an ``AlarmCommand`` that runs when a ring counts as unanswered; nil for nothing of its own.
  public var runUnanswered: String?

  public init(
    summary: String? = nil, body: String? = nil, icon: String? = nil, note: String? = nil,
    sound: String? = nil, insist: TimeSpan? = nil, run: String? = nil, wake: Bool? = nil,
    unansweredAfter: TimeSpan? = nil, runUnanswered: String? = nil
  ) {
    self.summary = summary
    self.body = body
    self.icon = icon
    self.note = note
    self.sound = sound
    self.insist = insist
    self.run = run
    self.wake = wake
    self.unansweredAfter = unansweredAfter
    self.runUnanswered = runUnanswered
  }

  /// What comes from others brings no commands.
  public var withoutCommands: Manner {
    var manner = self
    (manner.run, manner.runUnanswered) = (nil, nil)
    return manner
  }

  /// How long a ring waits for an answer; nil for ever.
  public var patience: TimeSpan? { unansweredAfter ?? runUnanswered.map { _ in Limits.usualPatience } }

  public var hasCommands: Bool { [run, runUnanswered].contains { $0?.isEmpty == false } }

  /// In the order of the wire.
  public static let fields: [Field] = [
    Field(.summary, { $0.summary }, { $0.summary = $1 }),
    Field(.body, { $0.body }, { $0.body = $1 }),
    Field(.icon, { $0.icon }, { $0.icon = $1 }),
    Field(.note, { $0.note }, { $0.note = $1 }),
    Field(.sound, { $0.sound }, { $0.sound = $1 }) { AlarmSound($0)?.text },
    Field("insist", { $0.insist }, { $0.insist = $1 }, in: Limits.insist),
    Field(.run, { $0.run }, { $0.run = $1 }) { AlarmCommand($0)?.text },
    Field("wake", { $0.wake }, { $0.wake = $1 }),
    Field("unansweredAfter", { $0.unansweredAfter }, { $0.unansweredAfter = $1 }, in: Limits.unansweredAfter),
    Field(.runUnanswered, { $0.runUnanswered }, { $0.runUnanswered = $1 }) { AlarmCommand($0)?.text },
  ]
}

extension Manner {
  /// A value as JSON and the database have it.
  public enum Value: Hashable, Sendable {
    case text(String)
    /// Of a span, in microseconds.
    case number(Int64)
    case flag(Bool)

    public var text: String? { if case .text(let text) = self { text } else { nil } }
    public var number: Int64? { if case .number(let number) = self { number } else { nil } }
    public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
  }

  /// Where a field's value is, and what it may be.
  public struct Field: Sendable {
    /// On the wire, in the database and in errors.
    public let name: String
    public let kind: Kind

    // Closures, because a key path takes several times as long.
    fileprivate let get: @Sendable (Manner) -> Value?
    fileprivate let set: @Sendable (inout Manner, Value?) -> Void

    public enum Kind: Sendable {
      /// With the text to store, nil for one that means nothing.
      case text(LimitedText, @Sendable (String) -> String?)
      case span(ClosedRange<TimeSpan>)
      case flag
    }

    fileprivate init(
      _ text: LimitedText, _ get: @escaping @Sendable (Manner) -> String?,
      _ set: @escaping @Sendable (inout Manner, String?) -> Void,
      canonical: @escaping @Sendable (String) -> String? = { $0 }
    ) {
      name = text.rawValue
      kind = .text(text, canonical)
      self.get = { get($0).map { .text($0) } }
      self.set = { set(&$0, $1?.text) }
    }

    fileprivate init(
      _ name: String, _ get: @escaping @Sendable (Manner) -> TimeSpan?,
      _ set: @escaping @Sendable (inout Manner, TimeSpan?) -> Void, in range: ClosedRange<TimeSpan>
    ) {
      self.name = name
      kind = .span(range)
      self.get = { get($0).map { .number($0.microseconds) } }
      self.set = { set(&$0, $1?.number.map { TimeSpan(microseconds: $0) }) }
    }

    fileprivate init(
      _ name: String, _ get: @escaping @Sendable (Manner) -> Bool?,
      _ set: @escaping @Sendable (inout Manner, Bool?) -> Void
    ) {
      self.name = name
      kind = .flag
      self.get = { get($0).map { .flag($0) } }
      self.set = { set(&$0, $1?.flag) }
    }

    /// What is stored; nil for an empty text, a span of 0 and false, which are none.
    public func checked(_ value: Value) throws(Fault) -> Value? {
      switch (kind, value) {
      case (.text(let limits, let canonical), .text(let text)) where !text.isEmpty:
        let problem = limits.problem(in: text)
        guard problem == nil, let stored = canonical(text) else { throw Fault(field: name, problem: problem) }
        return .text(stored)
      case (.span(let range), .number(let span)) where span != 0:
        guard range.contains(TimeSpan(microseconds: span)) else { throw Fault(field: name, problem: nil) }
        return value
      case (.flag, .flag(true)): return value
      default: return nil
      }
    }
  }

  /// A value that eggd does not accept.
  public struct Fault: Error, Equatable {
    public let field: String
    /// nil for a value that is wrong in another way.
    public let problem: TextProblem?
  }

  /// nil for an absent value, and set to one of another kind.
  public subscript(field: Field) -> Value? {
    get { field.get(self) }
    set { field.set(&self, newValue) }
  }

  /// What is stored of these values; where one is absent, that of `other`.
  public func checked(over other: Manner = Manner()) throws(Fault) -> Manner {
    var manner = other
    for field in Self.fields {
      if let value = self[field] { manner[field] = try field.checked(value) }
    }
    return manner
  }
}

/// What has a manner has its fields as its own.
@dynamicMemberLookup
public protocol HasManner {
  var manner: Manner { get }
}

extension HasManner {
  public subscript<Value>(dynamicMember path: KeyPath<Manner, Value>) -> Value { manner[keyPath: path] }

  /// What is heard; nil for eggd's usual sound.
  public var heard: AlarmSound? { manner.sound.flatMap { AlarmSound($0) } }

  /// What runs; nil for nothing of its own.
  public var command: AlarmCommand? { manner.run.flatMap { AlarmCommand($0) } }

  /// What runs when nobody has answered; nil for nothing of its own.
  public var unansweredCommand: AlarmCommand? { manner.runUnanswered.flatMap { AlarmCommand($0) } }
}

/// What has a manner that can be changed, by the same names.
@dynamicMemberLookup
public protocol TakesManner: HasManner {
  var manner: Manner { get set }
}

extension TakesManner {
  public subscript<Value>(dynamicMember path: WritableKeyPath<Manner, Value>) -> Value {
    get { manner[keyPath: path] }
    set { manner[keyPath: path] = newValue }
  }
}
