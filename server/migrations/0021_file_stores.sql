-- This table is small, and on a cluster it lies on its coordinator; it has no bucket. It has each disk on which instances store
-- files of messages, by the random id in its DATA_DIR/files. Instances write into it while they run, so several rows with a
-- recent time are hosts that do not have each other's files (server/src/files/disks.ts).
create table file_disks (
  marker text collate "C" primary key,
  host text not null,
  seen_ms bigint not null
);
