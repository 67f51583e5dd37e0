// Scopes say what an API key, or the sign-in of another site, is allowed to do. Each endpoint names the scopes that it accepts.

import { valuesOfForm } from '../sign-in-text.ts'

/** The scopes, and what a caller with each may do. */
export const scopes = {
  'inbox:read':
    'read the inbox, unread counts, conversations and the list of joined chats, the live events of all of them, and what this wallet thinks and knows of another',
  'inbox:write': 'mark messages as read, join and leave chats',
  'dm:send': 'send direct messages to wallets that have written to this one',
  'dm:begin': 'send direct messages to any wallet, also the first one',
  'dm:read': 'read the conversation with one wallet, and its live events',
  dm: 'read the conversation with one wallet, mark it as read and write to that wallet, also the first message',
  'draft:write': 'suggest messages, which a person sends or discards in the client',
  'chat:read': 'read chats that this wallet may read, and who is in them',
  'chat:post': 'post in chats',
  chat: 'read one chat, join it, mark it as read and post in it',
  comments: 'read the comments on one NFT, and comment on it',
  'message:edit': 'edit messages that this wallet has sent, within a day',
  'reaction:write': 'react to messages that this wallet may read, and take its reactions back',
  'pin:write': 'pin messages where this wallet may, and remove pins',
  'announce:write':
    'announce posts of this wallet to members who have agreed to that, where this wallet is the owner or a moderator',
  'profile:write': 'change the name and the picture of this wallet, and pictures of its communities',
  'public:read':
    'read what every wallet may read: names, pictures, published keys, comments, NFTs and communities',
} as const
export type Scope = keyof typeof scopes

/** The kinds of what a scope may be for alone. */
export type Kind = 'peer' | 'chat' | 'nft'

/** The form in which a scope is written for one wallet, chat or NFT alone. Those of `alone` are never for all. */
interface Narrow {
  form: string
  alone?: true
}

/** Longer forms come before those that they begin with. */
export const narrowScopes: { readonly [Name in Scope]?: Narrow } = {
  'dm:read': { form: 'dm:read:<address>', alone: true },
  'dm:send': { form: 'dm:send:<address>' },
  dm: { form: 'dm:<address>', alone: true },
  'chat:read': { form: 'chat:<chat>:read' },
  'chat:post': { form: 'chat:<chat>:post' },
  chat: { form: 'chat:<chat>', alone: true },
  comments: { form: 'comments:<contract>:<token>', alone: true },
}

/**
 * What a request must be about for a scope to count: where the endpoint says which value names it (`place`), and the request has
 * no such value, the scope allows nothing there.
 */
export const kindOfScope: { readonly [Name in Scope]?: Kind } = {
  'dm:read': 'peer',
  'dm:send': 'peer',
  'dm:begin': 'peer',
  dm: 'peer',
  'chat:read': 'chat',
  'chat:post': 'chat',
  chat: 'chat',
  comments: 'nft',
}

/** Returns the values of a scope that is written for one alone, by its name; undefined when the text is something else. */
export const valuesOf = (name: Scope, text: string): string[] | undefined => {
  const narrow = narrowScopes[name]
  return narrow && valuesOfForm(narrow.form, text)
}

/** Returns the forms in which some scopes may be written. */
export const formsOf = (names: readonly Scope[]): string[] =>
  names.flatMap((name) => {
    const narrow = narrowScopes[name]
    return [...(narrow?.alone ? [] : [name]), ...(narrow ? [narrow.form] : [])]
  })

export const allScopes = Object.keys(scopes) as readonly Scope[]

/** Those that may be for all wallets, chats and NFTs. */
export const wideScopes = allScopes.filter((name) => !narrowScopes[name]?.alone)
