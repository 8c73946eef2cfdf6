-- Makes an id that sorts by the time of its making, like those that the service makes, for rows that a statement inserts by
-- the set. It is SQL because such a statement knows only in the database how many rows it inserts. PostgreSQL has uuidv7()
-- from 18 on.
CREATE OR REPLACE FUNCTION suite_uuid7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1), 'hex')::uuid
$$;
