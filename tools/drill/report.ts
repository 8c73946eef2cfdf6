/** The page with the results of a drill. */
import { cpus } from 'node:os';
import { clock } from '@suite/chassis/runtime';
import type { KeptBus } from './kept-bus.ts';
import type { Round } from './rounds.ts';
import type { Reconciliation } from './separate-clusters.ts';

/** All results of a drill. */
export interface Results {
  rounds: readonly Round[];
  kept_bus: KeptBus;
  reconciliation: Reconciliation;
}

const MOST_LOST_S = 5;
const MOST_RESTORE_S = 120;

/** Checks the goals of all parts. */
export const meetsGoals = ({ rounds, kept_bus, reconciliation }: Results): boolean =>
  rounds.every(
    ({ lost_s, restore_s, lost, ghosts, doubled, violations }) =>
      lost_s <= MOST_LOST_S && restore_s <= MOST_RESTORE_S && lost + ghosts + doubled + violations === 0,
  ) &&
  Object.keys(kept_bus.found).length > 0 &&
  kept_bus.violations_without === 0 &&
  Object.keys(reconciliation.found).length > 0 &&
  reconciliation.remaining + reconciliation.violations_after === 0;

const seconds = (time: number): string => `${time.toFixed(1)} s`;

const rowOf = (round: Round, number: number): string => {
  const { kind, writes, megabytes, backup_s, restore_s, lost_s, lost, ghosts, doubled, violations } = round;
  const times = [backup_s, restore_s, lost_s].map(seconds);
  return `| ${[number, kind, writes, `${megabytes} MB`, ...times, lost, ghosts, doubled, violations].join(' | ')} |`;
};

const countsOf = (found: Record<string, number>): string =>
  Object.entries(found)
    .map(([rule, count]) => `| ${rule} | ${count} |`)
    .join('\n');

/** Returns the page in Markdown. */
export function reportOf({ rounds, kept_bus, reconciliation }: Results): string {
  const offsets = Object.entries(reconciliation.offsets_s).map(([service, offset]) => `${service} ${offset} s`);
  return `# Recovery under load

\`npm run drill -- --rounds ${rounds.length}\`, ${clock.now().toISOString().slice(0, 10)}, on ${cpus().length} processors of the kind ${cpus()[0]?.model ?? 'unknown'}.

## Restores

Each round writes 30 leads and posted invoices a second, makes a backup, and restores 8 to 16 s of further work. The restore follows the loss of the
data folder, and returns to the end of the archive, or it returns to a point in time. Most of the size is a table without meaning.

- **Lost work** is the time between the last acknowledged write and the restored time. At most ${MOST_LOST_S} s.
- **Restore time** is the time until the suite can start. At most ${MOST_RESTORE_S} s.
- **Missing** writes were acknowledged before the restored time, and are not restored. **Ghosts** were requested after that time, and are present.

| Round | Restore | Acknowledged writes | Size | Backup | Restore time | Lost work | Missing | Ghosts | Doubled | Violations in the audit |
|---|---|---|---|---|---|---|---|---|---|---|
${rounds.map((round, at) => rowOf(round, at + 1)).join('\n')}

## The previous bus, kept on purpose

After the restored time, users were invited while crm read no events. The restored suite then received the previous bus, in its previous epoch. Crm created
${kept_bus.ghosts} users that platform does not have. The audit found them:

| Rule | Violations |
|---|---|
${countsOf(kept_bus.found)}

After the same restore with an empty bus: ${kept_bus.violations_without} violations.

## Seven servers, restored to different times

Each service had a PostgreSQL server of its own. Distance of each restored time from the middle: ${offsets.join(', ')}. The audit found
${reconciliation.violations_before} violations, and \`npm run reconcile\` found these differences:

| Rule | Differences |
|---|---|
${countsOf(reconciliation.found)}

After the repair: ${reconciliation.remaining} differences, and ${reconciliation.violations_after} violations in the audit.
`;
}
