/** Headers of requests that the gateway sends to its own handler. */
import type { GatewayReply } from '../request/request-context.ts';

/** Headers of the outer request that apply to each inner one. */
const INHERITED = ['authorization', 'accept-language', 'user-agent'] as const;

/** Returns the headers of an inner request that its sender does not set. */
export function commonHeaders({ req, locals: { context } }: GatewayReply): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = req.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    host: 'gateway',
    accept: 'application/json',
    traceparent: context.traceparent,
    ...Object.fromEntries(inherited),
  };
}

/** Copies the state of the rate limits, so that the outer response shows it after the last inner request. */
export function copyLimits(from: Record<string, unknown>, to: Record<string, string>): void {
  for (const name of ['ratelimit', 'ratelimit-policy']) {
    const value = from[name];
    if (typeof value === 'string') to[name] = value;
  }
}
