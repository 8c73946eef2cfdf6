-- The tenth role of a workspace, in those that were provisioned with nine. A role of their own by that key or name makes room.
UPDATE "roles" SET "key" = 'payroll_' || left(md5("id"::text), 8) WHERE "key" = 'payroll' AND NOT "system";
UPDATE "roles" SET "name" = 'Payroll (' || left(md5("id"::text), 4) || ')' WHERE "name" = 'Payroll' AND NOT "system";
INSERT INTO "roles" ("id", "workspace_id", "key", "name", "description", "kind", "system")
SELECT gen_random_uuid(), "id", 'payroll', 'Payroll', 'Runs, approves and pays the payroll; sees what people earn, and where it is paid to.', 'staff', TRUE
FROM "workspaces";
