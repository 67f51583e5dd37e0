import { expect, test } from 'vitest'
import { communityPath } from '@parley/sdk/chat-path.ts'
import { chatPath } from './chat-path.ts'

test.each([
  ['gardeners', '/c/gardeners'],
  ['gardeners/tools', '/c/gardeners/tools'],
  ['gärtner/äpfel', '/c/g%C3%A4rtner/%C3%A4pfel'],
  // These would be pages about the community.
  ['gardeners/about', '/c/gardeners%2Fabout'],
  ['gardeners/Moderation', '/c/gardeners%2FModeration'],
])('a notification about %s opens the path at which the client shows it', (nftaddr, path) => {
  expect(chatPath({ nftaddr, isCommunity: true })).toBe(path)
  expect(communityPath(nftaddr)).toBe(path)
})
