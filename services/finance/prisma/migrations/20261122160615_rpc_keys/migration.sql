-- The keys of all methods lie in one table of the foundation. Only crm asks for drafts, and only hr will ask for entries.
INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint, answer, subject, created_at)
SELECT workspace_id, 'CreateDraftInvoice', draft_key, 'crm', draft_hash,
  jsonb_build_object('sales_invoice_id', id, 'total', total::text, 'currency', currency), id::text, created_at
FROM sales_invoices WHERE draft_key IS NOT NULL;

INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint, answer, created_at)
SELECT workspace_id, 'PostJournal', asked.key, 'hr', asked.content_hash,
  jsonb_build_object('journal_entry_id', entry.id, 'number', entry.number), asked.created_at
FROM journal_requests AS asked JOIN journal_entries AS entry USING (workspace_id) WHERE entry.id = asked.journal_id;

-- CreateTable
CREATE TABLE "requested_entries" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "journal_id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,

    CONSTRAINT "requested_entries_pkey" PRIMARY KEY ("workspace_id","journal_id")
);

-- What Prisma cannot say.
ALTER TABLE "requested_entries" ADD CONSTRAINT "requested_entries_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
SELECT suite_confine('requested_entries');
SELECT suite_append_only('requested_entries');

-- What an entry was asked for with is compared under other keys, too.
INSERT INTO requested_entries (workspace_id, journal_id, fingerprint)
SELECT DISTINCT ON (workspace_id, journal_id) workspace_id, journal_id, content_hash
FROM journal_requests ORDER BY workspace_id, journal_id, created_at;

-- DropTable
DROP TABLE "journal_requests";

-- DropIndex
DROP INDEX "sales_invoices_draft_key_key";

-- AlterTable
ALTER TABLE "sales_invoices" DROP COLUMN "draft_hash",
DROP COLUMN "draft_key";
