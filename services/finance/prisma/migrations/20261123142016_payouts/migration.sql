-- AlterTable
ALTER TABLE "bank_accounts" ADD COLUMN     "bic" TEXT;

-- What Prisma cannot say.
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_bic_check" CHECK ("bic" ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$');

-- Workspaces whose books are open have the account of new ones, too.
INSERT INTO "gl_accounts" ("id", "workspace_id", "code", "name", "type_id", "parent_id", "system_role", "updated_at")
SELECT gen_random_uuid(), parent."workspace_id", '1150', 'Advances to employees', parent."type_id", parent."id", 'employee_advances', now()
FROM "gl_accounts" AS parent
WHERE parent."code" = '1100' AND parent."is_group"
  AND NOT EXISTS (SELECT FROM "gl_accounts" AS own WHERE own."workspace_id" = parent."workspace_id" AND own."system_role" = 'employee_advances')
ON CONFLICT DO NOTHING;
