/** Invoicing of approved project time as a draft invoice in finance. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created } from '@suite/chassis/operations';
import { ProjectArchived, WrongProjectRole } from '../../work/access/project.rules.ts';
import { inTime } from '../../operations.ts';
import { completeBilling, prepareBilling } from './billing.ts';
import { NothingToBill, TooManyLines } from './billing.rules.ts';
import { Billing, BillingInput } from './billing.schema.ts';
import { BillingPending } from './draft-request.ts';

const { command } = inTime;

export const invoice = command('POST /api/project/invoice/{id}', {
  summary: 'Invoice project time',
  description:
    'Creates one draft invoice from approved, billable time and locks the entries. Each entry is invoiced once. Deleting or cancelling the invoice releases the time. `?dry_run=true` returns lines and exchange rate and changes nothing. A foreign currency defaults to its last exchange rate, shown in `exchange_rate`, or requires `rate`.',
  addition: 'Approved time can be invoiced from the project, as an order can.',
  access: can('sales_invoice.create'),
  params: { id: idOf('projects') },
  query: { dry_run: DryRun },
  body: BillingInput,
  reply: created(Billing),
  faults: [WrongProjectRole, ProjectArchived, NothingToBill, TooManyLines, BillingPending],
  prepare: ({ params, query, body, ...context }) => prepareBilling(context, params.id, body, query.dry_run),
  handle: ({ db, prepared: billed }) => completeBilling({ db }, billed),
});
