// This is a contract of tokens on a chain of its own, and the host of their metadata and pictures, which counts its requests.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach } from 'vitest'
import { startChain } from './chain.ts'
import { newWallet, type Service, startService } from '../service/service.ts'

/** Starts both for the tests of a file, each of which begins with a host that has nothing. */
export async function startTokenHost() {
  const asked: string[] = []
  const answers = new Map<string, RequestListener>()
  const host = createServer((request, response) => {
    asked.push(request.url!)
    const answer = answers.get(request.url!)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const site = `127.0.0.1:${(host.address() as AddressInfo).port}`
  const chain = await startChain()
  const pictures = await chain.deploy('Tokens.sol', 'Pictures', ['Fine Pictures'])
  const owner = newWallet()
  const settings = () => ({ rpcUrls: { [chain.chainId]: chain.url }, privateFetchHosts: [site] })
  let ids = 0n
  afterAll(async () => {
    host.closeAllConnections()
    host.close()
    await chain[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    asked.length = 0
    answers.clear()
  })

  const write = (functionName: string, args: unknown[]) => chain.write(pictures, functionName, args)

  /** Makes a new token whose metadata is at an address. */
  const mint = async (uri: string, id = ++ids): Promise<{ nftaddr: string; nftid: string }> => {
    await write('mint', [owner, id, uri])
    return { nftaddr: pictures.address, nftid: String(id) }
  }

  return {
    chain,
    pictures,
    host,
    site,
    asked,
    answers,
    /** The wallet that has all tokens. */
    owner,
    write,
    mint,
    serve: (path: string, content: object | Buffer) =>
      answers.set(path, (_request, response) =>
        response.end(Buffer.isBuffer(content) ? content : JSON.stringify(content)),
      ),
    settings,
    start: (options: Parameters<typeof startService>[0] = {}) => startService({ ...settings(), ...options }),
  }
}

/** Returns what a wallet can read about a token. */
export async function look(
  service: Service,
  token: { nftaddr: string; nftid: string },
  caller = newWallet(),
) {
  const client = await service.as(caller)
  return { token: await client.getNft(token), picture: await client.getNftPicture(token) }
}
