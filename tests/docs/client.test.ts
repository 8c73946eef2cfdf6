import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Browser storage for the program of the page, which has its address, e-mail address and password from the command line. */
const BEFORE_PAGE = `
  const [, , gateway = '', email = '', password = ''] = process.argv;
  const stored = new Map<string, string>();
  Object.assign(globalThis, {
    localStorage: { getItem: (key: string) => stored.get(key), setItem: (key: string, value: string) => stored.set(key, value) },
  });
`;
const AFTER_PAGE = `
  const before = accessToken;
  await Promise.all([refreshTokens(), refreshTokens()]);
  await leadsList({ throwOnError: true });
  console.log(before !== accessToken);
`;

/** Returns the section "First calls" of docs/frontend.md as a program. */
function programOfPage(): string {
  const [, section = ''] = /## First calls\n(.*?)\n## /s.exec(readFileSync(at('../../docs/frontend.md'), 'utf8')) ?? [];
  const code = [...section.matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block).join('\n');
  return [BEFORE_PAGE, code.replace("'http://localhost:4000'", 'gateway'), AFTER_PAGE].join('\n');
}

/** Runs a program of the repository. The test shows its complaints. */
const node = (...words: string[]) =>
  run(process.execPath, words, { cwd: place }).then(
    ({ stdout }) => ({ complaints: '', stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ complaints: `${stdout}${stderr}`, stdout }),
  );

beforeAll(async () => {
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(COMPILER));
  copyFileSync(at('first-call.ts.txt'), join(place, 'first-call.ts'));
  writeFileSync(join(place, 'page.ts'), programOfPage());
  const document = `${suite.gateway}/openapi.json`;
  const { complaints } = await node('--input-type=module', '--eval', GENERATE, document, JSON.stringify(CLIENT));
  if (complaints) throw new Error(`No client could be generated: ${complaints}`);
}, 240_000);

describe('a client that is generated from /openapi.json', () => {
  test('compiles together with the program that uses it', async () => {
    const compiler = at('../../node_modules/@typescript/native/bin/tsc');
    expect(await node(compiler, '--noEmit', '--project', 'tsconfig.json')).toEqual({ complaints: '', stdout: '' });
  }, 240_000);

  test('makes the first calls of docs/frontend.md', async () => {
    const { owner } = await openWorkspace(suite);
    const lead = { name: 'Grace Hopper', subject: 'Ships', expected_value: '1000.00' };
    expect((await owner.post('/api/lead/create', lead)).status).toBe(201);
    const { complaints, stdout } = await node('page.ts', suite.gateway, owner.email, owner.password);
    expect(complaints).toBe('');
    const printed = stdout.trim().split('\n');
    expect(printed[0]).toMatch(/^Grace Hopper \S/);
    expect(printed[1]).toBe("validation_failed { email: [ 'Enter an e-mail address such as ada@example.com.' ] }");
    expect(printed[2]).toBe('true');
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
