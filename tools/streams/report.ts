/** The page with the results of open streams. */
import { cpus } from 'node:os';
import { clock } from '@suite/chassis/runtime';
import type { Measured, Usage } from './processes.ts';

const MOST_MIB = 100;

const mib = (size: number): string => `${size.toFixed(0)} MiB`;

/** Returns the processor time between two states, per second. */
function perSecond(from: Usage, to: Usage, time_ms: number): string {
  const share = (key: 'gateway_us' | 'services_us') => `${((to[key] - from[key]) / time_ms).toFixed(0)} ms`;
  return `${share('gateway_us')} of the gateway, ${share('services_us')} of all services`;
}

/** Returns the page in Markdown. */
export function reportOf({ streams, before, open, idle, after, idle_ms, arrivals_ms }: Measured): string {
  const sorted = arrivals_ms.toSorted((one, other) => one - other);
  const at = (share: number) => `${sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(0)} ms`;
  const cost = (key: 'gateway_us' | 'services_us') => `${((after[key] - idle[key]) / streams / 1_000).toFixed(1)} ms`;
  return `# Streams of changes

\`npm run streams -- --streams ${streams}\`, ${clock.now().toISOString().slice(0, 10)}, on ${cpus().length} processors of the kind ${cpus()[0]?.model ?? 'unknown'}.
${streams} streams are open, 20 in each workspace. Then one lead is created in each workspace in turn. The goal for the gateway is at most ${MOST_MIB} MiB for 1,000 streams.

| Measurement | Result |
|---|---|
| Memory of the gateway before | ${mib(before.gateway_mib)} |
| Added by ${streams} open streams | ${mib(open.gateway_mib - before.gateway_mib)} |
| Added after a minute without changes | ${mib(idle.gateway_mib - before.gateway_mib)} |
| Added after all changes | ${mib(after.gateway_mib - before.gateway_mib)} |
| Processor time per second without changes | ${perSecond(open, idle, idle_ms)} |
| Change in all 20 streams after the response to the write | median ${at(0.5)}, 95 % ${at(0.95)}, maximum ${at(1)} |
| Processor time per change and stream | ${cost('gateway_us')} of the gateway, ${cost('services_us')} of all services |
`;
}
