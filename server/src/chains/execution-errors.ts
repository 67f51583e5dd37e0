// Says whether an error of a node is about the call itself, which ran and failed: then it is the contract's answer. Anything else
// says that the node could not run it, and the chain counts as out of reach.
//
// Nodes word both in many ways, and the code -32000 stands for any of them. So the texts of the virtual machines are listed here,
// of each kind of failure as go-ethereum (core/vm/errors.go), Erigon, Nethermind, Besu, Reth, OpenEthereum, evmone, ethereumjs,
// Hardhat, anvil, Ganache and Frontier write it. A text that is in no list is an outage: if it counted as an answer, holders and
// owners would be refused.

import { rpcErrorOf } from './client.ts'

/**
 * Matches some words, in any case, with white space, `_`, `-` or nothing between: nodes also print the names of their types, such
 * as `OutOfGas`.
 */
const words = (...alternatives: string[]): RegExp =>
  new RegExp(`(?<![a-z])(?:${alternatives.join('|').replaceAll(' ', '[\\s_-]*')})(?![a-z])`, 'i')

/** No node says these about itself. After a revert come the contract's own words, which may be anything, also "rate limit". */
const failures: RegExp[] = [
  words(
    '(execution|transaction)( was)? revert(ed)?',
    'vm exception while processing transaction',
    'revert op ?code',
  ),
  words('vm execution error\\W+revert(ed)?', 'message execution failed'),
  // Gas.
  words('(out of|ran out of|run out of|insufficient|intrinsic|not enough) gas', 'oog', 'memory (limit )?oog'),
  words('gas required exceeds', 'gas exhausted', 'gas uint64 overflow', 'memory limit exceeded'),
  // Stack, and calls within calls.
  words('(subroutine |return )?stack (underflow|overflow|limit reached)', '(out of|insufficient) stack'),
  words('(too many|insufficient) stack items', '(max )?call depth( limit)? exceeded', 'call too deep'),
  // Instructions and jumps.
  words('(invalid|bad|undefined|unknown|unsupported) (fe )?(op ?code|instruction)', 'invalid operation'),
  words(
    'op ?code not (found|activated)',
    'invalid operand to the op ?code',
    'designated invalid',
    'not activated',
  ),
  words('(invalid|bad) jump( ?dest(ination)?)?', 'pc underflow'),
  words('invalid (subroutine (entry|return)|retsub|jumpsub|beginsub|returnsub)'),
  // Memory, and what a call has returned.
  words('(return data )?(copy )?out of bounds', 'out of offset', 'access violation', 'invalid memory access'),
  words('(argument|address|value) out of range', 'invalid range'),
  // Changes in a call that may change nothing.
  words('write protection', 'static ?(mode|state|call) (violation|change)', 'illegal state change'),
  words(
    'mutable call in static context',
    'state change during static ?call',
    'call not allowed inside static',
  ),
  words('cannot modify state', 'local call modification exception'),
  // Value, and contracts that a call would create.
  words('insufficient balance for transfer', 'not ?enough ?balance', 'overflow payment', 'value overflow'),
  /\boutoffunds?\b/i,
  words('(contract address|create|transaction) collision', 'nonce (uint64 )?overflow', 'code is too large'),
  words(
    '(max )?(init ?code|code) size (exceeded|limit|to deposit)',
    '(code store|contract creation code) out of gas',
  ),
  words(
    'contract creation code storage out of gas',
    'contract validation failure',
    'exceeds max init ?code size',
  ),
  words('create (contract|init ?code) (size )?limit', 'create contract starting with ef'),
  words('invalid (code( entry point)?|eof( format)?|bytecode|container)', 'code is invalid'),
  // Precompiled contracts.
  words('precompile(d contract)?( execution)? (error|failure|failed)( with context)?', 'built ?in failed'),
  words('invalid input length', 'malformed point', 'point (is )?not on (the )?curve', 'invalid final flag'),
]

/** Nodes and their providers say these about themselves, with any code. */
const outages: RegExp[] = [
  /missing trie node|header not found|unknown block|(block|state|header)\b.{0,80}(not (found|available)|unavailable|pruned)/i,
  /time(d)? ?out|deadline exceeded|execution aborted|cancell?ed|shutting down|not synced|syncing/i,
  /too many requests|rate.?limit|limit exceeded|request limit|quota|capacity|credits?\b|compute units|throttl|daily|upgrade/i,
  /method\b.{0,80}(not (found|supported|available|exist)|unavailable|crashed)|does not exist|no such method/i,
  /unauthori[sz]ed|forbidden|api key|database|upstream/i,
]

/** These codes and words stand for any failure of a call: reverted (3), and VM execution error (-32015). */
const codes = new Set([3, -32015])
const general = words('revert(ed|s|ing)?', 'e?vm (execution|exception)', 'vm error')

const isAny = (patterns: RegExp[], text: string) => patterns.some((pattern) => pattern.test(text))

/** Returns true when the call failed in the contract, as opposed to a node that could not run it. */
export function isExecutionError(error: unknown): boolean {
  const answer = rpcErrorOf(error)
  if (!answer) return false
  const text = textOf(answer.details, answer.data)
  if (isAny(failures, text)) return true
  return !isAny(outages, text) && (codes.has(answer.code) || general.test(text))
}

/** Returns the text of a node: some have the reason in the data of the error alone. */
function textOf(message: string, data: unknown): string {
  const more = typeof data === 'object' && data !== null && 'message' in data ? data.message : data
  return typeof more === 'string' ? `${message} ${more}`.slice(0, 1000) : message
}
