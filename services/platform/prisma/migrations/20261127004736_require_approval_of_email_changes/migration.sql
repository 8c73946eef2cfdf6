-- AlterTable
ALTER TABLE "users" ADD COLUMN     "pending_email_approved_at" TIMESTAMPTZ(3),
ADD COLUMN     "pending_email_by" UUID,
ADD COLUMN     "pending_email_free_at" TIMESTAMPTZ(3),
ADD COLUMN     "second_factor_kept_until" TIMESTAMPTZ(3);

-- Links for the current address, and longer ones for an address that a colleague requested.
ALTER TABLE one_time_links
  DROP CONSTRAINT one_time_links_purpose,
  ADD CONSTRAINT one_time_links_purpose CHECK (purpose IN (
    'accept_invitation', 'reset_password', 'verify_email', 'verify_requested_email', 'approve_email'));
