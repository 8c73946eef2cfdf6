/** How long a payment provider is waited for. */
import { type PaymentProvider, ProviderTimeout } from './provider.ts';

/** So long all calls of an operation may take, with what their library tries again: we answer before the gateway loses its own patience. */
export const PATIENCE_MS = 6_000;
/** The same for an operation that reads: the gateway waits less for it. */
export const READ_PATIENCE_MS = 2_000;

/** @throws ProviderTimeout; a call that goes on all the same has its effect once, for it is made again under its key */
async function within<T>(patience_ms: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(ProviderTimeout()), patience_ms);
  });
  try {
    return await Promise.race([call, overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same provider, with an end to the wait for its answers: from the first call on, so long for all of them. */
export function patient(provider: PaymentProvider, patience_ms: number): PaymentProvider {
  let end: number | undefined;
  const left_ms = () => {
    const now = performance.now();
    end ??= now + patience_ms;
    return Math.max(0, end - now);
  };
  return Object.fromEntries(
    Object.entries(provider).map(([name, ask]) => [
      name,
      (...words: unknown[]) => within(left_ms(), (ask as (...words: unknown[]) => Promise<unknown>)(...words)),
    ]),
  ) as unknown as PaymentProvider;
}
