// What `npm run parley` says without a command it knows.

export const usage = `Usage:
  npm run parley -- backup [--to <file>] [--with-secret]
      Writes all data into one archive. The service may run meanwhile: everything that was
      acknowledged before the backup began is in it. Without --to the file is parley-<time>.zip in
      this folder.
  npm run parley -- verify <file>
      Checks an archive by its checksums. Needs no database.
  npm run parley -- restore <file> [--with-secret]
      Restores an archive into an empty database: a new DATA_DIR, or a new database at
      DATABASE_URL. Start the service afterwards.
  npm run parley -- recovered
      After PostgreSQL's own tools have brought the database back to an earlier moment, and before
      the service starts: new ids will be far above the restored ones, clients read everything again
      and sign in again.
  npm run parley -- check
      Recounts everything in the database: counters, copies, the order of messages, and where each
      row lies. Changes nothing, and the service may run meanwhile. Prints each row that is wrong,
      without texts; the exit code is then 1.
  npm run parley -- names
      Prints the names and communities that the rule of this version would refuse, or that look like
      another: they stay. What all names look like is stored as this version compares them, so run
      it after an update; the service may run meanwhile.
  npm run parley -- operator add|remove|list [<address>]
      Says which wallets are operators: they can mute and ban wallets, over the API. The service may
      run meanwhile, and follows within seconds.
  npm run parley -- audit [<hash>]
      Checks that no row in the log of operators was changed or taken out, and prints the hash of the
      last one: note it. With a hash that was noted earlier, also that the log still has its row.
  npm run parley -- held <wallet or chat>
      Prints what was deleted of a wallet or chat under a legal hold, a line of JSON for each
      message. That it was read is a row of the log of operators.
  npm run parley -- partition
      For long histories: ends the newest part of the tables of messages, some way ahead, and begins
      the next one. The service may run meanwhile. Meant for once a month, from some 100 GB on.
  npm run parley -- distribute [--dry-run [<address of a copy>]]
      Moves the database onto a cluster of Citus (docs/cluster.md), whose nodes are registered in it.
      The service may run; every request is answered with 503 until the end, and its instances then
      end, to be started again. With --dry-run it checks and says what it would do; with the address
      of a restored copy it does it there, and says how long it took.

The database is that of the service: DATABASE_URL, or the embedded one in DATA_DIR (./data).
--with-secret includes DATA_DIR/jwt-secret. With that secret anyone can sign in as any wallet, so protect such an
archive like a password. Without it all wallets must sign in again after a restore, and links in earlier mails do not
work.
`
