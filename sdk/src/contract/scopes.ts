// Scopes say what an API key is allowed to do. Each endpoint names the scope that it needs.

/** The scopes, and what a key with each may do. */
export const scopes = {
  'inbox:read':
    'read the inbox, unread counts, conversations and the list of joined chats, the live events of all of them, and what this wallet thinks and knows of another',
  'inbox:write': 'mark messages as read, join and leave chats',
  'dm:send': 'send direct messages to wallets that have written to this one',
  'dm:begin': 'send direct messages to any wallet, also the first one',
  'draft:write': 'suggest messages, which a person sends or discards in the client',
  'chat:read': 'read chats that this wallet may read, and who is in them',
  'chat:post': 'post in chats',
  'message:edit': 'edit messages that this wallet has sent, within a day',
  'reaction:write': 'react to messages that this wallet may read, and take its reactions back',
  'pin:write': 'pin messages where this wallet may, and remove pins',
  'profile:write': 'change the name and the picture of this wallet, and pictures of its communities',
  'public:read':
    'read what every wallet may read: names, pictures, published keys, comments, NFTs and communities',
} as const
export type Scope = keyof typeof scopes

/** A scope that a key may also have for only one wallet or one chat. */
interface Narrow {
  /** The texts before and after the address or chat. */
  before: string
  after: string
  /** The form in which texts write it. */
  form: string
}

export const narrowScopes: { readonly [Name in Scope]?: Narrow } = {
  'dm:send': { before: 'dm:send:', after: '', form: 'dm:send:<address>' },
  'chat:post': { before: 'chat:', after: ':post', form: 'chat:<chat>:post' },
}

/** The field of a request that must match what the scope allows to write to: without it the scope allows nothing there. */
export const fieldOfScope: { readonly [Name in Scope]?: 'toaddr' | 'nftaddr' } = {
  'dm:send': 'toaddr',
  'dm:begin': 'toaddr',
  'chat:post': 'nftaddr',
}

/** Returns the forms in which some scopes may be written. */
export const formsOf = (names: readonly Scope[]): string[] =>
  names.flatMap((name) => (narrowScopes[name] ? [name, narrowScopes[name].form] : [name]))

export const allScopes = Object.keys(scopes) as readonly Scope[]
