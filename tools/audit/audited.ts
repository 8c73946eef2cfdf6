/** Runs the auditor on the databases of a suite. No test may cause a finding. */
import { audit, compare, type Databases, lastingTrace, trace, type Violation } from '@suite/auditor';
import { orderAgreements, orderConsequences } from './order-rules.ts';
import { references } from './references.ts';
import { agreements, consequences, rules } from './rules.ts';
import { type SuiteAccess, untilIdle } from './quiescence.ts';

/** The databases of a suite. */
interface Audited {
  databases: Databases;
}

/**
 * Returns the violated rules of those rules that hold at any time, also amid faults. Checks each database in snapshots.
 */
export async function violations({ databases }: Audited, { amid_faults = false } = {}): Promise<Violation[]> {
  const within = Object.entries(rules).map(([service, checks]) =>
    audit(
      String(databases[service]),
      checks.filter(({ after_calm }) => !(amid_faults && after_calm)),
    ),
  );
  const between = consequences.map((consequence) => trace(databases, consequence));
  const dangling = references.map((reference) => lastingTrace(databases, reference));
  return (await Promise.all([...within, ...between, ...dangling])).flat();
}

/**
 * Returns all violations, including differences between two services. Waits until nothing is under way between them.
 */
export async function allViolations(suite: SuiteAccess): Promise<Violation[]> {
  await untilIdle(suite);
  const compared = await Promise.all(agreements.map((agreement) => compare(suite.databases, agreement)));
  return [...(await violations(suite)), ...compared.flat(), ...(await orderViolations(suite))];
}

/**
 * Returns the violated rules about orders, proposals and the documents made from orders and proposals, in one workspace
 * or in all.
 */
export async function orderViolations({ databases }: Audited, workspace_id?: string): Promise<Violation[]> {
  const compared = orderAgreements.map((rule) => compare(databases, rule, workspace_id));
  const traced = orderConsequences.map((rule) => lastingTrace(databases, rule, workspace_id));
  return (await Promise.all([...compared, ...traced])).flat();
}
