-- Events have positions in the journal of their service instead of numbers per record. A position needs 64 bits.
ALTER TABLE "books" ALTER COLUMN "workspace_version" TYPE bigint;
