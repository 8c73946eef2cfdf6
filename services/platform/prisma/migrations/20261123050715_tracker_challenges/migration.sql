-- AlterTable
ALTER TABLE "login_challenges" ADD COLUMN     "purpose" TEXT NOT NULL DEFAULT 'web';

ALTER TABLE login_challenges ADD CONSTRAINT login_challenges_purpose CHECK (purpose IN ('web', 'tracker'));
