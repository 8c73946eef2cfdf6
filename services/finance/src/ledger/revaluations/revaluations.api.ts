/** Revaluations value foreign bank accounts, receivables and payables at the rates of the last day of a period. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { AlreadyReversed, PeriodLocked } from '../ledger/journal.ts';
import { accounting } from '../../operations.ts';
import { pageParameters } from './page.schema.ts';
import { AlreadyRevalued, RateMissing, revalueBalances, reverseRevaluation } from './revaluation.ts';
import { revaluationStates } from './revaluation.rules.ts';
import { Revaluation, RevaluationDetails, RevaluationFilter, RevaluationInput } from './revaluation.schema.ts';
import { readRevaluation, revaluationView } from './revaluation.view.ts';

const ADDITION = 'Foreign balances are revalued at the rates of the last day of a period.';

const { query, command } = accounting;

export const list = query('GET /api/revaluations', {
  summary: 'List revaluations',
  description: 'Returns revaluations with their status and totals. Get a single revaluation for the balances.',
  addition: ADDITION,
  access: can('ledger.view'),
  query: RevaluationFilter,
  reply: page(Revaluation),
  handle: ({ db, query, caller }) => paginate(db, query, revaluationView(caller)),
});

export const show = query('GET /api/revaluations/show/{id}', {
  summary: 'Get a revaluation',
  description:
    'Returns a revaluation with its balances before and after, one page at a time. `lines_total` counts all pages.',
  addition: ADDITION,
  access: can('ledger.view'),
  params: { id: idOf('revaluations') },
  query: pageParameters('balances'),
  reply: ok(RevaluationDetails),
  handle: ({ db, caller, params, query }) => readRevaluation(db, caller, params.id, query),
});

export const create = command('POST /api/revaluations/create', {
  summary: 'Revalue foreign-currency balances',
  description:
    'Values foreign bank accounts and open receivables and payables at the rates of a day. Posts unrealised gains and losses on that day, and the opposite entry on the next day. The entry has one line for each account and currency. Differences of open items are posted to adjustment accounts, so that control accounts stay equal to their open items. Advances keep their rate. Returns the first page of the balances. `?dry_run=true` returns the differences and changes nothing.',
  addition: ADDITION,
  access: can('ledger.lock'),
  query: { dry_run: DryRun },
  body: RevaluationInput,
  reply: withDateWarnings(created(RevaluationDetails), { record: 'date' }),
  faults: [AlreadyRevalued, RateMissing, PeriodLocked],
  handle: async ({ body, ...context }) =>
    readRevaluation(context.db, context.caller, await revalueBalances(context, body)),
});

export const reverse = command('POST /api/revaluations/reverse/{id}', {
  summary: 'Reverse a revaluation',
  description:
    'Reverses both entries, each on its own day, so that the day can be revalued again. Accepts no other date: later days have no effect of the revaluation to reverse. Returns 409 `period_locked` if one of the two days is locked. Repeating the request changes nothing.',
  addition: ADDITION,
  access: revaluationStates.can('reverse'),
  params: { id: idOf('revaluations') },
  query: { dry_run: DryRun },
  reply: ok(RevaluationDetails),
  faults: [PeriodLocked, AlreadyReversed],
  handle: async ({ params, ...context }) => {
    await reverseRevaluation(context, params.id);
    return await readRevaluation(context.db, context.caller, params.id);
  },
});
