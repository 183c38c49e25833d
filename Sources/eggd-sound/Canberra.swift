import CLibc

/// The functions of libcanberra that play a sound. The library is loaded when there is one and never linked, because a
/// machine without sound still has alarms.
struct Canberra {
  typealias Finished = @convention(c) (OpaquePointer?, UInt32, CInt, UnsafeMutableRawPointer?) -> Void

  private typealias Create = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> CInt
  private typealias Use = @convention(c) (OpaquePointer?) -> CInt
  private typealias SetProperty =
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>) -> CInt
  private typealias Play =
    @convention(c) (OpaquePointer?, UInt32, OpaquePointer?, Finished, UnsafeMutableRawPointer?) -> CInt

  private let connect: Use
  private let createProperties: Create
  private let destroyProperties: Use
  private let set: SetProperty
  private let playFull: Play
  private let context: OpaquePointer
  /// The library calls on a thread of its own, on which it must not be called.
  private let outcomes: (reading: CInt, writing: CInt)

  /// nil where the library is not there or has other functions.
  init?() {
    guard let library = dlopen("libcanberra.so.0", RTLD_NOW),
      let create = dlsym(library, "ca_context_create"), let open = dlsym(library, "ca_context_open"),
      let properties = dlsym(library, "ca_proplist_create"),
      let destroy = dlsym(library, "ca_proplist_destroy"),
      let set = dlsym(library, "ca_proplist_sets"), let play = dlsym(library, "ca_context_play_full")
    else { return nil }
    connect = unsafeBitCast(open, to: Use.self)
    createProperties = unsafeBitCast(properties, to: Create.self)
    destroyProperties = unsafeBitCast(destroy, to: Use.self)
    self.set = unsafeBitCast(set, to: SetProperty.self)
    playFull = unsafeBitCast(play, to: Play.self)
    var context: OpaquePointer?
    var ends: [CInt] = [-1, -1]
    guard unsafeBitCast(create, to: Create.self)(&context) == 0, let context, pipe(&ends) == 0 else {
      return nil
    }
    self.context = context
    outcomes = (ends[0], ends[1])
  }

  /// Connects to the sound server.
  ///
  /// - Returns: 0, or a code of ``Problem``.
  func open() -> CInt { connect(context) }

  /// Plays to the end.
  ///
  /// - Returns: 0, or a code of ``Problem``.
  func play(_ properties: KeyValuePairs<String, String>) -> CInt {
    var list: OpaquePointer?
    guard createProperties(&list) == 0 else { return Problem.outOfMemory }
    defer { _ = destroyProperties(list) }
    for (key, value) in properties { _ = set(list, key, value) }
    let end = UnsafeMutableRawPointer(bitPattern: Int(outcomes.writing))
    let problem = playFull(
      context, 0, list,
      { _, _, outcome, end in
        var outcome = outcome
        _ = write(CInt(Int(bitPattern: end)), &outcome, MemoryLayout<CInt>.size)
      }, end)
    guard problem == 0 else { return problem }
    var outcome: CInt = 0
    while read(outcomes.reading, &outcome, MemoryLayout<CInt>.size) < 0, clibc_errno() == EINTR {}
    return outcome
  }

  /// Codes of canberra.h.
  enum Problem {
    static let outOfMemory: CInt = -4
    static let notFound: CInt = -9
    /// Not supported, system error, corrupt, too big, not found: another sound may be played.
    static let ofSound: [CInt] = [-1, -6, -7, -8, notFound]
  }
}
