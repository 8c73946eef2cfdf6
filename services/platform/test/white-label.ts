/** Test fixture: white-label instances, whose programs are authenticated as in the gateway. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import { keysOf, type Member, type ServiceUnderTest } from '@suite/testing';
import { whiteLabelCommand } from '../src/cli/white-label.ts';
import type { Db } from '../src/operations.ts';
import { authenticate } from './workspace.ts';

export interface TestInstance {
  id: string;
  name: string;
  domain: string;
  token: string;
  webhook_secret: string;
  /** Its programs. */
  program: Member;
}

/** Runs an operator command on a running platform. */
export const operate = (platform: ServiceUnderTest, ...words: string[]): Promise<string> =>
  whiteLabelCommand(words, { database: platform.database as Database<Db>, keys: keysOf('platform') });

/** Returns the token in the output of a command. */
export const tokenIn = (output: string): string => /wl_(?:live|test)_[\w-]{43}/.exec(output)![0];

/** Returns the program with a token. */
export const programWith = (platform: ServiceUnderTest, token: string): Promise<Member> =>
  authenticate(platform, { $case: 'wl_token', value: token });

/** Creates an instance with a test-mode token. */
export async function openInstance(platform: ServiceUnderTest): Promise<TestInstance> {
  const name = `Northwind ${randomUUID().slice(0, 8)}`;
  const domain = `${randomUUID().slice(0, 8)}.northwind.example`;
  const output = await operate(platform, 'create', name, '--domain', domain, '--mode', 'test');
  const token = tokenIn(output);
  const [, id = ''] = /is ready: (\S+)/.exec(output)!;
  const [webhook_secret] = /whsec_\S+/.exec(output)!;
  return { id, name, domain, token, webhook_secret, program: await programWith(platform, token) };
}
