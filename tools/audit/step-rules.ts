/** The auditor's rules about sagas: the called service has stored the key of each completed step. */
import { type Consequence, type FindKeysInFlight, readRows } from '@suite/auditor';
import type { DeclaredStep } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { recordsInFlight } from './events-in-flight.ts';

/** A step with the service that declares it. */
export interface StepOfService {
  service: string;
  step: DeclaredStep;
}

/** The steps of all services, in the order of the services. */
export const steps: readonly StepOfService[] = declaredServices.flatMap(({ name: service, steps: own = [] }) =>
  own.map((step) => ({ service, step })),
);

/** Placeholders of the record and of the attempt in a key. */
const RECORD = '<record>';
const ATTEMPT = 987_654_321;

/** Returns the key of an attempt in SQL, from expressions for its record and number. */
export function keySql({ key }: DeclaredStep, record: string, attempt: string): string {
  const parts = key(RECORD, ATTEMPT).split(new RegExp(`(${RECORD}|${ATTEMPT})`));
  return parts
    .map((part) => (part === RECORD ? `${record}::text` : part === String(ATTEMPT) ? `${attempt}::text` : `'${part}'`))
    .filter((part) => part !== "''")
    .join(' || ');
}

/** Returns the pattern of a step's keys, with the groups of the record and of the attempt number. */
export const keyPattern = ({ key }: DeclaredStep): string =>
  `^${key(RECORD, ATTEMPT).replace(RECORD, '([0-9a-f-]{36})').replace(String(ATTEMPT), '([0-9]+)')}$`;

/** Returns the keys that a service has stored for a step, as a condition on `rpc_keys`. */
export const keysOfStep = ({ service, step }: StepOfService): string =>
  `caller = '${service}' AND method IN (${Object.keys(step.asks.methods)
    .map((method) => `'${method}'`)
    .join(', ')}) AND key ~ '${keyPattern(step)}'`;

/** Returns the condition of the completed attempts whose effect must still exist, over the row `given`. */
export const isCompleted = ({ table: { attempt, states }, lasting }: DeclaredStep): string =>
  `given.state = '${states.completed}' AND given.${attempt} > 0 AND ${lasting?.condition ?? 'TRUE'}`;

/** Returns the function that finds the keys whose effect the called service has deleted, while its event is in flight. */
const endedKeys =
  ({ service, step: { asks, table }, step }: StepOfService, record: string): FindKeysInFlight =>
  async (databases, keys) => {
    const sql = `SELECT * FROM (SELECT ${keySql(step, `given.${table.record}`, `given.${table.attempt}`)} AS key,
      ${record}::text AS record_id FROM ${table.name} AS given) AS attempts WHERE key = ANY($1)`;
    const rows = await readRows<{ key: string; record_id: string | null }>(databases, service, sql, [keys]);
    const records = rows.flatMap(({ record_id }) => record_id ?? []);
    const ended = await recordsInFlight(databases, { service, publisher: asks.service }, records);
    return new Set(rows.flatMap(({ key, record_id }) => (record_id !== null && ended.has(record_id) ? [key] : [])));
  };

/** Rules for each step. Keys have no retention. */
export const stepRules: readonly Consequence[] = steps.map((one): Consequence => {
  const { service, step } = one;
  const { record, attempt, name } = step.table;
  return {
    name: `${step.asks.service} has stored the key of each completed step ${step.name}`,
    seen: {
      service,
      sql: `SELECT given.workspace_id, ${keySql(step, `given.${record}`, `given.${attempt}`)} AS key, 'stored' AS value
        FROM ${name} AS given WHERE ${isCompleted(step)}`,
    },
    before: {
      service: step.asks.service,
      sql: `SELECT workspace_id, key, 'stored' AS value FROM rpc_keys WHERE ${keysOfStep(one)} AND answer IS NOT NULL`,
    },
    ...(step.lasting && { keysInFlight: endedKeys(one, step.lasting.record) }),
  };
});
