/// A read buffer shared by all connections of a server, so that an idle one holds none.
final class ReadBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int) {
    bytes = .allocate(byteCount: count, alignment: 16)
  }

  deinit {
    bytes.deallocate()
  }
}
