import EggProtocol
import Testing

/// The named error of a refused call; nil, and an issue, if it succeeds.
func refusal(_ call: () throws -> some Any) -> ScheduleError? {
  if case .refused(let error) = clientError(call) { return error }
  return nil
}

/// The parameter for which a call is refused; nil, and an issue, if it succeeds.
func invalidParameter(_ call: () throws -> some Any) -> String? {
  if case .invalidParameter(let name) = clientError(call) { return name }
  return nil
}

/// The failure of a call; nil, and an issue, if it succeeds.
func clientError(_ call: () throws -> some Any) -> ScheduleClientError? {
  let error = #expect(throws: ScheduleClientError.self) { _ = try call() }
  return error
}
