import { listIndexes, start } from '@suite/testing';
import { finance } from './finance.ts';

listIndexes({
  contents: finance,
  serving: await start(finance),
  small: [
    'account_types',
    'gl_accounts',
    'period_locks',
    'bank_accounts',
    'revenue_categories',
    'expense_categories',
    'commission_plans',
    'agents',
    'revaluations',
  ],
});
