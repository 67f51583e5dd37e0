/** These texts say what a decision about somebody means, before the reader takes it and while it can be undone. */
export const hints = {
  request: (title: string) =>
    `You don’t know ${title} yet. Until you accept, they can’t see that you read this.`,
  ignored: (title: string) => `You’re ignoring ${title}. Their messages arrive here quietly.`,
  blocked: (title: string) => `You blocked ${title}. They can’t reach you and don’t know it.`,
}
