import * as features from './features.ts'

type Features = typeof features
type All<Feature> = (Feature extends unknown ? (one: Feature) => void : never) extends (
  all: infer Endpoints,
) => void
  ? { [Name in keyof Endpoints]: Endpoints[Name] }
  : never

/** The contract has every endpoint of the service by name. The server, the SDK, the docs and the tests are all made from it. */
export const contract = Object.assign({}, ...Object.values(features)) as All<Features[keyof Features]>
export type Contract = typeof contract
