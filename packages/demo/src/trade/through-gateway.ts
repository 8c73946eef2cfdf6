/** A part of the demo that is made through the gateway. */
import { readFileSync } from 'node:fs';
import { readSettings } from '@suite/chassis/runtime';
import { z } from 'zod';
import { type DemoUser, type DemoWorkspace, readDemoFile } from '../demo-file.ts';
import type { MakeDemo } from '../program.ts';
import { type DemoCaller, signIn } from './http-caller.ts';

/** A demo workspace whose users can sign in. */
export interface OpenWorkspace extends DemoWorkspace {
  /** Signs the owner in with the API key that is valid while the demo is created. */
  signInOwner(): Promise<DemoCaller>;
  signIn(user: DemoUser): Promise<DemoCaller>;
}

const settings = {
  /** The file with the users that platform's demo has created. */
  DEMO_FILE: z.string().min(1),
  /** The host of the gateway. */
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().positive(),
};

function openWorkspaces(environment?: NodeJS.ProcessEnv): OpenWorkspace[] {
  const { DEMO_FILE, HOST, PORT } = readSettings(settings, environment);
  const { password } = z.object({ password: z.string() }).parse(JSON.parse(readFileSync(DEMO_FILE, 'utf8')));
  const url = `http://${HOST}:${PORT}`;
  return readDemoFile(DEMO_FILE).workspaces.map((workspace) => {
    const { users, key } = workspace;
    const { email } = users.find(({ kind }) => kind === 'owner') ?? users[0]!;
    return {
      ...workspace,
      signInOwner: () => signIn(url, { email, password, key }),
      signIn: (user) => signIn(url, { email: user.email, password }),
    };
  });
}

/** Returns functions that work in all workspaces concurrently, and then return `result`. */
export function throughGateway(
  work: (workspace: OpenWorkspace, index: number) => Promise<void>,
  result: string,
): MakeDemo {
  return async (environment) => {
    await Promise.all(openWorkspaces(environment).map(work));
    return result;
  };
}
