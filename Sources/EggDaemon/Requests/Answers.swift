import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

/// Replies that several verbs share.
extension RequestHandler {
  /// Answers with as many alarms as fit a message: a change of all may have changed more.
  func answer(_ outcome: ChangeOutcome, _ call: ServerCall) {
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

  func answerGroup(_ outcome: ChangeOutcome, _ call: ServerCall) {
    guard let group = outcome.group else {
      call.fail(ScheduleError.storeUnavailable(reason: translatable("the group cannot be read")).failure)
      return
    }
    call.reply(GroupReply(group: WireGroup(group), sequence: outcome.sequence))
  }
}
