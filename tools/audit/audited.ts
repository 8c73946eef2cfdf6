/** Runs the auditor on the databases of a suite. No test may cause a finding. */
import {
  audit,
  compare,
  type Databases,
  checkConsequenceTwice,
  checkConsequence,
  type Violation,
} from '@suite/auditor';
import { orderAgreements, orderConsequences } from './order-rules.ts';
import { references } from './references.ts';
import { agreements, consequences, rules } from './rules.ts';
import { type SuiteAccess, waitUntilIdle } from './quiescence.ts';

/** The databases of a suite. */
interface AuditedSuite {
  databases: Databases;
}

/**
 * Returns the violated rules of those rules that hold at any time, also amid faults. Checks each database in snapshots.
 */
export async function findViolations({ databases }: AuditedSuite, { amid_faults = false } = {}): Promise<Violation[]> {
  const within = Object.entries(rules).map(([service, checks]) =>
    audit(
      String(databases[service]),
      checks.filter(({ after_calm }) => !(amid_faults && after_calm)),
    ),
  );
  const between = consequences.map((consequence) => checkConsequence(databases, consequence));
  const dangling = references.map((reference) => checkConsequenceTwice(databases, reference));
  return (await Promise.all([...within, ...between, ...dangling])).flat();
}

/**
 * Returns all violations, including differences between two services. Waits until nothing is under way between them.
 */
export async function findAllViolations(suite: SuiteAccess): Promise<Violation[]> {
  await waitUntilIdle(suite);
  const compared = await Promise.all(agreements.map((agreement) => compare(suite.databases, agreement)));
  return [...(await findViolations(suite)), ...compared.flat(), ...(await findOrderViolations(suite))];
}

/**
 * Returns the violated rules about orders, proposals and the documents made from orders and proposals, in one workspace
 * or in all.
 */
export async function findOrderViolations({ databases }: AuditedSuite, workspace_id?: string): Promise<Violation[]> {
  const compared = orderAgreements.map((rule) => compare(databases, rule, workspace_id));
  const traced = orderConsequences.map((rule) => checkConsequenceTwice(databases, rule, workspace_id));
  return (await Promise.all([...compared, ...traced])).flat();
}
