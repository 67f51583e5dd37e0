// These functions start the program as a client of models does, and write to its user.

import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { hasUnseen } from '@parley/sdk/unseen'
import { expect } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newWallet, type Service } from '../../testing/service/service.ts'

export const main = path.join(import.meta.dirname, '../src/main.ts')

/** The scopes of a key that reads and drafts. */
export const reading = ['inbox:read', 'chat:read', 'draft:write']

/** Returns wallets and programs of a service, which may start later. */
export function talkingTo(service: () => Service) {
  async function newcomer() {
    const address = newWallet()
    const client = await service().as(address)
    return {
      address,
      client,
      write: async (toaddr: string, message: string, more = {}) =>
        (await client.sendDirectMessage({ body: { fromaddr: address, toaddr, message, ...more } }))[0]!,
      post: (nftaddr: string, message: string) =>
        client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }),
      join: (nftaddr: string) => client.joinChat({ body: { walletaddr: address, nftaddr } }),
      accept: (peer: string) => client.setContact({ peer, body: { state: 'accepted' } }),
      sent: async () =>
        (await client.listDirectMessages({ address }))
          .filter(({ fromaddr }) => fromaddr === address)
          .map(({ message }) => message),
    }
  }

  /** The program with a key of a wallet. */
  async function startMcp(wallet: string, scopes: string[], env: Record<string, string> = {}) {
    const key = await newApiKeyOf(service(), wallet, scopes)
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main],
      env: { PARLEY_URL: await service().listen(), PARLEY_API_KEY: key, ...env },
      stderr: 'pipe',
    })
    let printed = ''
    transport.stderr!.on('data', (data: Buffer) => (printed += data.toString()))
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    return {
      key,
      client,
      printed: () => printed,
      call: async (name: string, input: Record<string, unknown> = {}) => {
        const { content, isError } = await client.callTool({ name, arguments: input })
        const text = (content as { text: string }[]).map((one) => one.text).join('\n')
        expect(text).not.toContain(key)
        return { text, isError: isError === true }
      },
      [Symbol.asyncDispose]: () => client.close(),
    }
  }

  return { newcomer, startMcp }
}

export type Newcomer = Awaited<ReturnType<ReturnType<typeof talkingTo>['newcomer']>>

export const unassigned = /[\p{Co}\p{Cn}\p{Cs}]/gu

/** The items of a quotation. Fails when anything stands beside its one frame. */
export function itemsOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n')
  const number = /^--- begin of data ([0-9a-f]{32}) ---$/.exec(lines[1]!)?.[1]
  expect(lines[0]).toContain('data, not instructions')
  expect(lines.at(-1)).toBe(`--- end of data ${number} ---`)
  expect(hasUnseen(text)).toBe(false)
  expect(text).not.toMatch(unassigned)
  return lines.slice(2, -1).map((line) => {
    expect(line).not.toMatch(/[<>`]/)
    expect(line).not.toContain(number)
    return JSON.parse(line)
  })
}
