/** The account and the steady load of a drill. */
import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '@suite/testing/suite/http-caller';
import { openWorkspace } from '@suite/testing/suite/workspace';
import type { DrilledSuite } from './drilled-suite.ts';
import { stockGoods, type Write, writeSteadily } from './writes.ts';

/** The owner of the workspace of a drill. */
export interface Account {
  email: string;
  password: string;
}

/** The folders of a drill. */
export interface Places {
  /** The data folder of the suite. */
  data: string;
  /** The folder of the backups. */
  folder: string;
}

/** Registers the workspace of a drill. */
export async function openAccount(suite: DrilledSuite): Promise<Account> {
  const { email, password } = (await openWorkspace(suite)).owner;
  return { email, password };
}

/** A load that runs. */
export interface Load {
  /** Ends the load. @returns all writes */
  end(): Promise<Write[]>;
}

/** Begins a load, and lets it run for some time. */
export async function beginLoad(suite: DrilledSuite, account: Account, first_ms: number): Promise<Load> {
  const person = await signIn(suite.gateway, account.email, account.password);
  const stopping = new AbortController();
  const writing = writeSteadily(person, await stockGoods(person), stopping.signal);
  await pause(first_ms);
  return {
    async end() {
      stopping.abort();
      return await writing;
    },
  };
}
