/** Timeouts for the payment provider. */
import { type PaymentProvider, ProviderTimeout } from './provider.ts';

/**
 * Total time for all provider calls of an operation, including retries by the library. Shorter than the gateway's
 * timeout.
 */
export const PROVIDER_TIMEOUT_MS = 6_000;
/** Total time for a read operation, because the gateway's timeout for reads is shorter. */
export const READ_TIMEOUT_MS = 2_000;

/**
 * Awaits a call up to the time limit. @throws ProviderTimeout; a call that still completes has its effect once, because
 * the retry uses the same key
 */
async function withinTime<T>(timeout_ms: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(ProviderTimeout()), timeout_ms);
  });
  try {
    return await Promise.race([call, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the provider with a total time limit for all calls, counted from the first call. */
export function withTimeout(provider: PaymentProvider, timeout_ms: number): PaymentProvider {
  let end: number | undefined;
  const left_ms = () => {
    const now = performance.now();
    end ??= now + timeout_ms;
    return Math.max(0, end - now);
  };
  return Object.fromEntries(
    Object.entries(provider).map(([name, call]) => [
      name,
      (...parameters: unknown[]) =>
        withinTime(left_ms(), (call as (...parameters: unknown[]) => Promise<unknown>)(...parameters)),
    ]),
  ) as unknown as PaymentProvider;
}
