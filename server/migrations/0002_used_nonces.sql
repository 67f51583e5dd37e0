-- Nonces that have signed someone in. Issued ones are not stored: they prove themselves.
create table used_nonces (
  nonce_hash bytea primary key,
  expires_at timestamptz(3) not null
);

-- Housekeeping deletes what has expired, without reading the rest.
create index used_nonces_expires_at on used_nonces (expires_at);
