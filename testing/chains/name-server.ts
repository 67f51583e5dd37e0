// This is a name server for tests: DNS over UDP (RFC 1035) on loopback, with the answers that a test sets.

import { createSocket } from 'node:dgram'

type Kind = 'A' | 'AAAA'

/** The known addresses of a name, of the kind that is requested, behind other names. */
interface Known {
  /** The names that lead to the answer (CNAME); the first is that of the name itself. */
  over?: string[]
  addresses: string[]
}

/** The answer says that nothing is known, or a failure of the server, or does not come. */
type Answer = Known | 'unknown' | 'fails' | 'silent'

const kinds: Record<number, Kind> = { 1: 'A', 28: 'AAAA' }
const codes = { unknown: 3, fails: 2 }

export async function startNameServer(
  answer: (kind: Kind, times: number, name: string) => Answer,
): Promise<{ server: string; asked: string[] } & AsyncDisposable> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question)
    const kind = kinds[type]
    if (!kind) return
    const entry = `${kind} ${name}`
    asked.push(entry)
    const given = answer(kind, asked.filter((one) => one === entry).length, name)
    if (given === 'silent') return
    socket.send(reply(question.subarray(0, end), type, given), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, type: number, given: Exclude<Answer, 'silent'>): Buffer {
  const header = Buffer.from(question.subarray(0, 12))
  const [code, { over = [], addresses }] =
    typeof given === 'string' ? [codes[given], { addresses: [] }] : [0, given]
  const names = [pointerToQuestion, ...over.map(nameOf)]
  const records = [
    ...over.map((_, place) => record(names[place]!, 5, names[place + 1]!)),
    ...addresses.map((one) => record(names.at(-1)!, type, bytesOf(one))),
  ]
  // The header says: an answer, with recursion; one question, these answers, nothing beside.
  header.writeUInt16BE(0x8180 | code, 2)
  for (const [place, count] of [1, records.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * place)
  return Buffer.concat([header, question.subarray(12), ...records])
}

const pointerToQuestion = Buffer.from([0xc0, 12])

const nameOf = (name: string) =>
  Buffer.concat([
    ...name
      .split('.')
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])

/** Makes a record that nobody may cache: it is valid for no second. */
function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

/** Returns the bytes of an address, of IPv6 without dots in it. */
function bytesOf(address: string): Buffer {
  if (address.includes('.')) return Buffer.from(address.split('.').map(Number))
  const [before, after] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))))
  const rest = after ?? []
  const groups = [...before!, ...Array.from({ length: 8 - before!.length - rest.length }, () => 0), ...rest]
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 255]))
}
