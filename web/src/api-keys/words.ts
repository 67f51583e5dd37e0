// What the scopes of API keys are called.

import type { Scope } from '@parley/sdk'

interface Words {
  label: string
  hint: string
  /** Of a scope that may be for one wallet or chat alone: what is asked then. */
  only?: { label: string; before: string; after: string }
}

export const scopeWords: Record<Scope, Words> = {
  'inbox:read': {
    label: 'Read my messages',
    hint: 'The inbox, conversations, what happens live, also in chats that I have joined, and what I know of others.',
  },
  'inbox:write': { label: 'Mark as read, join and leave chats', hint: 'Nothing is deleted by it.' },
  'dm:send': {
    label: 'Answer people',
    hint: 'Direct messages to those that have written to me or accepted me.',
    only: { label: 'Only to this wallet (an address; empty for all)', before: 'dm:send:', after: '' },
  },
  'dm:begin': {
    label: 'Write to anybody',
    hint: 'Also the first message to a stranger. A program with it can be used for spam in my name.',
  },
  'draft:write': {
    label: 'Suggest messages',
    hint: 'Nothing is sent: I see each one where it would go, and send or discard it.',
  },
  'chat:read': { label: 'Read chats', hint: 'Those that I may read, and who is in them.' },
  'chat:post': {
    label: 'Post in chats',
    hint: 'As me.',
    only: {
      label: 'Only in this chat (a name or an address; empty for all)',
      before: 'chat:',
      after: ':post',
    },
  },
  'profile:write': {
    label: 'Change my name and picture',
    hint: 'Also the pictures of communities that are mine.',
  },
  'public:read': {
    label: 'Look up others',
    hint: 'Names, pictures, comments, NFTs and communities, as everybody can.',
  },
}

export const allScopes = Object.keys(scopeWords) as Scope[]

/** A scope as a key has it; `only` is the wallet or chat, empty for all. */
export function scopeOf(scope: Scope, only: string | undefined): string {
  const narrow = scopeWords[scope].only
  const text = only?.trim()
  return narrow && text ? narrow.before + text + narrow.after : scope
}

/** A scope of a key in words. */
export function wordsOf(scope: string): string {
  if (scope in scopeWords) return scopeWords[scope as Scope].label
  for (const { label, only } of Object.values(scopeWords))
    if (only && scope.startsWith(only.before) && scope.endsWith(only.after))
      return `${label} (${scope.slice(only.before.length, scope.length - only.after.length)})`
  return scope
}
