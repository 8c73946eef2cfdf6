/** Repairs of steps, which the calling service makes itself: only it has the keys to call another service. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { copyRules } from '../audit/copy-rules.ts';
import type { StepOfService } from '../audit/step-rules.ts';
import { inTransaction } from './databases.ts';
import type { RepairContext } from './difference.ts';
import { attemptOf, type StepDifference } from './step-difference.ts';

const POLL_MS = 500;
/** The owner of users, whose oldest active owner is named for repairs of attempts without a user. */
const usersOf = copyRules.find(({ copied }) => copied.table === 'users')?.original.service;
const OWNER = `SELECT id FROM users WHERE workspace_id = $1 AND kind = 'owner' ORDER BY (status = 'active') DESC, created_at LIMIT 1`;

/** Columns of an attempt that only the saga itself uses. */
const OWN_COLUMNS = ['id', 'workspace_id', 'state', 'asked_by', 'since', 'claimed_until'];

/** Returns the columns and the user of an attempt, from its row or, without a row, from the called method. */
async function attemptRow(
  { databases }: RepairContext,
  client: pg.Client,
  { step }: StepOfService,
  { workspace_id, method }: StepDifference,
  { record_id, attempt }: ReturnType<typeof attemptOf>,
) {
  const { name, record, attempt: number } = step.table;
  const { rows } = await client.query<{ columns: Record<string, unknown> & { asked_by: string } }>(
    `SELECT to_jsonb(given) AS columns FROM ${name} AS given
      WHERE workspace_id = $1 AND ${record} = $2::uuid AND ${number} >= $3 ORDER BY ${number} LIMIT 1`,
    [workspace_id, record_id, attempt],
  );
  const columns = rows[0]?.columns;
  if (columns) {
    const kept = Object.entries(columns).filter(([column]) => !OWN_COLUMNS.includes(column) && column !== number);
    return { columns: Object.fromEntries(kept), asked_by: columns.asked_by };
  }
  const [owner] = await inTransaction(
    String(databases[String(usersOf)]),
    async (users) => (await users.query<{ id: string }>(OWNER, [workspace_id])).rows,
  );
  if (!owner) throw new Error(`The workspace ${workspace_id} has no owner.`);
  return { columns: { [record]: record_id, ...step.asks.methods[String(method)] }, asked_by: owner.id };
}

/** Requests the repair of an attempt from its service. */
async function request(context: RepairContext, one: StepOfService, difference: StepDifference): Promise<void> {
  const { service, step } = one;
  const { workspace_id, key, action } = difference;
  await inTransaction(String(context.databases[service]), async (client) => {
    const place = attemptOf(one, key);
    const { columns, asked_by } = await attemptRow(context, client, one, difference, place);
    await client.query(
      `WITH requested AS (
        INSERT INTO step_repairs (workspace_id, step, key, action, attempt, columns, asked_by)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (workspace_id, step, key) DO UPDATE SET action = EXCLUDED.action, requested_at = clock_timestamp() RETURNING id)
      DELETE FROM postponed_work USING requested WHERE subject = requested.id::text`,
      [workspace_id, step.name, key, action, place.attempt, JSON.stringify(columns), asked_by],
    );
  });
}

interface OpenRepair {
  key: string;
  /** The reason why the last try failed. Null before the first try. */
  reason: string | null;
}

/** Returns the repairs of some attempts that are not made yet. */
const openRepairs = (
  { databases }: RepairContext,
  { service, step }: StepOfService,
  keys: readonly string[],
): Promise<OpenRepair[]> =>
  inTransaction(String(databases[service]), async (client) => {
    const { rows } = await client.query<OpenRepair>(
      `SELECT key, reason FROM step_repairs AS repair
        LEFT JOIN postponed_work AS postponed ON postponed.subject = repair.id::text
      WHERE step = $1 AND key = ANY($2) ORDER BY key`,
      [step.name, keys],
    );
    return rows;
  });

/** Waits until the service has made or tried each repair. Returns the remaining ones. */
async function settled(context: RepairContext, one: StepOfService, keys: readonly string[]): Promise<OpenRepair[]> {
  const deadline = AbortSignal.timeout(context.wait_ms);
  for (;;) {
    const open = await openRepairs(context, one, keys);
    if (open.every(({ reason }) => reason !== null) || deadline.aborted) return open;
    await pause(POLL_MS);
  }
}

/** Requests repairs of a step, and waits until the service has made or tried each one. */
async function repairAll(context: RepairContext, one: StepOfService, found: readonly StepDifference[]): Promise<void> {
  const { service, step } = one;
  const requested: StepDifference[] = [];
  for (const difference of found) {
    await request(context, one, difference).then(
      () => requested.push(difference),
      ({ message }: Error) => context.say(`Not repaired: ${step.name} ${difference.key}: ${message}`),
    );
  }
  const keys = requested.map(({ key }) => key);
  const open = new Map((await settled(context, one, keys)).map(({ key, reason }) => [key, reason]));
  for (const { key, action } of requested) {
    const reason = open.get(key) ?? `${service} has not tried yet. Start it`;
    const done = action === 'repeat' ? 'Repeated' : 'Undone';
    context.say(open.has(key) ? `Not repaired: ${step.name} ${key}: ${reason}` : `${done}: ${step.name} ${key}`);
  }
}

/** Undoes the effects that the calling service does not know, then repeats the requests that the called service has lost. */
export async function repairSteps(
  context: RepairContext,
  one: StepOfService,
  found: readonly StepDifference[],
): Promise<void> {
  for (const next of ['undo', 'repeat'] as const) {
    const repairs = found.filter(({ action }) => action === next);
    if (repairs.length > 0) await repairAll(context, one, repairs);
  }
}
