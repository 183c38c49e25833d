import Glibc

/// The functions of libcanberra that play a sound. The library is loaded when there is one and never linked, because a
/// machine without sound still has alarms.
struct Canberra {
  typealias Finished = @convention(c) (OpaquePointer?, UInt32, CInt, UnsafeMutableRawPointer?) -> Void

  private typealias Create = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> CInt
  private typealias Set = @convention(c) (OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>) -> CInt
  private typealias Play =
    @convention(c) (OpaquePointer?, UInt32, OpaquePointer?, Finished, UnsafeMutableRawPointer?) -> CInt

  private let set: Set
  private let playFull: Play
  private let context: OpaquePointer
  private let createProperties: Create

  /// nil where the library is not there or has other functions.
  init?() {
    guard let library = dlopen("libcanberra.so.0", RTLD_NOW),
      let create = dlsym(library, "ca_context_create"), let properties = dlsym(library, "ca_proplist_create"),
      let set = dlsym(library, "ca_proplist_sets"), let play = dlsym(library, "ca_context_play_full")
    else { return nil }
    self.set = unsafeBitCast(set, to: Set.self)
    playFull = unsafeBitCast(play, to: Play.self)
    createProperties = unsafeBitCast(properties, to: Create.self)
    var context: OpaquePointer?
    guard unsafeBitCast(create, to: Create.self)(&context) == 0, let context else { return nil }
    self.context = context
  }

  /// Begins to play, which connects to the sound server; `finished` is called on another thread.
  ///
  /// - Returns: 0, or a code of ``Problem``.
  func play(_ properties: KeyValuePairs<String, String>, finished: Finished) -> CInt {
    var list: OpaquePointer?
    guard createProperties(&list) == 0 else { return Problem.outOfMemory }
    for (key, value) in properties { _ = set(list, key, value) }
    return playFull(context, 0, list, finished, nil)
  }

  /// Codes of canberra.h.
  enum Problem {
    static let outOfMemory: CInt = -3
    static let notFound: CInt = -9
  }
}
