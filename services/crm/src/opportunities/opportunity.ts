/** What an opportunity may do, and how it is shown. */
import {
  assertSeen,
  type Caller,
  change,
  clock,
  type Expansion,
  find,
  invalid,
  lifecycle,
  type ListRequest,
  one,
  paginate,
  raw,
  readOne,
  remove,
  sql,
} from '@suite/chassis';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { z } from 'zod';
import { midnight } from '../day.ts';
import { toMinorUnit } from '../money.ts';
import type { Db, Work } from '../operations.ts';
import { keepCopies, type Person, personOf, userLabels } from '../users/user.ts';
import {
  type Opportunity,
  type OpportunityChanges,
  OpportunityColumns,
  type OpportunityInput,
} from './opportunity.schema.ts';
import { moveTo } from '../transitions.ts';
import { assertExists, hold, permitted } from '../records.ts';

const onward = {
  prospect: 'prospecting',
  qualify: 'qualification',
  propose: 'proposal',
  negotiate: 'negotiation',
  win: 'closed_won',
  lose: 'closed_lost',
} as const;

/** Open stages are free to go to and fro; what is closed is reopened at the table. */
export const opportunityStates = lifecycle('opportunity', {
  prospecting: onward,
  qualification: onward,
  proposal: onward,
  negotiation: onward,
  closed_won: { reopen: 'negotiation', lose: 'closed_lost' },
  closed_lost: { reopen: 'negotiation', win: 'closed_won' },
});

/** How likely a sale usually is in a stage. */
const USUAL = { prospecting: 10, qualification: 25, proposal: 50, negotiation: 75, closed_won: 100, closed_lost: 0 };
type Stage = keyof typeof USUAL;
const isClosed = (stage: string): boolean => stage.startsWith('closed_');

/** The rows as a lifecycle takes them: the state of an opportunity is its stage. */
const byStage = (db: Db) => ({
  updateMany({
    where,
    data: { status, ...patch },
  }: {
    where: { id: string; status: string };
    data: { status: string };
  }) {
    return db.opportunity.updateMany({
      where: { id: where.id, stage: where.status },
      data: { ...patch, stage: status },
    });
  },
  async findFirst({ where }: { where: { id: string } }) {
    const row = await db.opportunity.findFirst({ where });
    return row && { ...row, status: row.stage };
  },
});

type Row = z.input<typeof Opportunity>;

const PERMISSIONS: Record<string, string> = {
  ...Object.fromEntries([...Object.keys(onward), 'reopen', 'update'].map((verb) => [verb, 'opportunity.update'])),
  delete: 'opportunity.delete',
};

const actionsIn = (caller: Caller, stage: string): string[] =>
  permitted(caller, [...opportunityStates.allowed(stage), 'update', 'delete'], PERMISSIONS);

const withActions = (caller: Caller, row: Row): Row => ({ ...row, allowed_actions: actionsIn(caller, row.stage) });

const view = {
  table: 'opportunities',
  compute: { allowed_actions: raw('NULL') },
};

const expansions = (db: Db): Record<string, Expansion> => ({
  owner: one('owner_id', userLabels(db)),
  source: one('source_id', (ids) => db.rows(sql`SELECT id, name FROM sources WHERE id = ANY(${ids}::uuid[])`)),
});

/** One page of the opportunities that the caller may see. */
export async function listOpportunities(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, { ...view, expand: expansions(db) });
  return { ...found, rows: (found.rows as Row[]).map((row) => withActions(caller, row)) };
}

/** An opportunity as it is after a change; also for somebody who has just given it away. */
const readOpportunity = async (db: Db, caller: Caller, id: string): Promise<Row> =>
  withActions(caller, await readOne(db, OpportunityColumns, id, view));

/** Facts that a body needs from elsewhere. */
interface Known {
  customer: Customer | undefined;
  people: readonly Person[];
}

const customerColumns = (customer_id: string | null | undefined, customer: Customer | undefined) =>
  customer_id === undefined ? {} : { customer_id, customer_name: customer?.name ?? null };

async function assertSource(db: Db, source_id: string | null | undefined): Promise<void> {
  if (!source_id) return;
  const [source] = await db.rows(sql`SELECT id FROM sources WHERE id = ${source_id}::uuid FOR KEY SHARE`);
  if (!source) throw invalid('source_id', 'There is no such source.');
}

function assertProbability(stage: string, probability: number | undefined): void {
  if (probability === undefined || !isClosed(stage)) return;
  if (probability !== USUAL[stage as Stage]) throw invalid('probability', 'What is won has 100, what is lost has 0.');
}

/** Makes an opportunity; it is the caller's unless somebody else is named. */
export async function createOpportunity(
  { db, caller }: Work,
  { customer_id, ...input }: OpportunityInput,
  { customer, people }: Known,
): Promise<Row> {
  const {
    stage = 'prospecting',
    probability,
    amount = '0',
    owner_id = caller.user_id,
    expected_close,
    ...columns
  } = input;
  assertProbability(stage, probability);
  await assertSource(db, columns.source_id);
  await keepCopies(db, [personOf(caller), ...people]);
  const { id } = await db.opportunity.create({
    data: {
      ...columns,
      ...customerColumns(customer_id, customer),
      ...{ stage, owner_id, probability: probability ?? USUAL[stage] },
      amount: toMinorUnit(amount, caller.currency),
      expected_close: midnight(expected_close) ?? null,
      closed_at: isClosed(stage) ? clock.now() : null,
    },
  });
  return readOpportunity(db, caller, id);
}

/** @throws NotFound when there is no such opportunity for this caller */
export const assertOpportunity = (db: Db, id: string): Promise<void> => assertExists(db, 'opportunities', id);

/** Changes an opportunity; a `stage` moves it by the table. */
export async function updateOpportunity(
  { db, caller }: Work,
  id: string,
  { version: _, customer_id, ...input }: OpportunityChanges,
  { expect, customer, people }: Known & { expect: number | undefined },
): Promise<Row> {
  await hold(db, 'opportunities', id);
  const before = await find(db.opportunity, id);
  assertSeen(before, expect);
  const { stage = before.stage as Stage, probability, amount, expected_close, ...columns } = input;
  assertProbability(stage, probability);
  await assertSource(db, columns.source_id);
  await keepCopies(db, people);
  if (stage !== before.stage) {
    const closed_at = isClosed(stage) ? clock.now() : null;
    const patch = { closed_at, probability: probability ?? USUAL[stage] };
    const allowedIn = (state: string) => actionsIn(caller, state);
    await moveTo(opportunityStates, byStage(db), id, stage, { patch, allowedIn });
  }
  await change(db.opportunity, id, {
    ...columns,
    ...customerColumns(customer_id, customer),
    ...(probability !== undefined && { probability }),
    ...(amount !== undefined && { amount: toMinorUnit(amount, caller.currency) }),
    ...(expected_close !== undefined && { expected_close: midnight(expected_close) }),
  });
  return readOpportunity(db, caller, id);
}

/** Deletes an opportunity with its meetings. @throws InUse when there are quotes for it */
export async function removeOpportunity(db: Db, id: string): Promise<{ id: string }> {
  await hold(db, 'opportunities', id);
  return await remove(db.opportunity, id);
}
