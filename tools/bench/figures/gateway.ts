/** The cost of the gateway. */
import type { Caller } from '@suite/chassis/gateway';
import { median } from '../load/median.ts';
import { type Figure, alternate, throughput } from '../report/figure.ts';
import { callerOfToken, readJson } from '../fixture/ask.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { gatewayUrl } from './sides.ts';

const CONNECTIONS = 16;

/** A user of the demo workspace: their login at the gateway, and the caller that the gateway passes to platform. */
interface SignedIn {
  authorization: string;
  caller: Caller;
}

export async function signIn({ suite }: BenchFixture): Promise<SignedIn> {
  const login = suite.demo?.logins[0];
  if (!suite.demo || !login) throw new Error('No demo workspace found.');
  const { data } = await readJson(`${suite.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: login.email, password: suite.demo.password }),
  });
  const { access_token } = data as { access_token: string };
  return { authorization: `Bearer ${access_token}`, caller: await callerOfToken(suite.url, access_token) };
}

/** Measures throughput against a proxy that only forwards to the same platform with the same keep-alive agent. */
export async function gatewayThroughput(fixture: BenchFixture): Promise<Figure[]> {
  const { suite, load, service, serviceToken } = fixture;
  const { authorization, caller } = await signIn(fixture);
  const bare = await fixture.baseline('../../bare-stack/src/proxy.ts', { target: service('platform') });
  const shoot = (url: string, header: () => string) => (seconds: number) =>
    load.fire({ url: `${url}/api/user`, headers: { authorization: header() }, connections: CONNECTIONS }, seconds);
  const [measured = [], baseline = []] = await alternate([
    shoot(gatewayUrl(suite), () => authorization),
    // The bare proxy checks nothing: its clients send the token that only the gateway can create.
    shoot(bare.url, () => serviceToken('platform', caller)),
  ]);
  bare.stop();
  return [
    throughput(
      {
        figure: 'gateway-throughput',
        title: 'Throughput of `GET /api/user` through the gateway, against a bare express + http-proxy-middleware',
        target: { at_least: 0.9 },
      },
      measured,
      baseline,
    ),
  ];
}

/** Measures latency against direct requests to platform, one request at a time. */
export async function gatewayLatency(fixture: BenchFixture): Promise<Figure[]> {
  const { suite, load, service, serviceToken } = fixture;
  const { authorization, caller } = await signIn(fixture);
  const shoot = (url: string, header: () => string) => (seconds: number) =>
    load.fire({ url: `${url}/api/user`, headers: { authorization: header() }, connections: 1 }, seconds);
  const [measured = [], baseline = []] = await alternate([
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
      target: { at_most: 0.6 },
      rounds: { measured: times(measured), baseline: times(baseline) },
    },
  ];
}
