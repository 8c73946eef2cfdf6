ALTER TABLE "mailboxes" ADD COLUMN "authentication_server" TEXT;
