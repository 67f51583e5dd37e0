// These rules of a gate are wrong, each with the place of its fault.

import type { NewGateRule } from '@parley/sdk/contract/gate-models.ts'
import { newWallet } from '../service/service.ts'

type Coins = (min: string, contract?: string) => NewGateRule

/** Returns what is wrong, the rule, and where the refusal points. `coins` makes a condition of a coin. */
export const wrongRules = (
  coins: Coins,
  { hats, badges }: { hats: string; badges: string },
): [string, NewGateRule, string][] => [
  ['no condition', {}, '/body/read'],
  ['two kinds', { wallets: [newWallet()], any: [coins('1')] }, '/body/read'],
  ['a chain that the service is not connected to', { ...coins('1'), chain: 5 }, '/body/read/chain'],
  ['no amount', { ...coins('1'), min: undefined! }, '/body/read/min'],
  ['an amount of nothing', coins('0.0'), '/body/read/min'],
  ['more digits than the coin has', coins('0.1234567890123456789'), '/body/read/min'],
  ['ids of a coin', { ...coins('1'), ids: ['1'] }, '/body/read/ids'],
  ['a wallet in place of a contract', coins('1', newWallet()), '/body/read/contract'],
  [
    'a coin in place of a collection',
    { any: [{ ...coins('1'), standard: 'erc721' }] },
    '/body/read/any/0/contract',
  ],
  ['a collection in place of a coin', coins('1', hats), '/body/read/contract'],
  ['parts of a token', { ...coins('1.5', hats), standard: 'erc721' }, '/body/read/min'],
  ['many of any ERC-1155', { ...coins('2', badges), standard: 'erc1155' }, '/body/read/min'],
  ['hours of a list', { wallets: [newWallet()], held_hours: 5 }, '/body/read/held_hours'],
  [
    'hours of any ERC-1155',
    { ...coins('1', badges), standard: 'erc1155', held_hours: 5 },
    '/body/read/held_hours',
  ],
  ['four levels', { any: [{ all: [{ not: { any: [coins('1')] } }] }] }, '/body/read/any/0/all/0/not'],
  [
    '21 conditions',
    { all: [1, 2, 3].map(() => ({ any: Array.from({ length: 7 }, () => coins('1')) })) },
    '/body/read',
  ],
  [
    '201 wallets',
    { any: [1, 2].map((n) => ({ wallets: Array.from({ length: 100 + n - 1 }, newWallet) })) },
    '/body/read',
  ],
]
