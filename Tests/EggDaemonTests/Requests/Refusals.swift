import EggProtocol
import Testing

/// The named error that a call is refused with; nil, and an issue, if it is not.
func refusal(_ call: () throws -> some Any) -> ScheduleError? {
  if case .refused(let error) = clientError(call) { return error }
  return nil
}

/// The parameter that a call is refused for; nil, and an issue, if it is not.
func invalidParameter(_ call: () throws -> some Any) -> String? {
  if case .invalidParameter(let name) = clientError(call) { return name }
  return nil
}

/// What a call fails with; nil, and an issue, if it does not.
func clientError(_ call: () throws -> some Any) -> ScheduleClientError? {
  let error = #expect(throws: ScheduleClientError.self) { _ = try call() }
  return error
}
