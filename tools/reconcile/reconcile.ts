/** Differences between services whose databases were restored to different times, and their repair. */
import type { Databases } from '@suite/auditor';
import {
  amountChecks,
  type Check,
  consequenceChecks,
  orderChecks,
  referenceChecks,
  runChecks,
} from '../audit/checks.ts';
import { findCopies } from './copies.ts';
import type { Finding, RepairContext } from './difference.ts';
import { findGhostEvents } from './inboxes.ts';
import { findSteps } from './steps.ts';

/** Rounds of repairs: a repair can make another one possible. */
const ROUNDS = 3;

const REFERENCE = 'Create the missing record again and select it, or remove the reference.';
const AMOUNT = 'Compare the records in both services, and correct the wrong one: see docs/operating.md, "Reconcile".';

/** Runs checks of the auditor that have no repair. */
async function findOthers(databases: Databases, checks: readonly Check[], advice: string): Promise<Finding[]> {
  const found = await runChecks(checks, databases);
  return found.flatMap(({ title: rule, broken }) =>
    broken.length === 0 ? [] : [{ rule, rows: broken.map(({ row }) => JSON.stringify(row)), advice }],
  );
}

/** Finds all differences between the services. */
export async function findDifferences(databases: Databases): Promise<Finding[]> {
  const found = await Promise.all([
    findCopies(databases),
    findGhostEvents(databases),
    findSteps(databases),
    findOthers(databases, referenceChecks, REFERENCE),
    findOthers(databases, [...consequenceChecks, ...orderChecks, ...amountChecks], AMOUNT),
  ]);
  return found.flat();
}

/** Repairs what can be repaired, and prints each action. Returns the remaining differences. */
export async function repairDifferences(context: RepairContext, found: readonly Finding[]): Promise<Finding[]> {
  let remaining = [...found];
  for (let round = 0; round < ROUNDS && remaining.some(({ repair }) => repair); round += 1) {
    const repairs = remaining.flatMap(({ repair }) => repair ?? []);
    for (const { run } of repairs.toSorted((one, other) => one.order - other.order)) await run(context);
    const next = await findDifferences(context.databases);
    const isSame = JSON.stringify(next) === JSON.stringify(remaining);
    remaining = next;
    if (isSame) break;
  }
  return remaining;
}
