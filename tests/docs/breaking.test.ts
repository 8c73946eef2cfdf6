/** Tests the check of breaking changes on a small repository with one release. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'suite-breaking-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const write = (path: string, content: string | Buffer): void => {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), content);
};
const run = (program: string, ...args: string[]) =>
  spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: place, encoding: 'utf8' });
const check = () => run('node', join(root, 'scripts/breaking.ts'), place);
const changelog = (breaking: string): void =>
  write(
    'CHANGELOG.md',
    `# Changelog\n\n## Unreleased\n\n${breaking}\n## 1.0.0\n\n### Breaking changes\n\n- \`GET /api/leads\`\n`,
  );

const document = (...paths: string[]): string =>
  JSON.stringify({ paths: Object.fromEntries(paths.map((path) => [path, { get: { operationId: path } }])) });
const proto = (...fields: string[]): string =>
  ['syntax = "proto3";', 'package suite.crm.v1;', 'message LeadCreated {', ...fields, '}', ''].join('\n');

write('buf.yaml', readFileSync(join(root, 'buf.yaml')));
write('proto/suite/crm/v1/events.proto', proto('string lead_id = 1;', 'string name = 2;'));
write('releases/1.0.0/openapi.json.gz', gzipSync(document('/api/leads', '/api/deals')));
run('buf', 'build', '-o', 'releases/1.0.0/proto.binpb');
write('docs/openapi.json', document('/api/leads', '/api/deals', '/api/labels'));
changelog('');

test('an addition breaks no client', () => {
  expect(check()).toMatchObject({ status: 0, stderr: '' });
});

test('a removed operation fails until the changelog of the next release names it', () => {
  write('docs/openapi.json', document('/api/deals'));
  expect(check()).toMatchObject({ status: 1, stderr: '`GET /api/leads`: was removed (since 1.0.0)\n' });
  changelog('- `GET /api/leads` was removed.\n');
  expect(check()).toMatchObject({ status: 1 });
  changelog('### Breaking changes\n\n- `GET /api/leads` was removed. Use `GET /api/labels`.\n');
  expect(check()).toMatchObject({ status: 0 });
});

test('a removed message field fails until the changelog of the next release names it', () => {
  write('proto/suite/crm/v1/events.proto', proto('string lead_id = 1;'));
  const { status, stderr } = check();
  expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 1, lines: 2 });
  expect(stderr).toContain('`LeadCreated`: Previously present field "2" with name "name" on message "LeadCreated"');
  changelog('### Breaking changes\n\n- `GET /api/leads` was removed.\n- `LeadCreated` lost its name.\n');
  expect(check()).toMatchObject({ status: 0 });
});

test('the repository stores one release: the last one in its changelog', () => {
  const [, version] = /^## (\d+\.\d+\.\d+) /m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  expect(readdirSync(join(root, 'releases'))).toEqual([version]);
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({ version });
});
