-- Events have positions in the journal of their service instead of numbers per record. A position needs 64 bits.
ALTER TABLE "users" ALTER COLUMN "as_of" TYPE bigint, ALTER COLUMN "status_as_of" TYPE bigint;
