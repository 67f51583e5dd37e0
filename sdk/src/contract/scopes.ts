// What an API key may be allowed to do. Which endpoint needs which scope stands with the endpoint.

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
  'profile:write': 'change the name and the picture of this wallet, and pictures of its communities',
  'public:read':
    'read what every wallet may read: names, pictures, published keys, comments, NFTs and communities',
} as const
export type Scope = keyof typeof scopes

/** A scope that a key may also have for one wallet or one chat alone. */
interface Narrow {
  /** What stands before and after the address or chat. */
  before: string
  after: string
  /** How it is written in texts. */
  form: string
  /** What of a request must be that address or chat: a path parameter or a field of the body. */
  field: 'toaddr' | 'nftaddr'
}

export const narrowScopes: { readonly [Name in Scope]?: Narrow } = {
  'dm:send': { before: 'dm:send:', after: '', form: 'dm:send:<address>', field: 'toaddr' },
  'chat:post': { before: 'chat:', after: ':post', form: 'chat:<chat>:post', field: 'nftaddr' },
}

/** How some scopes may be written. */
export const formsOf = (names: readonly Scope[]): string[] =>
  names.flatMap((name) => (narrowScopes[name] ? [name, narrowScopes[name].form] : [name]))

export const allScopes = Object.keys(scopes) as readonly Scope[]
