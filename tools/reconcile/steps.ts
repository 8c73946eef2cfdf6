/** Steps of sagas on which two services disagree. */
import { type Databases, readRows } from '@suite/auditor';
import { lasting } from '@suite/auditor/lasting';
import { isCompleted, keysOfStep, keySql, type StepOfService, steps } from '../audit/step-rules.ts';
import type { Finding } from './difference.ts';
import type { StepDifference } from './step-difference.ts';
import { repairSteps } from './step-repairs.ts';

type Attempt = Pick<StepDifference, 'workspace_id' | 'key'>;

const idOf = ({ workspace_id, key }: Attempt): string => `${workspace_id} ${key}`;

/** Returns the completed attempts whose effect does not exist in the called service. */
async function findLost(databases: Databases, one: StepOfService): Promise<StepDifference[]> {
  const { service, step } = one;
  const { name, record, attempt } = step.table;
  const completed = await readRows<Attempt>(
    databases,
    service,
    `SELECT given.workspace_id, ${keySql(step, `given.${record}`, `given.${attempt}`)} AS key FROM ${name} AS given
      WHERE ${isCompleted(step)}`,
  );
  const stored = await readRows<Attempt & { method: string; is_undone: boolean }>(
    databases,
    step.asks.service,
    `SELECT workspace_id, key, method, undone_at IS NOT NULL AS is_undone FROM rpc_keys
      WHERE ${keysOfStep(one)} AND (answer IS NOT NULL OR undone_at IS NOT NULL)`,
  );
  const known = new Map(stored.map((row) => [idOf(row), row]));
  return completed.flatMap((row): StepDifference[] => {
    const effect = known.get(idOf(row));
    if (!effect) return [{ ...row, action: 'repeat', method: null }];
    return effect.is_undone ? [{ ...row, action: 'manual', method: effect.method }] : [];
  });
}

/** Returns the effects in the called service whose attempt is unknown or undone in the calling service. */
async function findOrphans(databases: Databases, one: StepOfService): Promise<StepDifference[]> {
  const { service, step } = one;
  const { name, record, attempt, states } = step.table;
  const done = await readRows<Attempt & { method: string }>(
    databases,
    step.asks.service,
    `SELECT workspace_id, key, method FROM rpc_keys
      WHERE ${keysOfStep(one)} AND answer IS NOT NULL AND undone_at IS NULL`,
  );
  // A row that counts its attempts knows the earlier ones, too.
  const attempts = await readRows<Attempt & { is_undone: boolean }>(
    databases,
    service,
    `SELECT given.workspace_id, ${keySql(step, `given.${record}`, 'number')} AS key,
        bool_and(given.${attempt} = number AND given.state = '${states.undone}') AS is_undone
      FROM ${name} AS given CROSS JOIN LATERAL generate_series(1, given.${attempt}) AS number GROUP BY 1, 2`,
  );
  const known = new Map(attempts.map((row) => [idOf(row), row.is_undone]));
  return done.flatMap((row) => (known.get(idOf(row)) === false ? [] : [{ ...row, action: 'undo' as const }]));
}

function textOf({ service, step }: StepOfService, { workspace_id, key, action, method }: StepDifference): string {
  const attempt = `${key} of workspace ${workspace_id}`;
  const { service: called } = step.asks;
  if (action === 'repeat') return `${attempt}: completed in ${service}, unknown in ${called}`;
  if (action === 'manual') return `${attempt}: completed in ${service}, but ${called} has undone ${String(method)}`;
  return `${attempt}: ${String(method)} is done in ${called}, unknown or undone in ${service}`;
}

const differencesOf = (databases: Databases, one: StepOfService): Promise<StepDifference[]> =>
  lasting(async () => {
    const found = [await findLost(databases, one), await findOrphans(databases, one)].flat();
    return new Map(found.map((difference) => [`${difference.action} ${idOf(difference)}`, difference]));
  });

function findingOf(one: StepOfService, found: readonly StepDifference[], place: number): Finding | undefined {
  if (found.length === 0) return undefined;
  const { service, step } = one;
  const { service: called } = step.asks;
  const repaired = found.filter(({ action }) => action === 'undo' || (action === 'repeat' && step.is_repeatable));
  const byHand = `Cancel or reverse the record in ${service} and complete it again, or enter it in ${called} by hand.`;
  return {
    rule: `${service} and ${called} know the same attempts of the step ${step.name}`,
    rows: found.map((difference) => textOf(one, difference)),
    advice:
      repaired.length === found.length
        ? `Run the command with --repair. If ${called} rejects a repair, correct the cause first.`
        : byHand,
    // Undoing frees goods and money that a repeated request may need. Services that others depend on come first.
    ...(repaired.length > 0 && { repair: { order: 2 + place, run: (context) => repairSteps(context, one, repaired) } }),
  };
}

/** Finds the attempts of all steps on which two services disagree. */
export async function findSteps(databases: Databases): Promise<Finding[]> {
  const all = await Promise.all(steps.map((one) => differencesOf(databases, one)));
  return steps.flatMap((one, place) => findingOf(one, all[place]!, place) ?? []);
}
