-- Lines of bills without a product are posted to "Purchased services". Workspaces with open books get the account for freight, too.
UPDATE "gl_accounts" SET "system_role" = 'purchased_services'
WHERE "code" = '5040' AND "system_role" IS NULL AND NOT "is_group" AND "active";

INSERT INTO "gl_accounts" ("id", "workspace_id", "code", "name", "type_id", "parent_id", "updated_at")
SELECT gen_random_uuid(), parent."workspace_id", '5050', 'Freight and duties', parent."type_id", parent."id", now()
FROM "gl_accounts" AS parent WHERE parent."code" = '5000' AND parent."is_group"
ON CONFLICT DO NOTHING;

-- Lines of posted bills keep the account that they were posted to, so that their returns reduce the same one.
UPDATE "invoice_lines" AS line SET "expense_account_id" = account."id"
FROM "purchase_invoices" AS bill, "gl_accounts" AS account
WHERE bill."workspace_id" = line."workspace_id" AND bill."id" = line."purchase_invoice_id" AND bill."status" <> 'draft'
  AND account."workspace_id" = line."workspace_id" AND account."system_role" = 'cogs'
  AND line."product_id" IS NULL AND line."expense_account_id" IS NULL;
