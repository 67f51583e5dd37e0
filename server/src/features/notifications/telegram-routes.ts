import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { telegram } from '@parley/sdk/contract/telegram.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { getBot, type Settings } from './telegram-api.ts'
import * as store from './telegram-store.ts'

export const handlers: Handlers<typeof telegram> = {
  async createTelegramLink({ db, config }, { caller, granting }) {
    requireBot(config)
    const bot = await getBot(config)
    if ('ok' in bot) throw noAnswer()
    // The owner gets a notice when a chat uses it.
    const { code, expires } = (await granting(db, undefined, (tx) => store.makeCode(tx, caller.address)))!
    return {
      url: `https://t.me/${bot.username}?start=${code}`,
      expires_at: new Date(expires).toISOString(),
    }
  },

  async getTelegramLink({ db, config }, { caller }) {
    requireBot(config)
    const link = await store.getLink(db, caller.address)
    if (!link) return { linked: false }
    return { linked: true, name: link.name, since: new Date(link.since_ms).toISOString() }
  },

  async deleteTelegramLink({ db, config }, { caller }) {
    requireBot(config)
    await store.unlink(db, caller.address)
  },
}

function requireBot({ telegramBotToken }: Settings): void {
  if (telegramBotToken !== undefined) return
  throw new ApiError(
    'unavailable',
    'This service has no Telegram bot: its operator has to set TELEGRAM_BOT_TOKEN.',
    { retryAfter: 3600 },
  )
}

const noAnswer = () =>
  new ApiError(
    'unavailable',
    'Telegram does not answer, or does not know the bot of this service. Try again later, or tell its operator.',
    { retryAfter: 60 },
  )
