/** A token of an NFT. `nftid` is in decimal digits. */
export interface Nft {
  nftaddr: string
  nftid: string
}

/** Returns the form in which the service writes an address: those of Ethereum are in lower case. */
export const canonical = (address: string): string => (/^0x/i.test(address) ? address.toLowerCase() : address)

export const canonicalNft = ({ nftaddr, nftid }: Nft): Nft => ({
  nftaddr: canonical(nftaddr),
  nftid,
})
