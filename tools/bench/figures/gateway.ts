/** What it costs to go through the gateway. */
import type { Caller } from '@suite/chassis/gateway';
import { type Figure, inTurns, median, rates, throughputRatio } from '../report/figure.ts';
import { readJson } from './leads.ts';
import type { BenchFixture } from '../fixture/fixture.ts';

const CONNECTIONS = 16;

/** Somebody of the demo workspace: signed in at the gateway, and as the gateway introduces them to platform. */
interface SignedIn {
  authorization: string;
  caller: Caller;
}

interface Account extends Pick<Caller, 'kind' | 'permissions' | 'record_scopes' | 'modules'> {
  id: string;
  name: string;
  role: { name: string };
  workspace: { id: string; timezone: string; currency: string };
}

/** Whose token it is, in the words in which the gateway introduces them to a service. */
export async function callerOfToken(suite_url: string, access_token: string): Promise<Caller> {
  const authorization = `Bearer ${access_token}`;
  const account = (await readJson(`${suite_url}/api/user`, { headers: { authorization } })).data as unknown as Account;
  const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  const { id, name, kind, role, workspace, permissions, record_scopes, modules } = account;
  const { id: workspace_id, timezone, currency } = workspace;
  const rights = { permissions, record_scopes, modules };
  const person = { user_id: id, user_name: name, kind, role: role.name, session_id: sid };
  return { ...person, ...rights, workspace_id, timezone, currency };
}

export async function signIn({ suite }: BenchFixture): Promise<SignedIn> {
  const login = suite.demo?.logins[0];
  if (!suite.demo || !login) throw new Error('There is no demo workspace to sign in to.');
  const { data } = await readJson(`${suite.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: login.email, password: suite.demo.password }),
  });
  const { access_token } = data as { access_token: string };
  return { authorization: `Bearer ${access_token}`, caller: await callerOfToken(suite.url, access_token) };
}

/** Throughput, against a proxy that only forwards, with the same keep-alive agent, to the same platform. */
export async function gatewayThroughput(fixture: BenchFixture): Promise<Figure[]> {
  const { suite, load, service, serviceToken } = fixture;
  const { authorization, caller } = await signIn(fixture);
  const bare = await fixture.baseline('../bare/proxy.ts', { target: service('platform') });
  const shoot = (url: string, header: () => string) => (seconds: number) =>
    load.fire({ url: `${url}/api/user`, headers: { authorization: header() }, connections: CONNECTIONS }, seconds);
  const [measured = [], baseline = []] = await inTurns([
    shoot(gatewayUrl(suite), () => authorization),
    // It checks nothing: its clients carry the token that only the gateway could have made.
    shoot(bare.url, () => serviceToken('platform', caller)),
  ]);
  bare.stop();
  return [
    {
      figure: 'gateway-throughput',
      title: 'Throughput of `GET /api/user` through the gateway, against a bare express + http-proxy-middleware',
      value: throughputRatio(measured, baseline),
      unit: '×',
      target: { at_least: 0.8 },
      rounds: { measured: rates(measured), baseline: rates(baseline) },
    },
  ];
}

/** Latency, against asking platform directly, one request at a time. */
export async function gatewayLatency(fixture: BenchFixture): Promise<Figure[]> {
  const { suite, load, service, serviceToken } = fixture;
  const { authorization, caller } = await signIn(fixture);
  const shoot = (url: string, header: () => string) => (seconds: number) =>
    load.fire({ url: `${url}/api/user`, headers: { authorization: header() }, connections: 1 }, seconds);
  const [measured = [], baseline = []] = await inTurns([
    shoot(gatewayUrl(suite), () => authorization),
    shoot(service('platform'), () => serviceToken('platform', caller)),
  ]);
  const times = (rounds: typeof measured) => rounds.map(({ median_ms }) => Math.round(median_ms * 1000) / 1000);
  return [
    {
      figure: 'gateway-latency',
      title: `Median latency that the gateway adds to \`GET /api/user\` (${median(times(baseline)).toFixed(1)} ms directly)`,
      value: median(measured.map(({ median_ms }, round) => median_ms - baseline[round]!.median_ms)),
      unit: 'ms',
      target: { at_most: 1.5 },
      rounds: { measured: times(measured), baseline: times(baseline) },
    },
  ];
}

/** By its number, as the services are called too: looking a name up is no part of the comparison. */
const gatewayUrl = ({ processes }: BenchFixture['suite']): string => String(processes['gateway']?.url);
