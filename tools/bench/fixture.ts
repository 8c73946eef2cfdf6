/** What the figures are measured on: a suite of its own, somebody who is signed in, and the process that makes load. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, loadKeys } from '@suite/chassis/gateway';
import { type Suite, startSuite } from '@suite/local/suite';
import { type Business, openBusiness } from './business.ts';
import { type ChildProcess, startChildProcess } from './child-process.ts';
import { type Load, startLoad } from './load.ts';
import { makeWorkspace, seedLeads, type Workspace } from './workspace.ts';

export interface BenchFixture {
  suite: Suite;
  load: Load;
  /** The address of a service, for those who call it directly. */
  service(name: string): string;
  /** The header with which the gateway vouches for a caller; good for a minute. */
  serviceToken(service: string, caller: Caller | null): string;
  /** The workspace with so many leads; made when it is first asked for. */
  workspace(leads: number): Promise<Workspace>;
  /** The business with so many posted invoices, customers and products; opened when it is first asked for. */
  business(posted: number): Promise<Business>;
  /** Starts a baseline. */
  baseline(script: string, settings: object): Promise<ChildProcess>;
  stop(): Promise<void>;
}

/** High enough never to be reached: what is measured is the suite, not the patience of its limits. */
const LIMITS = Object.fromEntries(['token', 'workspace', 'login', 'public', 'anonymous'].map((name) => [name, 1e9]));

/** Starts everything. Leaves nothing running, and no file, when it fails or is stopped. */
export async function openBenchFixture(signal: AbortSignal, say: (line: string) => void): Promise<BenchFixture> {
  const data = await mkdtemp(join(tmpdir(), 'suite-bench-'));
  const children: Array<{ stop(): void }> = [];
  const workspaces = new Map<number, Promise<Workspace>>();
  const businesses = new Map<number, Promise<Business>>();
  let suite: Suite | undefined;
  const stop = async () => {
    for (const child of children) child.stop();
    await suite?.stop();
    await rm(data, { recursive: true, force: true });
  };
  try {
    const options = { data, environment: { RATE_LIMITS: JSON.stringify(LIMITS) }, signal, say };
    // The first start makes the databases, the demo and what Node keeps of compiled code; the second one is every other.
    const first = await startSuite({ ...options, port: 'free' });
    await first.stop();
    const running = await startSuite({ ...options, port: 'free' });
    suite = running;
    const load = await startLoad();
    children.push(load);
    const keys = loadKeys('gateway', join(data, 'keys/gateway'));
    const service = (name: string) => String(running.processes[name]?.url);
    const serviceToken = (name: string, caller: Caller | null) => `Bearer ${keys.sign(name, caller)}`;
    const make = async (leads: number) => {
      const made = await makeWorkspace(service('crm'), (caller) => serviceToken('crm', caller));
      await seedLeads(String(running.databases['crm']), made, leads);
      return made;
    };
    return {
      suite: running,
      load,
      service,
      serviceToken,
      stop,
      async workspace(leads) {
        const made = workspaces.get(leads) ?? make(leads);
        workspaces.set(leads, made);
        return await made;
      },
      async business(posted) {
        const opened = businesses.get(posted) ?? openBusiness(running, posted);
        businesses.set(posted, opened);
        return await opened;
      },
      async baseline(script, settings) {
        const child = await startChildProcess(new URL(script, import.meta.url), settings);
        children.push(child);
        return child;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
