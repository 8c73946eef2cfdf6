/** Audits a drilled suite. */
import type { Violation } from '@suite/auditor';
import { openDatabases } from '@suite/testing/suite/asking';
import { findAllViolations } from '../audit/audited.ts';
import type { SuiteAccess } from '../audit/quiescence.ts';
import type { DrilledSuite } from './drilled-suite.ts';

/** Queries a drilled suite. */
export async function withDatabases<T>(suite: DrilledSuite, work: (access: SuiteAccess) => Promise<T>): Promise<T> {
  const { sql, end } = openDatabases(suite.databases);
  try {
    return await work({ databases: suite.databases, sql });
  } finally {
    await end();
  }
}

/** Returns the violated rules of an idle suite. */
export const findDrilledViolations = (suite: DrilledSuite): Promise<Violation[]> =>
  withDatabases(suite, (access) => findAllViolations(access));

/** Prints the violations of an idle suite. @returns their number */
export async function countViolations(suite: DrilledSuite): Promise<number> {
  const violations = await findDrilledViolations(suite);
  for (const { check, row } of violations) console.log(`✗ ${check}: ${JSON.stringify(row)}`);
  return violations.length;
}
