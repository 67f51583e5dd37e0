/** Is the other end of `startWorker`: does each job that the parent process sends, one at a time, and returns the result. */
export function answerJobs(work: (job: never) => Promise<unknown>): void {
  process.on('message', (job) => {
    work(job as never).then(
      (answer) => process.send!({ answer }),
      (error: Error) => process.send!({ error: error.stack ?? String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
}
