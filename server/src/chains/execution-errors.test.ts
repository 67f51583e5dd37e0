import { RpcRequestError } from 'viem'
import { expect, test } from 'vitest'
import { isExecutionError } from './execution-errors.ts'

const answer = (message: string, { code = -32000, data }: { code?: number; data?: unknown } = {}) =>
  new RpcRequestError({
    body: {},
    url: 'http://127.0.0.1',
    error: { code, message, ...(data !== undefined && { data }) },
  })

test.each([
  // go-ethereum, core/vm/errors.go and core/vm/contracts.go.
  'out of gas',
  'contract creation code storage out of gas',
  'max call depth exceeded',
  'insufficient balance for transfer',
  'contract address collision',
  'execution reverted',
  'execution reverted: rate limit exceeded',
  'execution reverted: request timed out',
  'max initcode size exceeded',
  'max code size exceeded',
  'invalid jump destination',
  'write protection',
  'return data out of bounds',
  'gas uint64 overflow',
  'invalid code: must not begin with 0xef',
  'nonce uint64 overflow',
  'stack underflow (0 <=> 2)',
  'stack limit reached 1024 (1023)',
  'invalid opcode: INVALID',
  'invalid opcode: opcode 0xfe not defined',
  'err: out of gas (supplied gas 50000000)',
  'err: write protection (supplied gas 50000000)',
  'invalid input length',
  'elliptic curve: malformed point',
  // Erigon, Klaytn, Frontier.
  'evm: execution reverted',
  'return stack limit reached',
  'VM error occurs while running smart contract',
  'evm error: InvalidCode(Opcode(254))',
  'evm error: DesignatedInvalid',
  'evm error: OutOfOffset',
  'evm error: CallTooDeep',
  // Nethermind.
  'StaticCallViolation',
  'BadInstruction',
  'AccessViolation',
  'InvalidJumpDestination',
  'PrecompileFailure',
  // OpenEthereum, as message or behind the general one.
  'Bad instruction fe',
  'Bad jump destination 0x3',
  'Out of stack 16 1023/1024',
  'Built-in failed: Point not on curve',
  'Mutable call in static context',
  'Reverted 0x08c379a0',
  // Besu.
  'Invalid opcode: 0xfe',
  'Illegal state change',
  'Precompile error',
  'Code is invalid',
  // Reth and anvil.
  'EVM error: InvalidFEOpcode',
  'EVM error: OpcodeNotFound',
  'EVM error OutOfGas(Basic)',
  'EVM error: StateChangeDuringStaticCall',
  'EVM error: CreateContractSizeLimit',
  'EVM error: PrecompileErrorWithContext("bad")',
  'out of gas: gas required exceeds allowance: 50000000',
  'out of gas: gas exhausted during memory expansion: 10',
  'Out of gas: gas required exceeds allowance: 100',
  // evmone, ethereumjs, Hardhat, Ganache.
  'undefined instruction',
  'static mode violation',
  'invalid JUMP',
  'static state change',
  'VM Exception while processing transaction: revert',
  "Error: VM Exception while processing transaction: reverted with reason string 'quota'",
  'VM Exception while processing transaction: invalid opcode',
  'Error: Transaction reverted without a reason string',
  'REVERT opcode executed',
])('"%s" is what the contract answers, whatever the code is', (message) => {
  for (const code of [-32000, -32603, -32015, 3])
    expect([code, isExecutionError(answer(message, { code }))]).toEqual([code, true])
  expect(isExecutionError(answer('VM execution error.', { data: message }))).toBe(true)
  expect(isExecutionError(answer('Internal JSON-RPC error.', { code: -32603, data: { message } }))).toBe(true)
})

test('a code of a failed call is enough where the text says nothing', () => {
  expect(isExecutionError(answer('failed', { code: 3 }))).toBe(true)
  expect(isExecutionError(answer('VM execution error.', { code: -32015 }))).toBe(true)
  expect(isExecutionError(answer('failed'))).toBe(false)
})

test.each([
  'missing trie node 1234 (path ) state 0xab is not available',
  'header not found',
  'unknown block',
  'block 0x12 is not available',
  'state not available for block 7',
  'historical state 0xab is not available',
  'execution aborted (timeout = 5s)',
  'request timed out',
  'context deadline exceeded',
  'Too Many Requests',
  'rate limit exceeded',
  'request limit reached',
  'daily request limit reached - upgrade your account',
  'Your app has exceeded its compute units per second capacity',
  'out of credits',
  'insufficient balance, please recharge your account',
  'account is out of funds',
  'monthly quota used up',
  'the method eth_call does not exist/is not available',
  'method handler crashed',
  'Method not found',
  'EVM error: database error: no such table',
  'internal error',
  'project ID does not have access to archive state',
  'node is syncing',
  'upstream error',
  'something that nobody has written yet',
])('"%s" is an outage, whatever the code is', (message) => {
  for (const code of [-32000, -32005, -32601, -32603, -32003])
    expect([code, isExecutionError(answer(message, { code }))]).toEqual([code, false])
})

test.each(['missing trie node 1234', 'request timed out', 'daily request limit reached'])(
  '"%s" is an outage also with the code of a failed call',
  (message) => {
    for (const code of [3, -32015]) expect(isExecutionError(answer(message, { code }))).toBe(false)
  },
)

test('what is no error of JSON-RPC is an outage', () => {
  for (const error of [new Error('execution reverted'), 'execution reverted', undefined])
    expect(isExecutionError(error)).toBe(false)
})
