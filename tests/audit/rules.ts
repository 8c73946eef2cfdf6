/** What the auditor checks: each service's own rules, and what two services must agree about. */
import type { Agreement, Check } from '@suite/auditor';
import { checks as crm } from '@suite/crm/audit';
import { checks as finance } from '@suite/finance/audit';
import { checks as inventory } from '@suite/inventory/audit';

export const rules: Readonly<Record<'crm' | 'finance' | 'inventory', readonly Check[]>> = { crm, finance, inventory };

export const agreements: readonly Agreement[] = [
  {
    name: 'the inventory account of the ledger is worth what the stock is worth',
    here: {
      service: 'inventory',
      sql: `SELECT workspace_id, 'value' AS key, trim_scale(sum(value))::text AS value FROM stock_levels
        GROUP BY workspace_id HAVING sum(value) <> 0`,
    },
    there: {
      service: 'finance',
      sql: `SELECT line.workspace_id, 'value' AS key, trim_scale(sum(line.debit - line.credit))::text AS value
        FROM journal_lines AS line JOIN gl_accounts AS account
          ON account.workspace_id = line.workspace_id AND account.id = line.account_id
        WHERE account.system_role = 'inventory'
        GROUP BY line.workspace_id HAVING sum(line.debit - line.credit) <> 0`,
    },
  },
  {
    name: 'every till sale is in the journal, for what it came to',
    here: {
      service: 'inventory',
      sql: `SELECT workspace_id, id::text AS key, trim_scale(total)::text AS value FROM pos_orders WHERE total <> 0`,
    },
    there: {
      service: 'finance',
      sql: `SELECT entry.workspace_id, entry.source_id::text AS key, trim_scale(sum(line.credit))::text AS value
        FROM journal_entries AS entry JOIN journal_lines AS line
          ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
        JOIN gl_accounts AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
        WHERE entry.source_type = 'pos_order' AND entry.reversal_of IS NULL AND account.system_role IN ('sales', 'tax_output')
        GROUP BY entry.workspace_id, entry.source_id`,
    },
  },
];
