import { existsSync, readFileSync } from 'node:fs';
import { choice, Currency, Id } from '@suite/chassis/fields';
import { z } from 'zod';

const DemoUser = z.object({
  id: Id,
  role: z.string(),
  email: z.string(),
  name: z.string(),
  kind: choice('owner', 'staff', 'client', 'vendor'),
});

const DemoWorkspace = z.object({
  id: Id,
  name: z.string(),
  currency: Currency.default('EUR'),
  /** An API key of the owner, valid while the demo is created. */
  key: z.string().optional(),
  users: z.array(DemoUser).min(1),
});

const DemoFile = z.object({ workspaces: z.array(DemoWorkspace).min(1) });

/** A user of a demo workspace, as named by platform's demo. */
export type DemoUser = z.output<typeof DemoUser>;
export type DemoWorkspace = z.output<typeof DemoWorkspace>;

/** Reads the file that platform's demo has written. @throws an Error with a one-sentence message */
export function readDemoFile(path: string): z.output<typeof DemoFile> {
  if (!existsSync(path)) throw new Error(`${path} does not exist: make platform's demo first.`);
  const { data: file, error } = DemoFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (error) throw new Error(`${path} is not what platform's demo writes: ${z.prettifyError(error)}`);
  return file;
}
