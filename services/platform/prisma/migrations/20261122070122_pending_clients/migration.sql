-- AlterTable
ALTER TABLE "ensured_users" ADD COLUMN     "email" TEXT,
ADD COLUMN     "name" TEXT,
ADD COLUMN     "password_hash" TEXT,
ADD COLUMN     "phone" TEXT;

-- A client whom another service needs for a command that may still fail is there for nobody: only the statements that make,
-- confirm and remove such users name the setting. The unique index holds the address all the same.
CREATE POLICY suite_confirmed ON users AS RESTRICTIVE TO suite_confined, suite_viewer
  USING (status <> 'pending' OR current_setting('suite.pending_users', true) = 'on');
ALTER TABLE users
  DROP CONSTRAINT users_status,
  ADD CONSTRAINT users_status CHECK (status IN ('pending', 'invited', 'active', 'disabled', 'deleted'));
