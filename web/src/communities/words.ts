/** Says how many members a community has. */
export const membersOf = (members: number): string => `${members} ${members === 1 ? 'member' : 'members'}`
