import { afterEach, expect, jest, test } from '@jest/globals';
import { withTimeout } from './provider-timeout.ts';
import type { PaymentProvider } from './provider.ts';

afterEach(() => void jest.useRealTimers());

test('an operation waits for the provider up to a total limit over all its calls', async () => {
  jest.useFakeTimers();
  const slow = () => new Promise((resolve) => setTimeout(resolve, 4_000, 'answer'));
  const provider = withTimeout({ account: slow, portal: slow } as unknown as PaymentProvider, 6_000);
  const first = provider.account('acct_1');
  jest.advanceTimersByTime(4_000);
  expect(await first).toBe('answer');
  const second = provider.portal('cus_1', '');
  jest.advanceTimersByTime(2_000);
  await expect(second).rejects.toMatchObject({ code: 'provider_timeout', status: 504 });
});
