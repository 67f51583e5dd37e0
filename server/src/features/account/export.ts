import type { Readable } from 'node:stream'
import { fieldRenaming } from '@parley/sdk/contract/encryption.ts'
import type { Context } from '../../context.ts'
import { type ArchivedFile, zipOf } from '../../lib/zip.ts'
import { findContactLines } from './contact-lines.ts'
import { findAccessNoticeLines, findNoticeLines, findReportLines, findSanctionLines } from './notice-lines.ts'
import { findPostLines } from './post-lines.ts'
import {
  findChatLogLines,
  findCommandLines,
  findRestrictionLines,
  findRoleLines,
} from './moderation-lines.ts'
import * as store from './store.ts'

/**
 * All that the service holds about a wallet, as a ZIP that is made while it is read. Fails at once
 * when nothing can be read.
 */
export async function exportWallet(
  { db, config }: Pick<Context, 'db' | 'config'>,
  wallet: string,
): Promise<Readable> {
  const profile = await store.getProfile(db, wallet)
  const { toWire } = fieldRenaming(config.encryptionVendor)

  async function* files(): AsyncGenerator<ArchivedFile, void, undefined> {
    const about = {
      address: wallet,
      service: config.publicUrl,
      exported_at: new Date().toISOString(),
      ...(profile.first_ms !== null && { first_seen: new Date(profile.first_ms).toISOString() }),
      ...(profile.bot_ms !== null && { bot_since: new Date(profile.bot_ms).toISOString() }),
    }
    yield file('account.json', `${JSON.stringify(about, undefined, 2)}\n`)
    yield file('settings.jsonl', profile.settings)
    yield file('name.jsonl', profile.name)
    yield file('key.jsonl', profile.key)
    yield file('dm_policy.jsonl', profile.policy)
    yield file('sessions.jsonl', profile.sessions)
    yield file('notification_rules.jsonl', profile.rules)
    yield file('push_subscriptions.jsonl', profile.browsers)
    yield file('telegram_link.jsonl', profile.telegram)
    yield file('webhooks.jsonl', profile.webhooks)
    yield file('api_keys.jsonl', profile.api_keys)
    yield file('incoming_hooks.jsonl', profile.incoming_hooks)
    yield { name: 'bookmarks.jsonl', content: store.findBookmarkLines(db, wallet) }
    yield { name: 'visits.jsonl', content: store.findVisitLines(db, wallet) }
    yield { name: 'contacts.jsonl', content: findContactLines(db, wallet) }
    yield { name: 'communities.jsonl', content: store.findCommunityLines(db, wallet) }
    yield { name: 'comments.jsonl', content: store.findCommentLines(db, wallet) }
    yield { name: 'direct-messages.jsonl', content: renamed(store.findMessageLines(db, wallet), toWire) }
    yield { name: 'group-messages.jsonl', content: findPostLines(db, wallet) }
    yield { name: 'drafts.jsonl', content: store.findDraftLines(db, wallet) }
    yield { name: 'chat-roles.jsonl', content: findRoleLines(db, wallet) }
    yield { name: 'chat-commands.jsonl', content: findCommandLines(db, wallet) }
    yield { name: 'chat-restrictions.jsonl', content: findRestrictionLines(db, wallet) }
    yield { name: 'chat-log.jsonl', content: findChatLogLines(db, wallet) }
    yield { name: 'access-notices.jsonl', content: findAccessNoticeLines(db, wallet) }
    yield { name: 'notices.jsonl', content: findNoticeLines(db, wallet) }
    yield { name: 'sanctions.jsonl', content: findSanctionLines(db, wallet) }
    yield { name: 'reports_made.jsonl', content: findReportLines(db, wallet) }
    for await (const { addr, base64data } of store.findPictures(db, wallet)) {
      const bytes = Buffer.from(base64data.slice(base64data.indexOf(',') + 1), 'base64')
      const name = addr === wallet ? 'picture' : `communities/${encodeURIComponent(addr)}`
      yield file(`${name}.${extensionOf(bytes)}`, bytes, true)
    }
  }
  return zipOf(files())
}

const file = (name: string, content: string | Buffer, stored = false): ArchivedFile => ({
  name,
  stored,
  content: (async function* () {
    if (content.length > 0) yield content
  })(),
})

async function* renamed(lines: AsyncIterable<string>, toWire: (json: string) => string) {
  for await (const page of lines) yield toWire(page)
}

/** The name that files of the five kinds of pictures end in. */
function extensionOf(bytes: Buffer): string {
  if (bytes[0] === 0x89) return 'png'
  if (bytes[0] === 0xff) return 'jpg'
  if (bytes[0] === 0x47) return 'gif'
  return bytes[0] === 0x52 ? 'webp' : 'avif'
}
