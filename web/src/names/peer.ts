/** Returns the other wallet of a direct conversation. */
export const peerOf = ({ fromaddr, toaddr }: { fromaddr: string; toaddr: string }, me: string): string =>
  fromaddr === me ? toaddr : fromaddr
