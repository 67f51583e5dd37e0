// This is a Telegram Bot API for tests, on loopback: it answers in the documented shapes (https://core.telegram.org/bots/api),
// stores updates until they are confirmed, and lets one poll at a time wait.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const botToken = '123456789:AAE-test_of_parley_0123456789abcdefgh'
const bot = { id: 123_456_789, is_bot: true, first_name: 'Parley', username: 'parley_test_bot' }

interface Sent {
  chat_id: number
  text: string
  [parameter: string]: unknown
  /** The time when it came, by this machine's clock. */
  at: number
}

interface Refusal {
  error_code: number
  description: string
  parameters?: { retry_after?: number; migrate_to_chat_id?: number }
}

/** The response to `sendMessage`: undefined is a success, a text something that is not documented, `breaks off` no response. */
type Rule = (sent: Sent, times: number) => Refusal | string | undefined

interface Update {
  update_id: number
  message: object
}

interface Poll {
  offset?: number
  timeout?: number
  allowed_updates?: unknown
}

interface Person {
  id: number
  first_name: string
  last_name?: string
}

interface Waiting {
  offset: number
  response: ServerResponse
  timer: NodeJS.Timeout
}

const reply = (response: ServerResponse, status: number, body: object | string) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
const refuse = (response: ServerResponse, refusal: Refusal) =>
  reply(response, refusal.error_code, { ok: false, ...refusal })
const done = (response: ServerResponse, result: unknown) => reply(response, 200, { ok: true, result })

export async function startTelegram() {
  const updates = createUpdates()
  const sent: Sent[] = []
  let rule: Rule = () => undefined
  /** Every method returns this failure. */
  let failing: Refusal | undefined
  let failures = 0

  function sendMessage(parameters: object, response: ServerResponse) {
    const message = { ...parameters, at: Date.now() } as unknown as Sent
    sent.push(message)
    const given = rule(message, sent.filter(({ chat_id: id }) => id === message.chat_id).length)
    if (given === 'breaks off') response.destroy()
    else if (typeof given === 'string') reply(response, 200, given)
    else if (given) refuse(response, given)
    else done(response, { message_id: sent.length, date: 1, chat: { id: message.chat_id, type: 'private' } })
  }
  const methods: Record<string, (parameters: object, response: ServerResponse) => void> = {
    getMe: (_, response) => done(response, bot),
    getUpdates: (parameters, response) => updates.poll(parameters, response),
    sendMessage,
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const [, given, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url!) ?? []
    if (given !== botToken) refuse(response, { error_code: 401, description: 'Unauthorized' })
    else if (failing) {
      failures++
      refuse(response, failing)
    } else if (!methods[method!])
      refuse(response, { error_code: 404, description: 'Not Found: method not found' })
    else methods[method!]!(JSON.parse(String(Buffer.concat(chunks))), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...updates,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    answerBy: (given: Rule) => void (rule = given),
    failWith: (given: Refusal | undefined) => void (failing = given),
    /** Counts what was answered by such a failure. */
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Stores what people write to the bot, until it is confirmed. */
function createUpdates() {
  const polls: { offset: number | undefined; allowed_updates: unknown }[] = []
  let updates: Update[] = []
  let next = 700_000_001
  let waiting: Waiting | undefined
  let conflicts = 0

  function answerPoll() {
    if (!waiting) return
    const { offset, response, timer } = waiting
    const found = updates.filter(({ update_id: id }) => id >= offset)
    if (found.length === 0) return
    clearTimeout(timer)
    waiting = undefined
    done(response, found.slice(0, 20))
  }
  function endOther() {
    if (!waiting) return
    conflicts++
    clearTimeout(waiting.timer)
    const description = 'Conflict: terminated by other getUpdates request'
    refuse(waiting.response, { error_code: 409, description })
  }
  function add(message: object, id = next) {
    updates.push({ update_id: id, message })
    next = id + 1
    answerPoll()
  }
  return {
    poll(parameters: object, response: ServerResponse) {
      const { offset, timeout = 0, allowed_updates } = parameters as Poll
      polls.push({ offset, allowed_updates })
      endOther()
      // The offset confirms all updates before it.
      updates = updates.filter(({ update_id: id }) => id >= (offset ?? 0))
      const finish = () => {
        waiting = undefined
        done(response, [])
      }
      const poll = { offset: offset ?? 0, response, timer: setTimeout(finish, timeout * 1000) }
      waiting = poll
      response.on('close', () => {
        clearTimeout(poll.timer)
        if (waiting === poll) waiting = undefined
      })
      answerPoll()
    },
    polls,
    /** Updates that are not confirmed. */
    unconfirmed: () => updates.length,
    /** Counts how often two polled at once. */
    conflicts: () => conflicts,
    isPolled: () => waiting !== undefined,
    /** A person writes to the bot, in the chat of the two or elsewhere. */
    write: (from: Person, text: string, chat = { id: from.id, type: 'private' }) =>
      add({ message_id: next, date: 1, text, chat, from: { is_bot: false, ...from } }),
    /** Another message, of any shape. */
    add,
    /** Counts on from another number, as after a week without updates. */
    countFrom: (id: number) => void (next = id),
  }
}
