-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email_verified" BOOLEAN NOT NULL DEFAULT false;

-- Earlier releases activated accounts when they were verified. Platform lets nobody sign in whose address is not proved.
UPDATE users SET email_verified = true WHERE status IN ('active', 'disabled');
