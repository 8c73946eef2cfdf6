/** Records docs/examples.json: a call of every operation and the answer to it, in a workspace of a suite of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpointsOf, openExamples, record } from '@suite/demo/examples';
import { startSuite } from '@suite/local/suite';
import { linkTo } from '@suite/testing/suite/mailbox';
import { UNLIMITED } from '@suite/testing/suite/limits';
import { openWorkspace } from '@suite/testing/suite/workspace';

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
  writeFileSync(`${root}docs/examples.json`, `${JSON.stringify(recorded, null, 1)}\n`);
  console.log(`${Object.keys(recorded).length} examples are recorded, ${failures.length} are not.`);
} finally {
  await suite.stop();
  rmSync(data, { recursive: true, force: true });
}
