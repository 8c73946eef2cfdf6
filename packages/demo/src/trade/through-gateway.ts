/** A part of the demo that is made through the gateway, as a program of its own. */
import { readFileSync } from 'node:fs';
import { readSettings } from '@suite/chassis';
import { z } from 'zod';
import { type DemoUser, type DemoWorkspace, readDemoFile } from '../demo-file.ts';
import { type HttpCaller, signIn } from './http-caller.ts';

/** A demo workspace whose people can sign in. */
export interface OpenWorkspace extends DemoWorkspace {
  /** The owner, by the key that is good while the demo is made. */
  signInOwner(): Promise<HttpCaller>;
  signIn(user: DemoUser): Promise<HttpCaller>;
}

const settings = () =>
  readSettings({
    /** The file in which platform's demo has written the users. */
    DEMO_FILE: z.string().min(1),
    /** The address of the gateway. */
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().positive(),
  });

function openWorkspaces(): OpenWorkspace[] {
  const { DEMO_FILE, HOST, PORT } = settings();
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

/**
 * Works in all workspaces at once, and prints what it is told to.
 * A failure is one sentence on the standard error stream, and an exit code other than zero.
 */
export async function throughGateway(
  work: (workspace: OpenWorkspace, index: number) => Promise<void>,
  told: string,
): Promise<void> {
  try {
    await Promise.all(openWorkspaces().map(work));
    process.stdout.write(`${told}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
