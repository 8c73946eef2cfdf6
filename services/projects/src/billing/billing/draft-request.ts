/** Request for the draft invoice of a run. Finance receives one request per run, or deletes the draft. */
import { sql } from '@suite/chassis/database';
import { fault, InvalidTransition } from '@suite/chassis/faults';
import type { CreateDraftInvoiceRequest } from '@suite/proto/finance/v1/finance';
import { remoteSteps, stepTable, undoSchedule } from '@suite/saga';
import type { BillingAttempt } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';

export const BillingPending = fault(
  409,
  'billing_pending',
  'These time entries are being invoiced or released. Try again in a moment.',
  { retryable: true },
);

type BillingRunId = Pick<BillingAttempt, 'billing_run_id'>;
/** Request for a draft from finance, without the key. */
export type DraftRequest = Omit<CreateDraftInvoiceRequest, 'idempotency_key'>;

/** The run of an attempt. */
const RUN = 'billing_runs AS run WHERE run.workspace_id = given.workspace_id AND run.id = given.billing_run_id';

/** Requests a draft invoice from finance. Compensated by deleting the draft if the run is not completed. */
export const requestDraft = remoteSteps<Db, Pick<Rpc, 'finance'>>()('projects.request-draft', {
  table: stepTable<BillingAttempt, keyof BillingRunId>('billing_attempts', {
    record: 'billing_run_id',
    attempt: 'attempt',
    states: { requested: 'requested', completed: 'invoiced', undoing: 'deleting', undone: 'deleted' },
  }),
  pending: BillingPending,
  asks: { service: 'finance', methods: { CreateDraftInvoice: {} } },
  // Finance deletes the keys of a draft with the draft. An event then releases the run.
  lasting: {
    condition: `EXISTS (SELECT FROM ${RUN} AND run.status = 'invoiced')`,
    record: `(SELECT run.sales_invoice_id FROM ${RUN})`,
  },
  key: (id, attempt) => `time:${id}:${attempt}`,
  lock: (db, { billing_run_id: id }) =>
    db.rows(sql`SELECT id FROM billing_runs WHERE id = ${id}::uuid FOR NO KEY UPDATE`),
  ask: ({ rpc, key }, draft: DraftRequest) => rpc.finance.createDraftInvoice({ idempotency_key: key, ...draft }),
  undo: ({ rpc, key }, { billing_run_id: source_id }) =>
    rpc.finance.deleteDraftInvoice({ idempotency_key: key, source_id }),
  // A draft whose response was lost may already be posted. Its event then completes the run.
  irreversible: [InvalidTransition],
});

/** Unfinished invoice requests of the queried projects, for their `pending_effects`. */
export const PENDING = sql`ARRAY(
  SELECT DISTINCT effect FROM billing_runs CROSS JOIN LATERAL unnest(${requestDraft.pendingEffects(
    sql`billing_runs.id`,
    {
      requested: sql`'invoice_time'`,
      undoing: sql`'release_time'`,
    },
  )}) AS effect
  WHERE billing_runs.project_id = projects.id AND billing_runs.status <> 'invoiced')`;

const INTERVAL_MS = 5_000;

export const {
  findOpen,
  finish: finishBilling,
  schedule: finishOpenBilling,
} = undoSchedule('projects.finish-billing', INTERVAL_MS, [requestDraft]);
