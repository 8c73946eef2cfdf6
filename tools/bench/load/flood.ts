/** Requests at a fixed rate, without waiting for earlier responses, as real callers do. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { FloodResult, RequestSample } from './load.ts';

/** Fewer connections than the gateway allows per address. */
const CONNECTIONS = 500;
/** Interval in which requests are sent together. */
const TICK_MS = 5;

interface FloodReport {
  status: number;
  ms: number;
  at: number;
}

function send({ url, headers }: RequestSample, agent: Agent): Promise<FloodReport> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        const at = performance.now();
        resolve({ status: answer.statusCode ?? 0, ms: at - begun, at });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;

/** Sends a fixed number of requests per second for some seconds, and waits for all answers. */
export async function flood(shot: RequestSample, per_second: number, seconds: number): Promise<FloodResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const begun = performance.now();
  const answers: Promise<FloodReport>[] = [];
  for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - begun) {
    while (answers.length < (elapsed / 1_000) * per_second) answers.push(send(shot, agent));
    await pause(TICK_MS);
  }
  const told = await Promise.all(answers);
  agent.destroy();
  const served = told.filter(({ status }) => status === 200);
  const refused = told.filter(({ status }) => status === 503 || status === 429);
  const strange = told.length - served.length - refused.length;
  const refused_ms = refused.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return {
    // Excludes requests that were still pending after the last one was sent: they no longer have competition.
    per_second: served.filter(({ at }) => at < begun + seconds * 1_000).length / seconds,
    refused: refused.length,
    refused_p99_ms: percentile(refused_ms, 0.99),
    failures: strange > 0 ? `${strange} were neither answered nor refused` : null,
  };
}
