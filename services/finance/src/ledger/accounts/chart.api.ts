/** The chart of accounts: all ledger accounts as a tree. */
import { can, ok } from '@suite/chassis/operations';
import { z } from 'zod';
import { accounting } from '../../operations.ts';
import { ChartNode } from './account.schema.ts';
import { readChart } from './chart.view.ts';

const { query } = accounting;

export const show = query('GET /api/chart-of-accounts', {
  summary: 'Get the chart of accounts',
  description: 'Returns the chart of accounts as a tree. Each account has its balance from the journal.',
  access: can('ledger.view'),
  reply: ok(z.array(ChartNode)),
  handle: ({ db, caller }) => readChart(db, caller),
});
