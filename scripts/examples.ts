/**
 * Records docs/examples.json: a call of every operation and the answer to it, in a workspace of a suite of its own. An example
 * stays as it is while its call is the same and the answer differs in its texts and figures only: codes and charts, by chance.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { endpointsOf, openExamples, record } from '@suite/demo/examples';
import { startSuite } from '@suite/local/suite';
import { linkTo } from '@suite/testing/suite/mailbox';
import { UNLIMITED } from '@suite/testing/suite/limits';
import { openWorkspace } from '@suite/testing/suite/workspace';

interface Example {
  answer: unknown;
}

/** A value without its texts and figures: what it is made of. */
function shapeOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
  if (Array.isArray(value)) return value.map(shapeOf);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

function isSame(before: Example, { answer, ...call }: Example): boolean {
  const { answer: known, ...callBefore } = before;
  return isDeepStrictEqual([callBefore, shapeOf(known)], [call, shapeOf(answer)]);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'suite-examples-'));
const suite = await startSuite({
  data,
  port: 'free',
  demo: false,
  environment: { RATE_LIMITS: JSON.stringify(UNLIMITED), LOG_LEVEL: 'warn' },
});
try {
  const gateway = String(suite.processes['gateway']?.url);
  const { owner } = await openWorkspace({ ...suite, gateway }, 'Northwind Bicycles');
  const endpoints = endpointsOf(JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8')));
  const mailed = (email: string, purpose: string) => linkTo(suite, email, purpose);
  const bench = await openExamples({ gateway, owner, endpoints, mailed });
  const { recorded, failures } = await record(bench, endpoints);
  for (const failure of failures) console.error(failure);
  process.exitCode = failures.length > 0 ? 1 : 0;
  const file = `${root}docs/examples.json`;
  const before: Record<string, Example> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const kept = Object.entries<Example>(recorded).map(([id, now]) => {
    const known = before[id];
    return [id, known && isSame(known, now) ? known : now] as const;
  });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`);
  console.log(`${Object.keys(recorded).length} examples are recorded, ${failures.length} are not.`);
} finally {
  await suite.stop();
  rmSync(data, { recursive: true, force: true });
}
