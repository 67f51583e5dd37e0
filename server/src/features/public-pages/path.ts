/** Returns the path of the page of a chat. */
export const pathOf = (nftaddr: string): string =>
  `/c/${nftaddr.split('/').map(encodeURIComponent).join('/')}`
