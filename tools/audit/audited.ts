/** The auditor's findings in the databases of a suite: none, whatever a test has done to it. */
import { audit, compare, type Databases, lastingTrace, trace, type Violation } from '@suite/auditor';
import { orderAgreements, orderConsequences } from './order-rules.ts';
import { references } from './references.ts';
import { agreements, consequences, rules } from './rules.ts';
import { type Asked, untilIdle } from './quiescence.ts';

/** A suite, as far as its databases are known. */
interface Audited {
  databases: Databases;
}

/** The broken rules among those that hold at any moment, also amid faults. Each database is looked at in snapshots. */
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

/** The same, and what two services do not agree about when nothing is under way between them any more. */
export async function allViolations(suite: Asked): Promise<Violation[]> {
  await untilIdle(suite);
  const compared = await Promise.all(agreements.map((agreement) => compare(suite.databases, agreement)));
  return [...(await violations(suite)), ...compared.flat(), ...(await orderViolations(suite))];
}

/** The broken rules about orders, proposals and the documents that are made from them, in one workspace or in all. */
export async function orderViolations({ databases }: Audited, workspace_id?: string): Promise<Violation[]> {
  const compared = orderAgreements.map((rule) => compare(databases, rule, workspace_id));
  const traced = orderConsequences.map((rule) => lastingTrace(databases, rule, workspace_id));
  return (await Promise.all([...compared, ...traced])).flat();
}
