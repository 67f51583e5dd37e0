import { openCaller } from '../../testing/cases/callers.ts'
import { digestOf } from '../random.ts'
import type { Run } from '../run.ts'

/** Opens a wallet of a drill by its name, at a network address. */
export const openWallet = ({ services, jwtSecret, seed }: Run, name: string, from: string) =>
  openCaller({ url: services[0]!.url, jwtSecret }, `0x${digestOf(seed, name).slice(0, 40)}`, from)
