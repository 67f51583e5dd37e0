// What a contract is: its kind, by ERC-165, and its name. Both are remembered for an hour.

import { type Hex, parseAbi } from 'viem'
import type { Config } from '../config/settings.ts'
import { type Chain, chainOf, type ContractOnChain, readCode, readView } from './contract-view.ts'
import { createMemory } from './memory.ts'

type Settings = Pick<Config, 'rpcUrls'>

/** `none` where there is no contract, `other` for one that is no NFT. */
export type Kind = 'none' | 'other' | 'ERC-721' | 'ERC-1155' | 'both'

/** The kind of a contract on a chain. Throws 502 when the chain cannot be reached. */
export const readKind = (config: Settings, chain: Chain, contract: Hex): Promise<Kind> =>
  remember(config, `kind ${chain.id} ${contract}`, () => findKind(chain, contract))

/** The name of a contract, at most 100 characters; empty when it has none. */
export const readName = ({ config }: { config: Settings }, { chain, contract }: ContractOnChain) =>
  remember(config, `name ${chain} ${contract}`, async () =>
    cleanName((await readView(chainOf(config, chain), contract, views, 'name', [])) ?? ''),
  )

/**
 * A name from a contract or its metadata, which anybody may write: without control, format and
 * unassigned characters but the joiners and tags within an emoji, at most 100 others.
 */
export const cleanName = (name: string): string =>
  Array.from(name.slice(0, 1000).replaceAll(emojiOrUnseen, (found) => (unseen.test(found) ? '' : found)))
    .slice(0, 100)
    .join('')
    .trim()

const unseen = /^\p{C}$/u
const oneEmoji = String.raw`\p{Extended_Pictographic}(?:\p{EMod}|\ufe0f)?`
/** Emoji with what joins them (UTS #51), flags of regions, and single characters that nobody sees. */
const emojiOrUnseen = new RegExp(
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}|${oneEmoji}(?:\u200d${oneEmoji})*|\p{C}`,
  'gu',
)

const views = parseAbi([
  'function supportsInterface(bytes4) view returns (bool)',
  'function name() view returns (string)',
])

// An account that runs the code of a contract (EIP-7702) is not a contract itself.
const delegation = /^0xef0100/i

async function findKind(chain: Chain, contract: Hex): Promise<Kind> {
  const code = await readCode(chain, contract)
  if (code === '0x' || delegation.test(code)) return 'none'
  const supports = (id: Hex) => readView(chain, contract, views, 'supportsInterface', [id])
  const [erc165, anything, erc721, erc1155] = await Promise.all(
    (['0x01ffc9a7', '0xffffffff', '0x80ac58cd', '0xd9b67a26'] as const).map(supports),
  )
  // Spec gap: contracts older than ERC-165 that have a balance (CryptoPunks) count as ERC-721.
  if (!erc165 || anything) return 'ERC-721'
  if (erc721 && erc1155) return 'both'
  if (erc721 || erc1155) return erc721 ? 'ERC-721' : 'ERC-1155'
  const isDraft = await Promise.all(drafts.map(supports))
  return isDraft.includes(true) ? 'ERC-721' : 'other'
}

/** What collections say that are older than the final ERC-721: its drafts of 2018, such as that of CryptoKitties. */
const drafts = ['0x9a20483d', '0x6466353c'] as const

const hour = 3_600_000
const minute = 60_000

// Where there is no contract, there may soon be one.
const memoryOf = createMemory<string>((answer) => (answer === 'none' ? minute : hour))

/** Answers a question about a contract from memory, or calls `ask`. */
const remember = async <T extends string>(config: Settings, question: string, ask: () => Promise<T>) =>
  (await memoryOf(config).fetch(question, { context: ask })) as T
