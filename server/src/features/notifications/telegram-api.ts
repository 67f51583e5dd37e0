// This module calls the Telegram Bot API (https://core.telegram.org/bots/api). The token is a part of its URLs: so no error of a
// request leaves this module, and no response is logged.

import { type Static, Type } from 'typebox'
import type { Config } from '../../config/settings.ts'

export type Settings = Pick<Config, 'telegramBotToken' | 'telegramApiUrl'>

export interface Failure {
  ok: false
  /** The status of the response; 0 when there is none, or none that is documented. */
  status: number
  description: string
  /** Seconds after which to go on. */
  retryAfter?: number
  /** True when the chat has a new id. */
  hasMoved?: true
}

export type Answer = { ok: true; result: unknown } | Failure

/** The maximum size of a response in bytes: twenty updates have far less. */
const maxBytes = 8 * 1024 * 1024

const Failed = Type.Object({
  ok: Type.Literal(false),
  error_code: Type.Optional(Type.Integer()),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(
    Type.Object({
      retry_after: Type.Optional(Type.Number({ minimum: 0 })),
      migrate_to_chat_id: Type.Optional(Type.Number()),
    }),
  ),
})
const Done = Type.Object({ ok: Type.Literal(true), result: Type.Unknown() })

interface Options {
  /** The time limit of the whole call. */
  seconds: number
  signal?: AbortSignal
}

/** Calls a method of the Bot API. */
export async function callTelegram(
  { telegramBotToken, telegramApiUrl }: Settings,
  method: 'getMe' | 'getUpdates' | 'sendMessage',
  parameters: object,
  { seconds, signal }: Options,
): Promise<Answer> {
  const late = AbortSignal.timeout(seconds * 1000)
  try {
    const response = await fetch(`${telegramApiUrl}/bot${telegramBotToken}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, late]) : late,
    })
    return await answerOf(response.status, JSON.parse(await readText(response)))
  } catch {
    return { ok: false, status: 0, description: '' }
  }
}

/** What checks answers loads with the first one: a start does without it. */
export const loadValue = async () => (await import('typebox/value')).Value

async function answerOf(status: number, body: unknown): Promise<Answer> {
  const Value = await loadValue()
  if (Value.Check(Done, body)) return { ok: true, result: body.result }
  if (!Value.Check(Failed, body)) return { ok: false, status: status >= 400 ? status : 0, description: '' }
  const { error_code: code = status, description = '', parameters = {} } = body
  const { retry_after: retryAfter, migrate_to_chat_id: moved } = parameters
  return {
    ok: false,
    status: code,
    description,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(moved !== undefined && { hasMoved: true as const }),
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const Bot = Type.Object({
  id: Type.Integer(),
  is_bot: Type.Literal(true),
  username: Type.String({ pattern: '^\\w{1,64}$' }),
})
type Bot = Static<typeof Bot>

const bots = new Map<string, Bot>()

/** Returns the bot, which is requested once; or the failure of the request. */
export async function getBot(settings: Settings, signal?: AbortSignal): Promise<Bot | Failure> {
  const key = `${settings.telegramApiUrl} ${settings.telegramBotToken}`
  const known = bots.get(key)
  if (known) return known
  const answer = await callTelegram(settings, 'getMe', {}, { seconds: 10, ...(signal && { signal }) })
  if (!answer.ok) return answer
  const Value = await loadValue()
  if (!Value.Check(Bot, answer.result)) return { ok: false, status: 0, description: '' }
  const { id, is_bot: isBot, username } = answer.result
  const bot = { id, is_bot: isBot, username }
  bots.set(key, bot)
  return bot
}
