// This file is loaded when a name of ENS is looked up: its tables are not part of the first load.

import { normalize } from 'viem/ens'

/** Returns the normal form of a name (ENSIP-15); throws where it has none. */
export const normalName = (name: string): string => normalize(name)
