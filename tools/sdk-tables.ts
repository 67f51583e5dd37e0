// This makes the part of the contract that a client needs, as text: a table of methods and paths for each feature, in place of
// sdk/src/slices.ts. So neither the package of the SDK nor the web client loads the models that the contract is made of.

import type { Endpoint } from '../sdk/src/contract/endpoint.ts'
import * as features from '../sdk/src/contract/features.ts'

const callOf = ({ method, path, produces, consumes, idempotent }: Endpoint) => ({
  method,
  path,
  produces,
  consumes,
  idempotent,
})

export const featureNames = Object.keys(features)

export const sdkTables = (): string =>
  Object.entries(features)
    .map(([feature, endpoints]) => {
      const calls = Object.entries(endpoints).map(([name, endpoint]) => [name, callOf(endpoint)])
      return `export const ${feature} = ${JSON.stringify(Object.fromEntries(calls), undefined, 2)};\n`
    })
    .join('')
