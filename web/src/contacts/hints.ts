/** What a decision about somebody means, while the reader has not taken it or can take it back. */
export const hints = {
  request: (title: string) =>
    `${title} is a stranger to you. It does not see that you read this, and is not told if you ignore or block it.`,
  ignored: (title: string) =>
    `You ignore ${title}: what it writes is kept here, and nothing tells you of it. It does not see that you read it.`,
  blocked: (title: string) =>
    `You have blocked ${title}. What it writes does not reach you, and it is not told.`,
}
