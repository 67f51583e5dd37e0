// Cases and baselines see this of one build of the service: its address, its database, its wallets' tokens.

import { issueToken } from '../../server/src/auth/tokens.ts'
import { connect, type Pool } from '../../server/src/db/pool.ts'
import { layouts } from '../../server/src/cluster/layout.ts'
import { type Layout, layoutOf } from '../data/layout.ts'

/** The facts that another process needs about a running service. */
export interface Target {
  port: number
  databaseUrl: string
  publicUrl: string
  jwtSecret: string
  size: number
  /** The checkout that runs. */
  root: string
  /** The one host of this machine to which it may send pushes. */
  pushHost: string
}

export interface Access extends Target, AsyncDisposable {
  layout: Layout
  /** The pool is for queries outside of the timed work. */
  db: Pool
  token: (wallet: string) => Promise<string>
}

/** Opens access to a service. Tokens are signed as the service signs them, and cached. */
export function openAccess(target: Target): Access {
  const db = connect(target.databaseUrl, { layout: layouts.machine, size: 1 })
  return {
    ...target,
    layout: layoutOf(target.size),
    db,
    token: tokensOf(target),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

/** Returns the tokens of a service's wallets, each signed once. */
export function tokensOf(config: Pick<Target, 'publicUrl' | 'jwtSecret'>): Access['token'] {
  const tokens = new Map<string, Promise<string>>()
  return (wallet) => {
    const token = tokens.get(wallet) ?? issueToken({ config }, wallet)
    tokens.set(wallet, token)
    return token
  }
}

/** Returns a request as bytes, signed in as a wallet unless that is null. */
export async function request(
  { port, token }: Pick<Access, 'port' | 'token'>,
  wallet: string | null,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Buffer> {
  const json = body ? JSON.stringify(body) : ''
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...(wallet === null ? [] : [`Authorization: Bearer ${await token(wallet)}`]),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${json}`)
}
