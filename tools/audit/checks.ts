/** The auditor's checks of a suite, and their order. */
import {
  audit,
  checkConsequence,
  checkConsequenceTwice,
  checkCopies,
  checkInclusion,
  compare,
  type Databases,
  type Violation,
} from '@suite/auditor';
import { copyRules } from './copy-rules.ts';
import { inboxRules } from './inbox-rules.ts';
import { orderAgreements, orderConsequences } from './order-rules.ts';
import { references } from './references.ts';
import { agreements, consequences, rules } from './rules.ts';
import { stepRules } from './step-rules.ts';

/** A rule, or all rules of a service. */
export interface Check {
  title: string;
  /** @param workspace_id limits the check to this workspace */
  run(databases: Databases, workspace_id?: string): Promise<Violation[]>;
}

/** Checks that run concurrently. Each opens up to two connections, and the servers also have other work. */
const CONCURRENT = 8;

/** Checks that stored IDs of other services' records belong to existing records. */
export const referenceChecks: readonly Check[] = references.map(twice);

/** Checks of effects in one service that another service has caused before. */
export const consequenceChecks: readonly Check[] = consequences.map(
  (rule): Check => ({
    title: rule.name,
    run: (databases, workspace_id) => checkConsequence(databases, rule, workspace_id),
  }),
);

/**
 * Checks of the rules that hold at any time, in one database and between two databases.
 * @param given.amid_faults leaves out the rules that hold only a minute after a fault
 */
export const immediateChecks = ({ amid_faults = false } = {}): Check[] => [
  ...Object.entries(rules).map(([service, all]): Check => {
    const checks = all.filter(({ after_calm }) => !(amid_faults && after_calm));
    return {
      title: `${service}: ${checks.length} rules`,
      run: (databases, workspace_id) => audit(String(databases[service]), checks, workspace_id),
    };
  }),
  ...consequenceChecks,
  ...referenceChecks,
];

/** Checks of orders, proposals and the documents made from orders and proposals. */
export const orderChecks: readonly Check[] = [...orderConsequences.map(twice), ...orderAgreements.map(compared)];

/** Checks of amounts on which two services agree if nothing is under way between them. */
export const amountChecks: readonly Check[] = agreements.map(compared);

/**
 * Checks of what a restore of one database breaks between services: copies, processed events and completed steps. An
 * inbox has no workspaces, so processed events are checked only for all workspaces.
 */
export const seamChecks: readonly Check[] = [
  ...stepRules.map(twice),
  ...copyRules.map(
    (rule): Check => ({
      title: rule.name,
      run: (databases, workspace_id) => checkCopies(databases, rule, workspace_id),
    }),
  ),
  ...inboxRules.map(
    (rule): Check => ({
      title: `every processed event is in the journal of ${rule.earlier.service}`,
      run: async (databases, workspace_id) => (workspace_id === undefined ? checkInclusion(databases, rule) : []),
    }),
  ),
];

function twice(rule: Parameters<typeof checkConsequenceTwice>[1]): Check {
  return {
    title: rule.name,
    run: (databases, workspace_id) => checkConsequenceTwice(databases, rule, workspace_id),
  };
}

function compared(rule: Parameters<typeof compare>[1]): Check {
  return { title: rule.name, run: (databases, workspace_id) => compare(databases, rule, workspace_id) };
}

/** Runs checks, a few at a time. Returns the violations of each check, in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  databases: Databases,
  workspace_id?: string,
): Promise<{ title: string; broken: Violation[] }[]> {
  const results: { title: string; broken: Violation[] }[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let place = next++; place < checks.length; place = next++) {
      const { title, run } = checks[place]!;
      results[place] = { title, broken: await run(databases, workspace_id) };
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  return results;
}
