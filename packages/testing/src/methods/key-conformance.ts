/** Tests the guarantees of a declared method's keys. */
import { expect, test } from '@jest/globals';
import type { Caller } from '@suite/chassis/identity';
import type { Method } from '@suite/chassis/testing';
import { runConcurrently } from '../waiting.ts';
import type { ServiceUnderTest } from '../start.ts';

/** A request that succeeds once, and a different request under the same key. */
export interface IdempotentRequest {
  caller: Caller;
  request: { idempotency_key: string };
  other: { idempotency_key: string };
}

export type KeyedCall = (request: object) => Promise<object>;

interface KeyConformance {
  id: string;
  method: Method;
  /** The method that undoes this one, if there is one. */
  undoing: string | undefined;
  /** Creates new requests of a method, and a function that calls it. */
  called(id: string): Promise<Omit<IdempotentRequest, 'caller'> & { ask(id: string): KeyedCall }>;
  sql: ServiceUnderTest['sql'];
}

/** Returns the fields of a request that another request has too. */
const sharedKeyTests = (request: object, other: object): object =>
  Object.fromEntries(Object.entries(request).filter(([name]) => name in other));

export function keyConformance({ id, method, undoing, called, sql }: KeyConformance): void {
  const kept = ({ idempotency_key }: IdempotentRequest['request']) => sql`
    SELECT answer FROM rpc_keys WHERE method = ${method.name} AND key = ${idempotency_key}`;

  test('does its work once per key, which is bound to the request', async () => {
    const { ask, request, other } = await called(id);
    const first = await ask(id)(request);
    expect(await ask(id)(request)).toEqual(first);
    await expect(ask(id)(other)).rejects.toMatchObject({ status: 409, code: 'key_reused' });
    expect(await kept(request)).toHaveLength(1);
  });

  test('does its work once for concurrent calls under one key', async () => {
    const { ask, request } = await called(id);
    const answers = await runConcurrently(8, () => ask(id)(request));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await kept(request)).toHaveLength(1);
  });

  if (method.dry_run) {
    test('keeps no key in a dry run', async () => {
      const { ask, request } = await called(id);
      const foretold = await ask(id)({ ...request, dry_run: true });
      expect(await kept(request)).toEqual([]);
      // A dry run stores no record, so the ID in its response refers to none.
      const named = ([name]: [string, unknown]) => !name.endsWith('_id');
      const plain = (answer: unknown) => Object.entries(answer as object).filter(named);
      expect(plain(await ask(id)(request))).toEqual(plain(foretold));
    });
  }

  if (undoing) {
    test.each(['before', 'after'])('does no further work under a key that was undone %s it was used', async (when) => {
      const { ask, request } = await called(id);
      const { request: undo } = await called(undoing);
      if (when === 'after') await ask(id)(request);
      await ask(undoing)({ ...undo, ...sharedKeyTests(request, undo) });
      await expect(ask(id)(request)).rejects.toMatchObject({ status: 409, code: 'key_reversed' });
      expect(await kept(request)).toHaveLength(1);
    });
  }
}
