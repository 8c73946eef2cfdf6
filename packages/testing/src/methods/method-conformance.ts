import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Caller, Keys } from '@suite/chassis/identity';
import { connectRpc, type Method, type ServedRpc } from '@suite/chassis/testing';
import { services } from '@suite/local/processes';
import { retryPostponed } from '../waiting.ts';
import { type KeyedCall, type IdempotentRequest, keyConformance } from './key-conformance.ts';
import { makeCaller } from '../member.ts';
import { keysOf, forwardedCaller, type ServiceUnderTest } from '../start.ts';

export interface MethodConformance {
  name: string;
  serving: ServiceUnderTest;
  served: ServedRpc;
  /** A request for each idempotent method. Every such method is required. */
  idempotent: Record<string, () => Promise<IdempotentRequest>>;
}

/** Returns a request without any values. */
const emptyRequest = (served: ServedRpc, name: string): object =>
  (served.definition.methods[name]!.requestType as { fromPartial(partial: object): object }).fromPartial({});

/** Returns the status of a call. */
const outcome = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { status?: number }) => error.status ?? 0,
  );

type MethodCall = (method: string, caller: Caller | null, signer?: Keys) => KeyedCall;

/** Calls methods over connections that are closed after the tests. */
function connectAs({ name, serving, served }: Pick<MethodConformance, 'name' | 'serving' | 'served'>): MethodCall {
  const neighbour = services.find((other) => other.name !== name)!.name;
  const closings: (() => void)[] = [];
  afterAll(() => {
    for (const close of closings) close();
  });
  return (method, caller, signer = keysOf(neighbour)) => {
    const address = `127.0.0.1:${serving.grpc_port}`;
    const rpc = connectRpc({ [name]: { definition: served.definition, address } }, signer);
    closings.push(() => rpc.close());
    const client = rpc.as(caller, randomUUID())[name] as unknown as Record<string, KeyedCall>;
    return (request) => retryPostponed(() => client[method]!(request));
  };
}

/** Returns the services that may not call a method. */
const outsiders = (name: string, { only }: Method): string[] =>
  services.map((other) => other.name).filter((other) => other !== name && !only?.includes(other));

/**
 * Tests the guarantees of every declared method: only a service may call it, on behalf of a user whom the gateway has
 * sent. Faults in a request are reported. A key does its work once, and is bound to its request. An effect that was
 * undone does not happen again.
 */
export function methodConformance({ name, serving, served, idempotent }: MethodConformance): void {
  const neighbour = services.find((other) => other.name !== name)!.name;
  const asking = connectAs({ name, serving, served });
  const person = makeCaller({ kind: 'owner', role: 'owner' });
  const methods = Object.entries<Method>(served.declared ?? {});
  describe.each(methods)('%s', (id, method) => {
    const empty = emptyRequest(served, id);
    const asker = method.only?.[0] ?? neighbour;

    test('rejects callers that cannot prove to be a service', async () => {
      const stranger = { ...keysOf(neighbour), speak: () => ({ token: 'a.b.c' }) };
      const forging = {
        ...keysOf(neighbour),
        speak: (audience: string) => ({ token: keysOf(neighbour).sign(audience, person) }),
      };
      expect(await outcome(asking(id, person, stranger)(empty))).toBe(401);
      expect(await outcome(asking(id, person, forging)(empty))).toBe(401);
    });

    test(`is for ${method.access}`, async () => {
      const nobody = await outcome(asking(id, null, keysOf(asker))(empty));
      const named = await outcome(asking(id, person, keysOf(asker))(empty));
      const stranger = [422, true] as const;
      const refused = { caller: [401, true], settling: [401, false], gateway: [403, true], stranger } as const;
      expect([nobody, named === 403]).toEqual(refused[method.access]);
    });

    if (method.only) {
      test(`serves ${method.only.join(' and ')}, and no other service`, async () => {
        const others = outsiders(name, method);
        const called = others.map((other) => outcome(asking(id, forwardedCaller(other, person), keysOf(other))(empty)));
        expect(new Set(await Promise.all(called))).toEqual(new Set([403]));
      });
    }

    if (method.input && !method.input.safeParse(empty).success) {
      test('reports what is wrong with a request', async () => {
        const call = asking(id, forwardedCaller(asker, person), keysOf(asker))(empty);
        await expect(call).rejects.toMatchObject({ status: 422, errors: expect.any(Object) });
      });
    }

    if (method.idempotent) {
      const [undoing, undo] = methods.find(([, { undoes }]) => undoes?.name === method.name) ?? [];
      // A key belongs to the service that uses it, so the test uses a service that may call both methods.
      const both = method.only?.find((service) => undo?.only?.includes(service)) ?? asker;
      const called = async (other: string) => {
        const { caller, ...requests } = await idempotent[other]!();
        return { ...requests, ask: (name: string) => asking(name, forwardedCaller(both, caller), keysOf(both)) };
      };
      keyConformance({ id, method, undoing, called, sql: serving.sql });
    }
  });
}
