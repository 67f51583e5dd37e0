import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Abi, Hex } from 'viem'

interface Compiled {
  abi: Abi
  bytecode: Hex
}

const require = createRequire(import.meta.url)
const compiled = new Map<string, Map<string, Compiled>>()

/** Compiles a Solidity file from source, once per process; imports of packages come from node_modules. */
export function compileContract(file: string, contractName: string): Compiled {
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
