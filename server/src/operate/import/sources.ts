// Each kind of export has a reader.

import { readDiscord } from './discord.ts'
import { readMattermost } from './mattermost.ts'
import { readParley } from './parley.ts'
import type { Kind, Record } from './records.ts'
import { readRocketChat } from './rocketchat.ts'
import { readSlack } from './slack.ts'
import { readTelegram } from './telegram.ts'
import type { Tree } from './tree.ts'

export const sources: { [kind in Kind]: (tree: Tree) => AsyncGenerator<Record, void> } = {
  discord: readDiscord,
  telegram: readTelegram,
  slack: readSlack,
  mattermost: readMattermost,
  rocketchat: readRocketChat,
  parley: readParley,
}
