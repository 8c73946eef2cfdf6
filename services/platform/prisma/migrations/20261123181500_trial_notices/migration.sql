-- Who was told when a trial ends.

-- CreateTable
CREATE TABLE "trial_notices" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "trial_ends_at" TIMESTAMPTZ(3) NOT NULL,
    "days_before" SMALLINT NOT NULL,

    CONSTRAINT "trial_notices_pkey" PRIMARY KEY ("workspace_id","trial_ends_at","days_before")
);

ALTER TABLE trial_notices
  ADD CONSTRAINT trial_notices_workspace FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE;
SELECT suite_confine('trial_notices');

-- What the schedule looks for, over all workspaces: trials that end soon.
CREATE INDEX workspaces_trials ON workspaces (trial_ends_at) WHERE trial_ends_at IS NOT NULL;

-- The code says which letters there are: whoever adds one need not know of those that others add.
ALTER TABLE outgoing_mail
  DROP CONSTRAINT outgoing_mail_letter,
  ADD CONSTRAINT outgoing_mail_letter CHECK (letter ~ '^[a-z]+(_[a-z]+)*$');
