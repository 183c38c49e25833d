import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func edit(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: EditCall = try call.parameters()
    let selection = try asked.selected()
    var edit = AlarmEdit()
    if let text = asked.label { edit.label = .some(try TextRules.label(text)) }
    if let text = asked.summary { edit.summary = .some(try TextRules.summary(text)) }
    if let text = asked.body { edit.body = .some(try TextRules.body(text)) }
    if let text = asked.icon { edit.icon = .some(try TextRules.icon(text)) }
    if let group = asked.group { edit.group = .some(group.isEmpty ? nil : group) }
    edit.category = asked.category
    edit.eggs = try TextRules.eggs(asked.eggs)
    if let expression = asked.expression {
      edit.timing = try timingReader(readAt).read(
        expression, kind: asked.kind, zone: asked.zone, from: try beginning(asked.from))
    } else {
      // Both say how to read an expression, and nothing by themselves.
      if asked.kind != nil { throw .invalidParameter("kind") }
      if asked.zone != nil { throw .invalidParameter("zone") }
    }
    if let policy = asked.ifMissed {
      guard let ifMissed = MissedPolicy(policy, ringWithin: asked.ringWithin) else {
        throw .invalidParameter("ringWithin")
      }
      edit.ifMissed = ifMissed
    } else if asked.ringWithin != nil {
      throw .invalidParameter("ringWithin")
    }
    (edit.until, edit.count) = try bounds(
      from: asked.from, until: asked.until, count: asked.count, of: edit.timing)
    edit.from = asked.from
    guard asked.changesSomething else {
      throw ScheduleError.missingParameter(oneOf: EditCall.changing).failure
    }
    submit(EditChange(selection, edit), readAt, for: call, answer: answer)
  }

  func snooze(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: SnoozeCall = try call.parameters()
    let selection = try asked.selected()
    let span = asked.span ?? snooze
    guard SnoozeCall.spans.contains(span) else { throw .invalidParameter("span") }
    submit(SnoozeChange(selection, until: end(of: span, readAt)), readAt, for: call, answer: answer)
  }

  func dismiss(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DismissCall = try call.parameters()
    submit(DismissChange(try asked.selected()), readAt, for: call, answer: answer)
  }

  func skip(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: SkipCall = try call.parameters()
    submit(SkipChange(try asked.selected()), readAt, for: call, answer: answer)
  }

  func pause(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: PauseCall = try call.parameters()
    submit(PauseChange(try asked.selected()), readAt, for: call, answer: answer)
  }

  func markDone(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: MarkDoneCall = try call.parameters()
    submit(MarkDoneChange(try asked.selected(), asked.done), readAt, for: call, answer: answer)
  }

  func move(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: MoveCall = try call.parameters()
    let place: Place
    switch (asked.place, asked.other) {
    case (.top, nil): place = .top
    case (.bottom, nil): place = .bottom
    case (.before, let other?): place = .before(other)
    case (.after, let other?): place = .after(other)
    default: throw .invalidParameter("other")
    }
    submit(MoveChange(try asked.selected(), place), readAt, for: call, answer: answer)
  }

  func resume(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ResumeCall = try call.parameters()
    submit(ResumeChange(try asked.selected()), readAt, for: call, answer: answer)
  }

  func extend(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ExtendCall = try call.parameters()
    submit(ExtendChange(try asked.selected(), by: asked.span), readAt, for: call, answer: answer)
  }

  /// Where a recurring alarm begins, within what a moment can be.
  func beginning(_ from: Instant?) throws(CallFailure) -> Instant? {
    if let from, from.microseconds < 0 || from > .latest { throw .invalidParameter("from") }
    return from
  }

  /// What ends a recurring alarm; only that has a beginning and an end, and only one with an elapse before it.
  func bounds(
    from: Instant?, until: Instant?, count: Int64?, of timing: AlarmEdit.NewTiming?
  ) throws(CallFailure) -> (until: Instant?, count: Int64?) {
    guard from != nil || until != nil || count != nil else { return (nil, nil) }
    guard let timing, timing.timing.kind == .every else {
      throw .invalidParameter(from != nil ? "from" : until != nil ? "until" : "count")
    }
    if let count, count < 1 { throw .invalidParameter("count") }
    if let until, until.microseconds < timing.due.microseconds {
      throw ScheduleError.inThePast(expression: timing.expression, due: until).failure
    }
    return (until, count)
  }

  func delete(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DeleteCall = try call.parameters()
    submit(DeleteChange(try asked.selected(), rungBefore: asked.rungBefore), readAt, for: call) {
      outcome, call in
      call.reply(
        DeleteReply(
          deleted: outcome.deleted, rang: outcome.rang, missing: outcome.missing,
          missingIds: outcome.missingIDs, sequence: outcome.sequence))
    }
  }

  /// That much later on this boot's clock.
  func end(of span: TimeSpan, _ readAt: ClockReading) -> DuePoint {
    let end = Instant(microseconds: readAt.boot) + span
    return DuePoint(clock: store.currentBoot, microseconds: end.microseconds)
  }

  /// Answers with as many alarms as fit a message: a change of all may have made more.
  private func answer(_ outcome: ChangeOutcome, _ call: ServerCall) {
    let text = PageWriter(wallOf: wallClock(), bytes: 768 << 10)
    for alarm in outcome.alarms where !text.add(alarm) { break }
    var json = JSONWriter()
    json.object { json in
      json.name("alarms")
      json.array { $0.elements(text.elements) }
      json.member("count", outcome.changed)
      json.name("missing")
      json.array { json in for number in outcome.missing { json.value(number) } }
      json.name("missingIds")
      json.array { json in for id in outcome.missingIDs { json.value(id.description) } }
      json.member("sequence", outcome.sequence)
    }
    call.reply(json: json.bytes)
  }
}

extension EditCall {
  /// What changes something by itself.
  fileprivate static let changing = [
    "expression", "label", "category", "eggs", "group", "summary", "body", "icon", "ifMissed",
  ]

  fileprivate var changesSomething: Bool {
    expression != nil || label != nil || category != nil || eggs != nil || summary != nil || body != nil
      || group != nil || icon != nil || ifMissed != nil
  }
}
