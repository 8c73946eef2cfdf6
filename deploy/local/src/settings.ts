import { execFile } from 'node:child_process';
import { OPTIONAL } from './config.ts';
import { engineFlags, environmentOf } from './environment.ts';
import type { StartPlan, PlannedProcess } from './plan.ts';
import { LaunchError } from './launch-error.ts';

/** A placeholder address: the servers do not run yet. */
const NATS_URL = 'nats://127.0.0.1:4222';
const DATABASE_URL = 'postgres://127.0.0.1/none';

/** Asks a program for the faults in its planned settings. */
function faultsBy(plan: StartPlan, planned: PlannedProcess): Promise<string[]> {
  const databases = { [planned.row.name]: DATABASE_URL };
  const env = environmentOf(plan, planned, { nats_url: NATS_URL, databases });
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...engineFlags, planned.row.entry, '--check-settings'],
      { cwd: plan.root, env },
      (_error, _out, said) => resolve(said.split('\n').filter((line) => /^[A-Z_]+ /.test(line))),
    );
  });
}

/**
 * Checks all settings before anything is started. Settings that are only passed on are checked by the programs that
 * read them: the gateway, and one service for all, since services read the same.
 * @throws Problem with one sentence that names each invalid setting
 */
export async function checkSettings(plan: StartPlan): Promise<void> {
  const isAsked = OPTIONAL.some((name) => plan.config.handed_on[name] !== undefined);
  const [service, gateway] = [true, false].map((isService) =>
    plan.processes.find(({ row }) => Boolean(row.service) === isService),
  );
  const asked = isAsked ? [gateway, service].flatMap((one) => one ?? []) : [];
  const found = await Promise.all(asked.map((one) => faultsBy(plan, one)));
  const faults = [...new Set([...plan.config.faults, ...found.flat()])];
  if (faults.length > 0) throw new LaunchError(`Nothing was started: ${faults.join('; ')}.`);
}
