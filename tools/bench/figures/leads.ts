/** What the machinery beneath crm costs: its leads against the same thing written by hand, and few against a million. */
import { deepStrictEqual } from 'node:assert/strict';
import { additions } from '../fixture/additions.ts';
import { type Figure, inTurns, rates, throughputRatio } from '../report/figure.ts';
import type { Fired } from '../load/load.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { callerOf, middle, type Workspace } from '../fixture/workspace.ts';

const CONNECTIONS = 16;
const FEW = 10_000;
const MANY = 1_000_000;
const LIST = '/api/leads?status=open&sort=-created_at&per_page=20';

/** Asks crm directly, as the gateway would. */
function crm({ service, serviceToken, load }: BenchFixture, workspace: Workspace) {
  const headers = () => ({ authorization: serviceToken('crm', callerOf(workspace)) });
  const url = service('crm');
  return {
    url,
    headers,
    list:
      (query = '') =>
      (seconds: number): Promise<Fired> =>
        load.fire({ url: `${url}${LIST}${query}`, headers: headers(), connections: CONNECTIONS }, seconds),
  };
}

export async function readJson(url: string, init: RequestInit): Promise<{ data: Record<string, unknown> }> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  return (await response.json()) as { data: Record<string, unknown> };
}

/** A list, with whether there is more of it: a cursor is made in a way of its maker's own. */
export async function readList(url: string, init: RequestInit) {
  const { data, meta } = (await readJson(url, init)) as { data: object; meta?: { next_cursor: string | null } };
  return { data, meta: { ...meta, next_cursor: meta?.next_cursor !== null } };
}

/** The first page of 10 000 leads, sorted, filtered and counted. */
export async function leadList(fixture: BenchFixture): Promise<Figure[]> {
  const workspace = await fixture.workspace(FEW);
  const suites = crm(fixture, workspace);
  const database_url = fixture.suite.databases['crm'];
  const bare = await fixture.baseline('../by-hand/crm.ts', { database_url, workspace });
  const [ours, theirs] = await Promise.all([
    readList(`${suites.url}${LIST}`, { headers: suites.headers() }),
    readList(`${bare.url}${LIST}`, {}),
  ]);
  deepStrictEqual(ours, theirs);
  const [measured = [], baseline = []] = await inTurns([
    suites.list(),
    (seconds) => fixture.load.fire({ url: `${bare.url}${LIST}`, headers: {}, connections: CONNECTIONS }, seconds),
  ]);
  bare.stop();
  return [
    {
      figure: 'lead-list',
      title:
        'Throughput of `GET /api/leads` (20 of 10 000, sorted, filtered), against a hand-written express + pg handler',
      value: throughputRatio(measured, baseline),
      unit: '×',
      target: { at_least: 0.4 },
      rounds: { measured: rates(measured), baseline: rates(baseline) },
    },
  ];
}

/** Creating a lead, with its timeline, event and audit record. */
export async function leadCreate(fixture: BenchFixture): Promise<Figure[]> {
  const workspace = await fixture.workspace(1_000);
  const { url, headers } = crm(fixture, workspace);
  const database_url = String(fixture.suite.databases['crm']);
  const bare = await fixture.baseline('../by-hand/crm.ts', { database_url, workspace });
  const lead = {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    phone: '+1 212 555',
    company: 'Navy',
    expected_value: '1250.50',
  };
  const body = JSON.stringify(lead);
  const to = (url: string, more: Record<string, string>) =>
    ({
      url: `${url}/api/lead/create`,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body,
    }) as const;

  const [ours, theirs] = [to(url, headers()), to(bare.url, {})];
  const written = await additions([database_url], () => readJson(ours.url, ours));
  deepStrictEqual(await additions([database_url], () => readJson(theirs.url, theirs)), written);

  const [measured = [], baseline = []] = await inTurns([
    (seconds) => fixture.load.fire({ ...to(url, headers()), connections: CONNECTIONS }, seconds),
    (seconds) => fixture.load.fire({ ...theirs, connections: CONNECTIONS }, seconds),
  ]);
  bare.stop();
  return [
    {
      figure: 'lead-create',
      title:
        'Throughput of `POST /api/lead/create`, against a hand-written express + pg transaction that writes the same rows',
      value: throughputRatio(measured, baseline),
      unit: '×',
      target: { at_least: 0.4 },
      rounds: { measured: rates(measured), baseline: rates(baseline) },
    },
  ];
}

/** The list at a million leads against the same list at 10 000: first page, and in the middle. */
export async function leadScale(fixture: BenchFixture): Promise<Figure[]> {
  const [few, many] = [await fixture.workspace(FEW), await fixture.workspace(MANY)];
  const database_url = String(fixture.suite.databases['crm']);
  const deep = async (workspace: Workspace) => {
    const { url, headers } = crm(fixture, workspace);
    const { meta } = (await readJson(`${url}${LIST}`, { headers: headers() })) as { meta?: { next_cursor: string } };
    return `&cursor=${await middle(database_url, workspace, meta?.next_cursor ?? '')}`;
  };
  const [ours, theirs] = [crm(fixture, many), crm(fixture, few)];
  const [first = [], firstOfFew = [], further = [], furtherOfFew = []] = await inTurns(
    [ours.list(), theirs.list(), ours.list(await deep(many)), theirs.list(await deep(few))],
    { seconds: 3 },
  );
  const figure = (name: string, where: string, measured: Fired[], baseline: Fired[]): Figure => ({
    figure: name,
    title: `Cost of \`GET /api/leads\` at 1 000 000 leads, ${where}, against 10 000`,
    value: throughputRatio(baseline, measured),
    unit: '×',
    target: { at_most: 1.5 },
    rounds: { measured: rates(measured), baseline: rates(baseline) },
  });
  return [
    figure('lead-scale-first', 'first page', first, firstOfFew),
    figure('lead-scale-deep', 'cursor in the middle', further, furtherOfFew),
  ];
}
