/** What the auditor finds in the databases of a suite: nothing, whatever a test has done to it. */
import { audit, compare, type Violation } from '@suite/auditor';
import { agreements, rules } from '../audit/rules.ts';
import type { StartedSuite } from './started.ts';

/** What breaks a rule within a service. Can be asked at any moment: each database is one snapshot. */
export async function violations({ databases }: StartedSuite): Promise<Violation[]> {
  const asked = Object.entries(rules).map(([service, checks]) => audit(String(databases[service]), checks));
  return (await Promise.all(asked)).flat();
}

/** The same, and what two services do not agree about for good. */
export async function allViolations(suite: StartedSuite): Promise<Violation[]> {
  const compared = await Promise.all(agreements.map((agreement) => compare(suite.databases, agreement)));
  return [...(await violations(suite)), ...compared.flat()];
}
