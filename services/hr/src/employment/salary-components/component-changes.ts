/**
 * Creates, changes and deletes salary components. A component in use is changed from a given day, so that earlier days
 * retain their terms.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertVersion, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { inUseFault } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import type { PayComponent } from '../pay-computation/facts/component.ts';
import type { Db } from '../../operations.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { type ComponentTerms, readComponents } from './component.ts';
import {
  assertComponent,
  assertComputable,
  changedTerms,
  dependentsOf,
  newTerms,
  hasTerms,
} from './component.rules.ts';
import type { SalaryComponentChanges, SalaryComponentInput } from './component.schema.ts';

/** Day before all others. A new component's terms also apply to payments for past days. */
export const FIRST_DAY = '0001-01-01';
const EARLIEST = '1950-01-01';

/** Adds the terms of a component from a given day. A later version for a day replaces an earlier one. */
export async function addVersion(
  db: Db,
  component_id: string,
  effective_from: string,
  terms: ComponentTerms,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO salary_component_versions (id, component_id, effective_from, seq, terms)
    SELECT gen_random_uuid(), ${component_id}::uuid, ${effective_from}::date,
      1 + coalesce((SELECT max(seq) FROM salary_component_versions
        WHERE component_id = ${component_id}::uuid AND effective_from = ${effective_from}::date), 0),
      ${JSON.stringify(terms)}::jsonb`);
}

/**
 * Checks that all components can be calculated on a day, and on each later day with a change. @throws FormulaInvalid
 */
async function assertAllComputable(db: Db, from: string, saved: string): Promise<void> {
  const all = await readComponents(db);
  for (const day of new Set([from, ...all.days.filter((one) => one > from)])) {
    assertComputable(
      all.on(day).map(({ component }) => component),
      saved,
    );
    // Yields to other requests between the days.
    await nextTurn();
  }
}

/**
 * Creates a component. @param position default position. @returns the ID. @throws a 422 for an inconsistent component
 */
export async function writeComponent(db: Db, input: SalaryComponentInput, position: number): Promise<string> {
  const { code, name, kind, active, account_id = null, effective_from = FIRST_DAY } = input;
  const terms = newTerms(input, input, position);
  assertComponent({ ...terms, code, name, kind });
  const { id } = await db.salaryComponent.create({ data: { code, name, kind, active, account_id } });
  await addVersion(db, id, effective_from, terms);
  return id;
}

/** Serialises changes of components in a workspace. */
export const lockComponents = (db: Db): Promise<void> => serializeOn(db, 'salary_components');

/** Returns the position after the last component. */
async function lastPosition(db: Db): Promise<number> {
  const [found] = await db.rows<{ last: number }>(sql`
    SELECT coalesce(max((terms ->> 'position')::int), 0) AS last FROM salary_component_versions`);
  return found!.last;
}

const POSITION_MAX = 9_999;

/** Checks the first day of a component change. @throws a 422 fault */
function assertDay(effective_from: string | undefined, day: string): void {
  if (effective_from === undefined) return;
  const [year, rest] = [day.slice(0, 4), day.slice(4)];
  if (effective_from < EARLIEST) throw invalid('effective_from', 'Enter a day in 1950 or later.');
  if (effective_from > `${Number(year) + 1}${rest}`)
    throw invalid('effective_from', 'Choose a day at most one year ahead.');
}

/** Creates components in order and checks that all can be calculated. @throws FormulaInvalid, a 422 fault */
export async function createComponents(
  db: Db,
  { timezone }: Pick<Caller, 'timezone'>,
  inputs: readonly SalaryComponentInput[],
): Promise<string[]> {
  await lockComponents(db);
  const ids: string[] = [];
  for (const input of inputs) {
    assertDay(input.effective_from, today(timezone));
    const position = input.position ?? Math.min((await lastPosition(db)) + 1, POSITION_MAX);
    ids.push(await writeComponent(db, input, position));
  }
  for (const { code, effective_from = FIRST_DAY } of inputs) await assertAllComputable(db, effective_from, code);
  return ids;
}

/** Counts the uses of a component: current and past salaries, one-off payments and recoveries. */
async function usesOf(db: Db, id: string): Promise<Record<string, number>> {
  const [hidden] = await db.rows<Record<string, number>>(sql`
    SELECT count(*)::int AS recoveries FROM recoveries WHERE component_id = ${id}::uuid`);
  return nonZeroCounts({ ...(await visibleUsesOf(db, id)), ...hidden });
}

const nonZeroCounts = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** Counts the uses in tables that callers may see. Recoveries are not visible to any caller. */
async function visibleUsesOf(db: Db, id: string): Promise<Record<string, number>> {
  const [counts] = await db.rows<Record<string, number>>(sql`
    SELECT
      (SELECT count(DISTINCT employee_id)::int FROM employee_history
        WHERE component_ids <> '{}' AND component_ids @> ARRAY[${id}::uuid]) AS salaries,
      (SELECT count(*)::int FROM payroll_one_offs WHERE component_id = ${id}::uuid) AS one_offs`);
  return nonZeroCounts(counts!);
}

/** Locks a component, so that new references from salaries wait or are visible. @throws NotFound */
async function lockComponent(db: Db, id: string) {
  await lockComponents(db);
  await db.rows(sql`SELECT id FROM salary_components WHERE id = ${id}::uuid FOR UPDATE`);
  return await find(db.salaryComponent, id);
}

/** Returns the terms of a component on a day with their first day. For an earlier day, returns the first terms. */
async function componentTermsOn(db: Db, id: string, day: string): Promise<{ since: string; terms: ComponentTerms }> {
  const [found] = await db.rows<{ since: string; terms: ComponentTerms }>(sql`
    SELECT to_char(effective_from, 'YYYY-MM-DD') AS since, terms FROM salary_component_versions
    WHERE component_id = ${id}::uuid
    ORDER BY effective_from <= ${day}::date DESC,
      CASE WHEN effective_from <= ${day}::date THEN effective_from END DESC, effective_from, seq DESC LIMIT 1`);
  return found!;
}

/**
 * Changes a component. Chosen: a version is self-contained. Existing versions that begin later do not change.
 * @throws Stale, FormulaInvalid, InUse for another code or kind of a component in use, a 422
 */
export async function changeComponent(
  db: Db,
  { timezone }: Pick<Caller, 'timezone'>,
  id: string,
  { patch, expect }: { patch: SalaryComponentChanges; expect: number | undefined },
): Promise<void> {
  const before = await lockComponent(db, id);
  assertVersion(before, expect);
  const day = today(timezone);
  assertDay(patch.effective_from, day);
  const uses = await usesOf(db, id);
  const isUsed = Object.keys(uses).length > 0;
  const named = { code: patch.code ?? before.code, kind: (patch.kind ?? before.kind) as PayComponent['kind'] };
  if (isUsed && (named.code !== before.code || named.kind !== before.kind))
    throw await inUseFault(
      () => visibleUsesOf(db, id),
      (counts) => ({ counts }),
    );
  const present = await componentTermsOn(db, id, patch.effective_from ?? day);
  const from = patch.effective_from ?? (isUsed && present.since < day ? day : present.since);
  if (from < present.since)
    throw invalid('effective_from', `This component begins on ${present.since}. Choose that day or a later one.`);
  const calc = patch.calc ?? present.terms.calc;
  const terms = changedTerms(present.terms, { kind: named.kind, calc }, patch);
  const { name = before.name, active = before.active, account_id = before.account_id } = patch;
  assertComponent({ ...terms, ...named, name });
  await db.salaryComponent.updateMany({ where: { id }, data: { ...named, name, active, account_id } });
  if (hasTerms(patch)) await addVersion(db, id, from, terms);
  else if (patch.effective_from)
    throw invalid('effective_from', 'Enter at least one change that takes effect on this day.');
  await assertAllComputable(db, FIRST_DAY < from && named.code === before.code ? from : FIRST_DAY, named.code);
}

/** Deletes a component. @throws InUse if a salary has or had it, or if another component depends on its value */
export async function removeComponent(db: Db, id: string): Promise<{ id: string }> {
  const { code } = await lockComponent(db, id);
  const all = await readComponents(db);
  const components: string[] = [];
  for (const day of all.days) {
    const present = all.on(day).map(({ component }) => component);
    components.push(...dependentsOf(present, code));
    await nextTurn();
  }
  const counts = await usesOf(db, id);
  if (components.length > 0 || Object.keys(counts).length > 0)
    throw await inUseFault(
      () => visibleUsesOf(db, id),
      (seen) => ({ ...(components.length > 0 && { components: [...new Set(components)] }), counts: seen }),
    );
  return await remove(db.salaryComponent, id);
}
