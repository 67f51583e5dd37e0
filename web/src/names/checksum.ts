// This file is loaded when an address is checked or shown whole: the hash it needs is not part of the first load.
export { getAddress, isAddress } from 'viem'
