-- Letters say what they are about: a new device, a new API key, the second factor.
-- AlterTable
ALTER TABLE "outgoing_mail" ADD COLUMN     "facts" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE outgoing_mail
  DROP CONSTRAINT outgoing_mail_letter,
  ADD CONSTRAINT outgoing_mail_letter CHECK (letter IN (
    'invitation', 'reset_password', 'verify_email', 'email_changed', 'password_changed', 'new_device', 'new_api_key', 'second_factor_on', 'second_factor_off'));
