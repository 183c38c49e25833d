import EggProtocol
import EggTime
import Varlink

extension TimingReader {
  /// Reads an expression without storing anything.
  func resolve(_ asked: ResolveCall) throws(CallFailure) -> ResolveReply {
    let count = asked.count ?? 5
    guard (1...1_000).contains(count) else { throw .invalidParameter("count") }
    if let base = asked.base, base.microseconds < 0 || base > .latest { throw .invalidParameter("base") }
    try Self.checkBeginning(asked.from)
    let text = try TextRules.expression(asked.expression)
    let context = ReadingContext(
      now: asked.base ?? readAt.wall, zone: try zone(named: asked.zone), from: asked.from, dayAt: dayAt)
    let reply: ResolveReply
    do throws(ExpressionError) {
      let expression = try TimeExpression.read(text, in: context, as: asked.kind?.expressionKind)
      reply = ResolveReply(expression, try expression.moments(in: context, count: Int(count)))
    } catch {
      throw error.failure(of: text)
    }
    guard asked.from == nil || reply.kind == .calendar else { throw .invalidParameter("from") }
    return reply
  }
}
