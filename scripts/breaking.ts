/**
 * Compares the OpenAPI document and the protobuf files with the last release: `node scripts/breaking.ts`. A change that
 * breaks a client, or a service that still runs the last release, fails unless the changelog names it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { breakingChanges, protobufChanges, unnamedBreaks } from '@suite/api-docs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const root = resolve(process.argv[2] ?? repository);
const [release, ...others] = readdirSync(join(root, 'releases'));
if (!release || others.length > 0) throw new Error('releases/ must contain only the last release. Delete the others.');

const last = join(root, 'releases', release);
const documents = [
  gunzipSync(readFileSync(join(last, 'openapi.json.gz'))),
  readFileSync(join(root, 'docs/openapi.json')),
];
const [before, after] = documents.map((text) => JSON.parse(text.toString()) as Record<string, unknown>);

const buf = spawnSync(
  join(repository, 'node_modules/.bin/buf'),
  ['breaking', '--against', join(last, 'proto.binpb'), '--error-format', 'json'],
  { cwd: root, encoding: 'utf8' },
);
// Exit code 100 means that buf found breaking changes.
if (buf.status !== 0 && buf.status !== 100) throw new Error(`buf breaking failed: ${buf.stderr.trim()}`);

// Chosen: our own comparison. Two npm libraries were tried in November 2026. openapi-diff 0.24.1 (October 2025) rejects
// OpenAPI 3.1. api-smart-diff 1.0.6 returned no result within 13 seconds of CPU time, and was stopped.
const changes = [...breakingChanges(before ?? {}, after ?? {}), ...protobufChanges(buf.stdout)];
const unnamed = unnamedBreaks(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), changes);
for (const { subject, sentence } of unnamed) console.error(`\`${subject}\`: ${sentence} (since ${release})`);
process.exitCode = unnamed.length > 0 ? 1 : 0;
