/** Commissions of agents. A commission is approved and then paid from a bank account. */
import { find } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { salesAgent } from '../../operations.ts';
import { approveCommission } from './commission.ts';
import { CommissionLine, CommissionLineFilter, CommissionPaymentInput } from './commission.schema.ts';
import { commissionView, readCommission } from './commission.view.ts';
import { payCommission } from './payout.ts';
import { commissionStates } from './commission.rules.ts';

const ADDITION = 'Commissions are approved and paid, and the specification has no operations that do so.';

const { query, command } = salesAgent;

export const list = query('GET /api/commissions', {
  summary: 'List commissions',
  description:
    'Returns commissions and clawbacks with their status and amounts. Expand `agent` and `invoice` for the names.',
  addition: ADDITION,
  access: can('commission.view'),
  query: CommissionLineFilter,
  reply: page(CommissionLine),
  handle: ({ db, query, caller }) => paginate(db, query, commissionView(db, caller)),
});

export const show = query('GET /api/commission/show/{id}', {
  summary: 'Get a commission',
  description: 'Returns a commission with its agent, invoice, calculation and payment.',
  addition: ADDITION,
  access: can('commission.view'),
  params: { id: idOf('commission_lines') },
  reply: ok(CommissionLine),
  handle: ({ db, caller, params }) => readCommission(db, caller, params.id),
});

export const approve = command('POST /api/commission/approve/{id}', {
  summary: 'Approve a commission',
  description:
    'Approves an accrued commission, so that it can be paid. Posts nothing. Repeating the request changes nothing.',
  addition: ADDITION,
  access: commissionStates.can('approve'),
  params: { id: idOf('commission_lines') },
  reply: ok(CommissionLine),
  handle: async ({ params, ...context }) => {
    await find(context.db.commissionLine, params.id);
    await approveCommission(context, params.id);
    return await readCommission(context.db, context.caller, params.id);
  },
});

export const pay = command('POST /api/commission/pay/{id}', {
  summary: 'Pay a commission',
  description:
    'Pays an approved commission from a bank account, less the clawbacks in `set_off_ids`. Paying a clawback alone records the money that the agent returns. Repeating the request changes nothing.',
  addition: ADDITION,
  access: commissionStates.can('pay'),
  params: { id: idOf('commission_lines') },
  body: CommissionPaymentInput,
  reply: withDateWarnings(ok(CommissionLine), { body: 'date' }),
  faults: [PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await find(context.db.commissionLine, params.id);
    await payCommission(context, params.id, body);
    return await readCommission(context.db, context.caller, params.id);
  },
});
