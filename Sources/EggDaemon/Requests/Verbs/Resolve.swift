import EggProtocol
import EggTime
import Varlink

extension RequestHandler {
  /// Reads an expression without storing anything.
  func resolve(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ResolveCall = try call.parameters()
    let count = asked.count ?? 5
    guard (1...1_000).contains(count) else { throw .invalidParameter("count") }
    if let base = asked.base, base.microseconds < 0 || base > .latest { throw .invalidParameter("base") }
    let reader = timingReader(readAt)
    let text = try TextRules.expression(asked.expression)
    let context = ReadingContext(
      now: asked.base ?? readAt.wall, zone: try reader.zone(named: asked.zone),
      from: try beginning(asked.from))
    let reply: ResolveReply
    do throws(ExpressionError) {
      let expression = try TimeExpression.read(text, in: context, as: asked.kind?.expressionKind)
      reply = ResolveReply(expression, try expression.moments(in: context, count: Int(count)))
    } catch {
      throw error.failure(of: text)
    }
    guard asked.from == nil || reply.kind == .calendar else { throw .invalidParameter("from") }
    call.reply(reply)
  }
}
