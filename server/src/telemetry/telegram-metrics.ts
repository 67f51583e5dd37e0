import { Counter } from 'prom-client'

export const telegrams = new Counter({
  name: 'parley_telegrams_total',
  help: 'Messages by Telegram by what became of them: sent, gone (the chat wants no more), refused, later (tried again)',
  labelNames: ['outcome'],
})
