-- Returns the lock scopes that accounts belong to. A lock of such a scope covers every entry with a line on one of
-- these accounts, regardless of the kind of document. Rejects nothing. In SQL because ledger_post and ledger_check call
-- it within their own statements, so that no code path can post to a locked period.
CREATE OR REPLACE FUNCTION ledger_scopes(workspace uuid, accounts uuid[]) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(DISTINCT part.scope) FROM "gl_accounts" AS account
    JOIN (VALUES ('bank', 'banking'), ('cash', 'banking'),
      ('receivable', 'sales'), ('customer_advances', 'sales'), ('tax_output', 'sales'), ('sales', 'sales'),
      ('sales_returns', 'sales'), ('sales_discount', 'sales'),
      ('payable', 'purchases'), ('vendor_advances', 'purchases'), ('tax_input', 'purchases'),
      ('salaries_expense', 'payroll'), ('salaries_payable', 'payroll'), ('payroll_liabilities', 'payroll'),
      ('employee_advances', 'payroll')) AS part (role, scope) ON part.role = account.system_role
  WHERE account.workspace_id = workspace AND account.id = ANY(accounts)
$$;
