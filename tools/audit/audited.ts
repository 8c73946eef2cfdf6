/** Runs the auditor on the databases of a suite. No test may cause a finding. */
import type { Databases, Violation } from '@suite/auditor';
import { amountChecks, type Check, immediateChecks, orderChecks, runChecks, seamChecks } from './checks.ts';
import { type SuiteAccess, waitUntilIdle } from './quiescence.ts';

/** The databases of a suite. */
export interface AuditedSuite {
  databases: Databases;
}

const violationsOf = async (checks: readonly Check[], { databases }: AuditedSuite, workspace_id?: string) =>
  (await runChecks(checks, databases, workspace_id)).flatMap(({ broken }) => broken);

/**
 * Returns the violated rules of those rules that hold at any time, also amid faults. Checks each database in snapshots.
 */
export const findViolations = (suite: AuditedSuite, { amid_faults = false } = {}): Promise<Violation[]> =>
  violationsOf(immediateChecks({ amid_faults }), suite);

/**
 * Returns all violations, including differences between two services. Waits until nothing is under way between them.
 * @param given.seams false for workspaces that platform does not have, as in the model: their copies have no records
 */
export async function findAllViolations(suite: SuiteAccess, { seams = true } = {}): Promise<Violation[]> {
  await waitUntilIdle(suite);
  const between = [...amountChecks, ...orderChecks, ...(seams ? seamChecks : [])];
  return await violationsOf([...immediateChecks(), ...between], suite);
}

/**
 * Returns the violated rules about what a restore of one database breaks between services: copies, processed events and
 * completed steps.
 */
export const findSeamViolations = (suite: AuditedSuite): Promise<Violation[]> => violationsOf(seamChecks, suite);

/**
 * Returns the violated rules about orders, proposals and the documents made from orders and proposals, in one workspace
 * or in all.
 */
export const findOrderViolations = (suite: AuditedSuite, workspace_id?: string): Promise<Violation[]> =>
  violationsOf(orderChecks, suite, workspace_id);
