import { join } from 'node:path';
import { ProcessGroup } from './supervision/process-group.ts';
import { writeEnvironment, lockData, resetData } from './data/data-directory.ts';
import { migrateAll, serviceDatabases } from './servers/databases.ts';
import { type Demo, endFirstStart, isIncomplete, lacksDemo, markFirstStart, readDemo, seedDemo } from './demo/demo.ts';
import { environmentOf, publicUrl, type Servers } from './environment.ts';
import { makeKeys } from './data/keys.ts';
import { deadlineFactor, measureMachine } from './machine-speed.ts';
import { natsUsers } from './data/nats-users.ts';
import { type StartPlan, type PlannedProcess, planSuite, portsOf, type SuiteOptions } from './plan.ts';
import { checkPorts, withFreePorts } from './ports.ts';
import { startNats } from './servers/nats.ts';
import { startPostgres } from './servers/postgres.ts';
import { archiveOf, assertOwnArchive, clusterIn } from './recovery/archive.ts';
import { undoInterruptedRestore } from './recovery/replacement.ts';
import { processJob } from './supervision/service-process.ts';
import { checkSettings } from './settings.ts';
import type { Job, SupervisedProcess } from './supervision/supervisor.ts';

/** One process of a running suite, as tests use it. */
export interface SuiteProcess extends Omit<SupervisedProcess, 'stop' | 'started'> {
  /** HTTP address. Null for PostgreSQL and NATS. */
  url: string | null;
  grpc: string | null;
  operations_url: string | null;
}

/** A running suite. */
export interface Suite {
  /** The public URL of the gateway. */
  url: string;
  /** The gateway's port on this machine. */
  port: number;
  data: string;
  nats_url: string;
  /** Service name → address of its database. */
  databases: Record<string, string>;
  /** Processes by name: `gateway`, `platform`, `crm`, `crm-2` (a replica), `postgres`, `nats`. */
  processes: Record<string, SuiteProcess>;
  demo: Demo | null;
  /** Stops everything in order. */
  stop(): Promise<void>;
  /** Ends everything immediately. */
  kill(): void;
}

/** Reports a step: its title when it begins, and the time it took when it is done. */
type Step = <T>(title: string, work: () => Promise<T> | T) => Promise<T>;

/** Time that processes of a killed suite have to end. */
const REMAINS_PATIENCE_MS = 20_000;

/** Starts servers, gateway and services, and waits until all are ready. Leaves nothing running if it fails. */
export async function startSuite(options: SuiteOptions = {}): Promise<Suite> {
  const say = options.say ?? (() => {});
  const { plan, release } = await planWithPorts(options);
  if (!plan.fast) plan.deadline_factor = deadlineFactor(measureMachine());
  await checkSettings(plan).catch((error: unknown) => {
    release();
    throw error;
  });
  const lock = lockData(plan.data);
  const group = new ProcessGroup();
  const stop = async () => {
    await group.stop();
    lock.release();
    release();
  };
  // When the start is aborted, its next step fails and the error path below cleans up.
  options.signal?.addEventListener('abort', () => void group.stop());
  const step = stepper(options);
  try {
    await checkPorts(portsOf(plan), lock.was_killed ? REMAINS_PATIENCE_MS : 0);
    undoInterruptedRestore(plan.data);
    checkArchive(plan, options.reset || isIncomplete(plan));
    if (options.reset) await step('Data of the earlier suite removed', () => resetData(plan.data));
    else if (isIncomplete(plan)) await step('Incomplete demo removed', () => resetData(plan.data));
    if (options.demo !== false) markFirstStart(plan);
    await step('Keys', () =>
      makeKeys(
        join(plan.data, 'keys'),
        plan.rows.map((row) => row.name),
      ),
    );
    const servers = await startServers(plan, group, step, say);
    const jobs = plan.processes.map((planned) => {
      const environment = environmentOf(plan, planned, servers);
      writeEnvironment(plan.data, planned.name, environment);
      return { planned, job: processJob(plan, planned, environment, say) };
    });
    await startProcesses(jobs, group, step);
    if (options.demo !== false && lacksDemo(plan))
      await step('Demo workspace', () => seedDemo(plan, servers, options.signal));
    endFirstStart(plan);
    return {
      url: publicUrl(plan),
      port: plan.port,
      data: plan.data,
      ...servers,
      processes: Object.fromEntries(group.members.map((member) => [member.name, describeProcess(plan, member)])),
      demo: readDemo(plan),
      stop,
      kill: () => group.kill(),
    };
  } catch (error) {
    await stop();
    // After an abort, failures are caused by the abort.
    options.signal?.throwIfAborted();
    throw error;
  }
}

/** Checks that the archive belongs to the databases. @throws LaunchError if it does not */
function checkArchive({ config: { backup_dir }, data }: StartPlan, is_reset: boolean): void {
  if (backup_dir) assertOwnArchive(backup_dir, is_reset ? undefined : clusterIn(join(data, 'postgres/data')));
}

/** Returns the plan, and a function that releases its claimed ports. */
async function planWithPorts(options: SuiteOptions): Promise<{ plan: StartPlan; release(): void }> {
  if (options.port === 'free') return await withFreePorts(() => planSuite(options), portsOf);
  return { plan: planSuite(options), release: () => {} };
}

/** Creates the databases of a new suite, and ends. A suite may start with a copy of the folder. For tests. */
export async function prepareDatabases(options: SuiteOptions): Promise<void> {
  const { plan, release } = await planWithPorts(options);
  const group = new ProcessGroup();
  const step = stepper(options);
  try {
    await makeDatabases(plan, await startCluster(plan, group, step, () => {}), step);
  } finally {
    await group.stop();
    release();
  }
}

async function startServers(
  plan: StartPlan,
  group: ProcessGroup,
  step: Step,
  say: (line: string) => void,
): Promise<Servers> {
  const adminUrl = await startCluster(plan, group, step, say);
  if (!plan.config.nats_url) {
    const directory = join(plan.data, 'nats');
    const users = natsUsers(join(plan.data, 'keys'), plan.rows, plan.deadline_factor);
    const log = join(plan.data, 'logs/nats.log');
    const start = () => startNats({ directory, port: plan.nats_port, users, log, say });
    await step(`NATS on port ${plan.nats_port}`, () => group.start([serverJob('nats', start, say)]));
  }
  const databases = await makeDatabases(plan, adminUrl, step);
  return { nats_url: plan.config.nats_url ?? `nats://127.0.0.1:${plan.nats_port}`, databases };
}

/** Starts the embedded PostgreSQL, unless another one is configured. @returns the address of its superuser */
async function startCluster(
  plan: StartPlan,
  group: ProcessGroup,
  step: Step,
  say: (line: string) => void,
): Promise<string | null> {
  if (Object.keys(plan.config.database_urls).length > 0) return null;
  let adminUrl: string | null = null;
  const start = async () => {
    const postgres = await startPostgres({
      directory: join(plan.data, 'postgres'),
      port: plan.postgres_port,
      log: join(plan.data, 'logs/postgres.log'),
      fast: plan.fast,
      archive: plan.config.backup_dir && archiveOf(plan.config.backup_dir),
    });
    adminUrl = postgres.adminUrl;
    return postgres;
  };
  await step(`PostgreSQL on port ${plan.postgres_port}`, () => group.start([serverJob('postgres', start, say)]));
  return adminUrl;
}

async function makeDatabases(plan: StartPlan, adminUrl: string | null, step: Step): Promise<Servers['databases']> {
  return await step('Databases', async () => {
    const made = await serviceDatabases(plan, adminUrl);
    await migrateAll(plan, made);
    return made;
  });
}

/** Creates the job of a server. The servers answer before their start resolves, so they are ready immediately. */
function serverJob(name: string, start: Job['start'], say: (line: string) => void): Job {
  return { name, start, say, ready: () => Promise.resolve() };
}

/**
 * Starts all processes concurrently, since none needs another one to become ready. The gateway is a stage of its own,
 * so that it stops first.
 */
async function startProcesses(
  jobs: Array<{ planned: PlannedProcess; job: Job }>,
  group: ProcessGroup,
  step: Step,
): Promise<void> {
  const chosen = (isService: boolean) =>
    jobs.filter(({ planned }) => Boolean(planned.row.service) === isService).map(({ job }) => job);
  const names = jobs.map(({ planned }) => `${planned.name} on ${planned.http_port}`).join(', ');
  await step(`Processes: ${names}`, () => Promise.all([group.start(chosen(true)), group.start(chosen(false))]));
}

function describeProcess(plan: StartPlan, member: SupervisedProcess): SuiteProcess {
  const planned = plan.processes.find(({ name }) => name === member.name);
  const address = (port: number | null | undefined) => (port ? `127.0.0.1:${port}` : null);
  const http = address(planned?.http_port);
  const operations = address(planned?.operations_port);
  return {
    ...member,
    url: http && `http://${http}`,
    grpc: address(planned?.grpc_port),
    operations_url: operations && `http://${operations}`,
  };
}

function stepper({ say, begin, signal }: SuiteOptions): Step {
  return async (title, work) => {
    signal?.throwIfAborted();
    begin?.(title);
    const began = performance.now();
    const result = await work();
    signal?.throwIfAborted();
    say?.(`✓ ${title} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    return result;
  };
}
