import Alarms
import EggProtocol
@testable import Varlink

/// The first byte says in what pieces a client's bytes come, the others are what it sends: cut into messages, read
/// as calls of `io.eggd.Schedule` or as replies to them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  guard let choice = input.first else { return 0 }
  let stream = UnsafeRawBufferPointer(rebasing: input.dropFirst())
  let (messages, isTooLong) = split(stream, pieces: Int(choice) + 1)
  guard split(stream, pieces: max(stream.count, 1)) == (messages, isTooLong) else {
    fatalError("in pieces these are other messages")
  }
  for message in messages {
    readCall(message)
    readReply(message)
  }
  return 0
}

private func split(_ stream: UnsafeRawBufferPointer, pieces size: Int) -> ([[UInt8]], Bool) {
  var splitter = FrameSplitter(limit: 2000)
  var messages: [[UInt8]] = []
  var rest = stream[...]
  repeat {
    splitter.append(UnsafeRawBufferPointer(rebasing: rest.prefix(size)))
    rest = rest.dropFirst(size)
    do {
      while let message = try splitter.next() { messages.append(message) }
    } catch {
      return (messages, true)
    }
  } while !rest.isEmpty
  return (messages, false)
}

// libFuzzer calls from one thread
nonisolated(unsafe) private let router: Router = {
  do {
    let schedule = try VarlinkInterface(text: ScheduleInterface.text) { _ in }
    let identity = ServiceIdentity(vendor: "v", product: "p", version: "1", url: "u")
    return Router(
      [try identity.interface(beside: [schedule]), schedule], mostValues: ServerLimits.standard.valuesPerCall)
  } catch { fatalError("\(error)") }
}()

private let methods: [String: any ScheduleMethod.Type] = Dictionary(
  uniqueKeysWithValues: ([
    ScheduleCall.self, ShowCall.self, ListCall.self, EditCall.self, DeleteCall.self, SnoozeCall.self,
    ResolveCall.self, SkipCall.self, PauseCall.self, ResumeCall.self, ExtendCall.self, DismissCall.self,
    AgainCall.self, SubscribeCall.self, HistoryCall.self, StatusCall.self, MarkDoneCall.self, MoveCall.self,
    UndoCall.self, ImportAlarmsCall.self, CommitImportCall.self, CreateGroupCall.self, EditGroupCall.self,
    DeleteGroupCall.self, ListGroupsCall.self, WaitCall.self,
  ] as [any ScheduleMethod.Type]).map { ($0.qualifiedName, $0) })

/// What is let through to a method can be decoded as its call, or one field of it is named; and it comes again when
/// the call is written.
private func readCall(_ message: [UInt8]) {
  guard let call = try? CallMessage(message) else { return }
  do {
    _ = try router.route(call)
  } catch {
    _ = MessageWriter.error(error)
    return
  }
  guard let type = methods[call.method] else { return }
  check(type, call.parameters.map { Array(message[$0]) } ?? Array("{}".utf8))
}

private func check<Call: ScheduleMethod>(_ type: Call.Type, _ json: [UInt8]) {
  let call: Call
  do {
    call = try JSON.value(json, as: Call.self)
  } catch let error as DecodingError {
    guard !error.fieldPath.isEmpty, error.fieldPath != "parameters" else {
      fatalError("no field is named: \(error) of \(String(decoding: json, as: UTF8.self))")
    }
    return
  } catch { fatalError("\(error)") }
  guard let written = try? MessageWriter.encode(call),
    let again = try? CallMessage(
      Array(MessageWriter.call(Call.qualifiedName, parameters: written).dropLast())),
    (try? router.route(again)) != nil,
    let reread = try? JSON.value(written, as: Call.self), reread == call
  else { fatalError("\(call) is not what it is written as") }
}

/// As a reply to any of the calls.
private func readReply(_ message: [UInt8]) {
  guard let reply = try? ReplyMessage(message), reply.error == nil else { return }
  for type in methods.values { decodeReply(type, reply.parameters) }
}

private func decodeReply<Call: ScheduleMethod>(_ type: Call.Type, _ json: [UInt8]) {
  guard let reply = try? JSON.value(json, as: Call.Reply.self) else { return }
  _ = try? MessageWriter.encode(reply)
}
