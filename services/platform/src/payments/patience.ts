/** How long a payment provider is waited for. */
import { type PaymentProvider, ProviderTimeout } from './provider.ts';

/** So long a call may take, with what its library tries again: we answer before the gateway loses its own patience. */
export const PATIENCE_MS = 6_000;

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

/** The same provider, with an end to the wait for each of its answers. */
export const patient = (provider: PaymentProvider, patience_ms: number): PaymentProvider =>
  Object.fromEntries(
    Object.entries(provider).map(([name, ask]) => [
      name,
      (...words: unknown[]) => within(patience_ms, (ask as (...words: unknown[]) => Promise<unknown>)(...words)),
    ]),
  ) as unknown as PaymentProvider;
