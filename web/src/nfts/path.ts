/** Returns the path of the conversation with a wallet about one NFT. */
export const pathAbout = (peer: string, { nftaddr, nftid }: { nftaddr: string; nftid: string }): string =>
  `/dm/${encodeURIComponent(peer)}?${new URLSearchParams({ nft: nftaddr, token: nftid })}`
