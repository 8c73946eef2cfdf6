-- Creates an ID that sorts by its creation time, like the IDs that the service creates. Rejects nothing. Used for rows
-- that a statement inserts as a set. In SQL because only the database knows how many rows such a statement inserts.
-- PostgreSQL has a built-in `uuidv7()` from version 18.
CREATE OR REPLACE FUNCTION suite_uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;
