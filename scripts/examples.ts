/**
 * Records docs/examples.json: a call and its response for every operation, in a workspace of a suite of its own. An
 * example does not change while its call is the same and the response has the same fields. Codes, charts and list
 * contents vary by chance.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { linesOfJson } from '@suite/api-docs';
import { endpointsOf, openExamples, recordExamples } from '@suite/demo/examples';
import { startSuite } from '@suite/local/suite';
import { waitForLink } from '@suite/testing/suite/mailbox';
import { startStripe } from '@suite/testing/payments/stripe';
import { sellerOf, sellPlan } from '@suite/testing/suite/instance';
import { startProviders } from '@suite/testing/suite/providers';
import { UNLIMITED } from '@suite/testing/starting/limits';
import { openWorkspace } from '@suite/testing/suite/workspace';

interface Example {
  answer: unknown;
}

/**
 * Checks if two values have the same fields of the same types. A field may be empty, and a list of any length. Entries
 * of lists are compared by their position.
 */
function isAlike(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return typeof one === typeof other;
  if (Array.isArray(one) && Array.isArray(other))
    return one.every((part, at) => at >= other.length || isAlike(part, other[at]));
  const names = (value: object) => Object.keys(value).toSorted();
  if (!isDeepStrictEqual(names(one), names(other))) return false;
  const parts = new Map(Object.entries(other));
  return Object.entries(one).every(([name, part]) => isAlike(part, parts.get(name)));
}

function isSame({ answer: known, ...before }: Example, { answer, ...call }: Example): boolean {
  return isDeepStrictEqual(before, call) && isAlike(known, answer);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'suite-examples-'));
const [providers, stripe] = [await startProviders(), await startStripe()];
const suite = await startSuite({
  data,
  port: 'free',
  demo: false,
  environment: {
    RATE_LIMITS: JSON.stringify(UNLIMITED),
    LOG_LEVEL: 'warn',
    OUTGOING_TRUSTED_HOSTS: '127.0.0.1',
    ...stripe.settings,
  },
});
try {
  const gateway = String(suite.processes['gateway']?.url);
  const place = { ...suite, gateway };
  const { owner } = await openWorkspace(place, 'Northwind Bicycles');
  await sellPlan(place, 'business', '35.00');
  await sellPlan(place, 'enterprise', '90.00');
  const seller = sellerOf(place, stripe);
  const endpoints = endpointsOf(JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8')));
  const mailed = (email: string, purpose: string) => waitForLink(suite, email, purpose);
  const recorder = await openExamples({ gateway, owner, endpoints, mailed, providers, seller });
  const { recorded, failures } = await recordExamples(recorder, endpoints);
  for (const failure of failures) console.error(failure);
  process.exitCode = failures.length > 0 ? 1 : 0;
  const file = `${root}docs/examples.json`;
  const before: Record<string, Example> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const kept = Object.entries<Example>(recorded).map(([id, now]) => {
    const known = before[id];
    return [id, known && isSame(known, now) ? known : now] as const;
  });
  writeFileSync(file, `${linesOfJson(Object.fromEntries(kept))}\n`);
  console.log(`${Object.keys(recorded).length} examples are recorded, ${failures.length} are not.`);
} finally {
  providers.stop();
  await stripe.stop();
  await suite.stop();
  rmSync(data, { recursive: true, force: true });
}
