/** Billing: the approved time of a project becomes a draft invoice in finance. */
import { can, created, DryRun, idOf } from '@suite/chassis';
import { ProjectArchived, WrongProjectRole } from '../access/project.rules.ts';
import { inTime } from '../operations.ts';
import { completeBilling, prepareBilling } from './billing.ts';
import { NothingToBill, TooManyLines } from './billing.rules.ts';
import { Billing, BillingInput } from './billing.schema.ts';
import { BillingPending } from './draft-request.ts';

const { command } = inTime;

export const invoice = command('POST /api/project/invoice/{id}', {
  summary: 'Invoice project time',
  description:
    'Approved, billable time becomes one draft invoice, and is locked; each entry is invoiced once. Deleting or cancelling that invoice gives the time back. `?dry_run=true` returns the lines and the exchange rate, and changes nothing. A project in a foreign currency needs a `rate` if the currency was never booked; otherwise the last rate is used, and `exchange_rate` reports its date and age.',
  access: can('sales_invoice.create'),
  params: { id: idOf('projects') },
  query: { dry_run: DryRun },
  body: BillingInput,
  reply: created(Billing),
  faults: [WrongProjectRole, ProjectArchived, NothingToBill, TooManyLines, BillingPending],
  prepare: ({ params, query, body, ...context }) => prepareBilling(context, params.id, body, query.dry_run),
  handle: ({ db, prepared: billed }) => completeBilling({ db }, billed),
});
