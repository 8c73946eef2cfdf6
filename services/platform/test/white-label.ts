/** For tests: white-label instances, whose programs are admitted as the gateway would. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis';
import { keysOf, type Member, type Serving } from '@suite/testing';
import { whiteLabelCommand } from '../src/cli/white-label.ts';
import type { Db } from '../src/operations.ts';
import { admitted } from './workspace.ts';

export interface TestInstance {
  id: string;
  name: string;
  domain: string;
  token: string;
  webhook_secret: string;
  /** Its programs. */
  program: Member;
}

/** The commands of operators on a running platform. */
export const operate = (platform: Serving, ...words: string[]): Promise<string> =>
  whiteLabelCommand(words, { database: platform.database as Database<Db>, keys: keysOf('platform') });

/** The token in what a command prints. */
export const tokenIn = (printed: string): string => /wl_(?:live|test)_[\w-]{43}/.exec(printed)![0];

/** The program that holds a token. */
export const programWith = (platform: Serving, token: string): Promise<Member> =>
  admitted(platform, { $case: 'wl_token', value: token });

/** Makes an instance with a token of test mode. */
export async function openInstance(platform: Serving): Promise<TestInstance> {
  const name = `Northwind ${randomUUID().slice(0, 8)}`;
  const domain = `${randomUUID().slice(0, 8)}.northwind.example`;
  const printed = await operate(platform, 'create', name, '--domain', domain, '--mode', 'test');
  const token = tokenIn(printed);
  const [, id = ''] = /is ready: (\S+)/.exec(printed)!;
  const [webhook_secret] = /whsec_\S+/.exec(printed)!;
  return { id, name, domain, token, webhook_secret, program: await programWith(platform, token) };
}
