import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import {
  type Abi,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  publicActions,
  type SendTransactionSyncParameters,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { freePort } from '../service/ports.ts'

// This is the first account of anvil's well-known development mnemonic.
const deployer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

export interface Contract {
  address: Hex
  abi: Abi
}

/** Starts a real local chain (anvil), whose first block is of a time in milliseconds. `await using` stops it at the end of the test. */
export async function startChain({ begins = Date.now() } = {}) {
  const { anvil, port } = await startAnvil(begins)
  const url = `http://127.0.0.1:${port}`
  const client = createTestClient({
    account: deployer,
    chain: foundry,
    mode: 'anvil',
    // A transaction that is sent again where the machine is busy is refused: it has its place in the chain already.
    transport: http(url, { retryCount: 0, timeout: 60_000 }),
  })
    .extend(publicActions)
    .extend(walletActions)

  /** Sends a transaction, and returns its receipt when it is in the chain. */
  const send = async (transaction: SendTransactionSyncParameters<typeof foundry, typeof deployer>) =>
    client.sendTransactionSync({
      ...transaction,
      // The node's own count may include one that it has already put into the chain.
      nonce: await client.getTransactionCount({ address: deployer.address, blockTag: 'latest' }),
      throwOnReceiptRevert: true,
      // anvil takes no time limit with a transaction.
      timeout: 0,
    })

  return {
    url,
    chainId: foundry.id,
    client,
    send,
    /** Compiles and deploys a contract of `testing/contracts/<file>`. */
    async deploy(file: string, contractName: string, args: unknown[] = []): Promise<Contract> {
      const { abi, bytecode } = compileContract(
        path.join(import.meta.dirname, 'contracts', file),
        contractName,
      )
      const { contractAddress } = await send({ data: encodeDeployData({ abi, bytecode, args }) })
      return { address: `0x${contractAddress!.slice(2).toLowerCase()}`, abi }
    },
    /** Calls a function of a contract in a transaction, and returns when it is in the chain. */
    async write({ address, abi }: Contract, functionName: string, args: readonly unknown[]): Promise<void> {
      await send({ to: address, data: encodeFunctionData({ abi, functionName, args }) })
    },
    async [Symbol.asyncDispose]() {
      await stop(anvil)
    },
  }
}

export type Chain = Awaited<ReturnType<typeof startChain>>

// anvil ends with this process, also after kill -9: the shell waits for the end of its input, then kills anvil.
const leash = 'exec 3<&0; "$0" "$@" 3<&- & p=$!; { cat <&3; kill "$p"; } >/dev/null 2>&1 & wait "$p"'

async function startAnvil(begins: number) {
  const port = await freePort()
  const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(foundry.id)]
  args.push('--timestamp', String(Math.floor(begins / 1000)))
  const anvil = spawn('sh', ['-c', leash, anvilBinary(), ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [anvil.stdout, anvil.stderr]) stream.on('data', (chunk) => (output += chunk))
  for await (const _ of anvil.stdout)
    if (output.includes(`Listening on 127.0.0.1:${port}`)) return { anvil, port }
  await stop(anvil)
  throw new Error(`anvil does not start:\n${output}`)
}

async function stop(anvil: ChildProcess) {
  if (anvil.exitCode !== null || anvil.signalCode !== null) return
  const exit = once(anvil, 'exit')
  anvil.stdin?.end()
  await exit
}

/** Returns the path where npm put the binary for this platform; the wrapper package would fetch it in an install script. */
function anvilBinary(): string {
  const require = createRequire(import.meta.url)
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const manifest = require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/package.json`)
  const { bin }: { bin?: Record<string, string> } = JSON.parse(readFileSync(manifest, 'utf8'))
  return path.join(path.dirname(manifest), bin?.['anvil'] ?? 'bin/anvil')
}

interface Compiled {
  abi: Abi
  bytecode: Hex
}

const require = createRequire(import.meta.url)
const compiled = new Map<string, Map<string, Compiled>>()

/** Compiles a Solidity file from source, once per process; imports of packages come from node_modules. */
function compileContract(file: string, contractName: string): Compiled {
  const contracts = compiled.get(file) ?? compile(file)
  compiled.set(file, contracts)
  const contract = contracts.get(contractName)
  if (!contract)
    throw new Error(`${file} has no contract ${contractName}, only ${[...contracts.keys()].join(', ')}`)
  return contract
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

function compile(file: string): Map<string, Compiled> {
  // It is loaded when first needed: the compiler is 9 MB of WebAssembly.
  const solc: { compile: (input: string, callbacks: object) => string } = require('solc')
  const name = path.basename(file)
  const input = {
    language: 'Solidity',
    sources: { [name]: { content: readFileSync(file, 'utf8') } },
    settings: { outputSelection: { [name]: { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const findImport = (found: string) => ({ contents: readFileSync(require.resolve(found), 'utf8') })
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }))
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  return new Map(
    Object.entries(output.contracts?.[name] ?? {}).map(([contract, { abi, evm }]) => [
      contract,
      { abi, bytecode: `0x${evm.bytecode.object}` },
    ]),
  )
}
