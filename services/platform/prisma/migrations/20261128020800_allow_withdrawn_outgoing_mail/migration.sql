-- An e-mail to an owner is withdrawn if the recipient is no longer an active owner when it is sent.
ALTER TABLE "outgoing_mail"
  DROP CONSTRAINT outgoing_mail_status,
  ADD CONSTRAINT outgoing_mail_status CHECK (status IN ('queued', 'sent', 'failed', 'cancelled', 'dropped'));
