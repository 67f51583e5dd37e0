// The labels of the scopes of API keys, and of sites that may do a few things, are here.

import type { Scope } from '@parley/sdk'
import { valuesOfForm } from '@parley/sdk/sign-in-text.ts'
import { shortAddress } from '../seal/address.ts'

/** These are for one wallet, chat or NFT alone. A site asks for them; the form of a new key has them not. */
type Alone = 'dm' | 'dm:read' | 'chat' | 'comments'
export type WideScope = Exclude<Scope, Alone>

interface Words {
  label: string
  hint: string
  /** A scope that may be limited to one wallet or chat has this field for it. */
  only?: { label: string; before: string; after: string }
}

export const scopeWords: Record<WideScope, Words> = {
  'inbox:read': {
    label: 'Read my messages',
    hint: 'Inbox, conversations, live events, contacts. Also the chats I joined.',
  },
  'inbox:write': { label: 'Mark as read, join and leave chats', hint: 'Deletes nothing.' },
  'dm:send': {
    label: 'Answer people',
    hint: 'Direct messages to people who wrote to me or accepted me.',
    only: { label: 'Only to (an address, optional)', before: 'dm:send:', after: '' },
  },
  'dm:begin': {
    label: 'Write to anybody',
    hint: 'Also to people I don’t know. A program could send spam in my name.',
  },
  'message:edit': {
    label: 'Edit my messages',
    hint: 'Change what I have sent, within a day. What stood before stays readable.',
  },
  'reaction:write': {
    label: 'React to messages',
    hint: 'Add and remove reactions to messages that you can read',
  },
  'pin:write': {
    label: 'Pin messages',
    hint: 'Pin messages where you may, and remove pins',
  },
  'announce:write': {
    label: 'Announce my posts',
    hint: 'Notify members who agreed to that, where I am the owner or a moderator',
  },
  'draft:write': {
    label: 'Suggest messages',
    hint: 'Nothing is sent. I decide about each one.',
  },
  'chat:read': {
    label: 'Read chats',
    hint: 'The chats I can read, and their members.',
    only: { label: 'Only (a name or an address, optional)', before: 'chat:', after: ':read' },
  },
  'chat:post': {
    label: 'Post in chats',
    hint: 'Posts appear as mine.',
    only: {
      label: 'Only in (a name or an address, optional)',
      before: 'chat:',
      after: ':post',
    },
  },
  'profile:write': {
    label: 'Change my name and picture',
    hint: 'Also the pictures of my communities.',
  },
  'public:read': {
    label: 'Look up others',
    hint: 'Names, pictures, comments, NFTs and communities. Everyone can.',
  },
}

export const allScopes = Object.keys(scopeWords) as WideScope[]

/** Returns a scope as a key has it; `only` is the wallet or chat, empty for all. */
export function scopeOf(scope: WideScope, only: string | undefined): string {
  const narrow = scopeWords[scope].only
  const text = only?.trim()
  return narrow && text ? narrow.before + text + narrow.after : scope
}

const aloneWords: Record<Alone, { form: string; words: (...values: string[]) => string }> = {
  'dm:read': { form: 'dm:read:<address>', words: (peer) => `Read messages with ${shortAddress(peer)}` },
  dm: { form: 'dm:<address>', words: (peer) => `Read messages with ${shortAddress(peer)} and write to them` },
  chat: { form: 'chat:<chat>', words: (chat) => `Read ${shortAddress(chat)}, join it and post in it` },
  comments: {
    form: 'comments:<contract>:<token>',
    words: (contract, token) => `Read the comments on ${shortAddress(contract)} #${token}, and comment on it`,
  },
}

/** Returns the scope of a key or of a site in words. */
export function wordsOf(scope: string): string {
  if (scope in scopeWords) return scopeWords[scope as WideScope].label
  for (const { label, only } of Object.values(scopeWords))
    if (only && scope.startsWith(only.before) && scope.endsWith(only.after))
      return `${label} (${scope.slice(only.before.length, scope.length - only.after.length)})`
  for (const { form, words } of Object.values(aloneWords)) {
    const values = valuesOfForm(form, scope)
    if (values) return words(...values)
  }
  return scope
}
