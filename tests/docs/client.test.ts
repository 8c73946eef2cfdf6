import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UserConfig } from '@hey-api/openapi-ts';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';

const run = promisify(execFile);
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A folder inside the repository, so that the compiler finds the Node types. Git ignores it. */
mkdirSync(at('../.generated'), { recursive: true });
const place = mkdtempSync(at('../.generated/client-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const suite = await useSharedSuite();

const CLIENT: Omit<UserConfig, 'input'> = {
  output: { path: 'client', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
};

const GENERATE = `
  import { createClient } from '@hey-api/openapi-ts';
  const [, input, settings] = process.argv;
  await createClient({ input, ...JSON.parse(settings) });
`;

const COMPILER = {
  extends: '../../../tsconfig.json',
  // Generated code has its own style. The test checks only that the types match.
  compilerOptions: {
    lib: ['es2024', 'dom'],
    noUnusedLocals: false,
    noUnusedParameters: false,
    erasableSyntaxOnly: false,
  },
  include: ['.'],
  exclude: [],
};

/** Runs a program of the repository. The test shows its complaints. */
const node = (...words: string[]) =>
  run(process.execPath, words, { cwd: place }).then(
    ({ stdout }) => ({ complaints: '', stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ complaints: `${stdout}${stderr}`, stdout }),
  );

beforeAll(async () => {
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(COMPILER));
  copyFileSync(at('first-call.ts.txt'), join(place, 'first-call.ts'));
  const document = `${suite.gateway}/openapi.json`;
  const { complaints } = await node('--input-type=module', '--eval', GENERATE, document, JSON.stringify(CLIENT));
  if (complaints) throw new Error(`No client could be generated: ${complaints}`);
}, 240_000);

describe('a client that is generated from /openapi.json', () => {
  test('compiles together with the program that uses it', async () => {
    const compiler = at('../../node_modules/@typescript/native/bin/tsc');
    expect(await node(compiler, '--noEmit', '--project', 'tsconfig.json')).toEqual({ complaints: '', stdout: '' });
  }, 240_000);

  test('makes the first calls of the README', async () => {
    const { owner } = await openWorkspace(suite);
    const word = `w${randomUUID().slice(0, 8)}`;
    const { complaints, stdout } = await node('first-call.ts', suite.gateway, owner.email, owner.password, word);
    expect(complaints).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      role: 'owner',
      total: 1,
      dearer: 0,
      isListed: true,
      status: 'open',
      price: '1250.00',
      fault: 'validation_failed',
    });
  }, 240_000);
});
