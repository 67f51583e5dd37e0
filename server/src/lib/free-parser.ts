import type { Socket } from 'node:net'

type FreeParser = (parser: object, request: null, socket: Socket) => void

/** Node does this itself where a connection becomes something else than HTTP, and declares no type for it. */
const free: FreeParser | undefined = Reflect.get(
  process.getBuiltinModule('_http_common' as 'http') ?? {},
  'freeParser',
)

/**
 * Frees the parser of a connection on which no other request is answered: 10 KB. What the client still sends is ignored, and the
 * connection ends when the client ends it. With a Node that does this differently the connection stays as it is.
 */
export function freeParser(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (!free || typeof parser !== 'object' || parser === null) return
  free(parser, null, socket)
  replace(socket, 'data', ignore)
  replace(socket, 'end', endToo)
}

const ignore = () => {}

function endToo(this: Socket): void {
  this.end()
}

/** Replaces the listeners of an event. V8 would make a larger object of those of a socket when an event had none in between. */
function replace(socket: Socket, event: string, listener: () => void): void {
  const replaced = socket.listeners(event)
  socket.on(event, listener)
  for (const one of replaced) socket.removeListener(event, one as () => void)
}
