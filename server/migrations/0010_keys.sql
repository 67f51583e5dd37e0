-- The key each wallet is written to with, for client-side encryption. The service reads none of these texts.
create table keys (
  address text collate "C" primary key,
  public_key text not null,
  signature text not null,
  backup text not null,
  updated_at timestamptz(3) not null default now()
);
