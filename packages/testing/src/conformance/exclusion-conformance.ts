/** Tests that operations limited to some users reject the others before they read the request. */
import { describe, expect, test } from '@jest/globals';
import { callerCheckOf, type Operation, operationsOf, type Service } from '@suite/chassis/declarations';
import type { CallerOptions } from '../member.ts';
import type { ServiceUnderTest } from '../start.ts';

export interface ExclusionConformance {
  contents: Service;
  serving: ServiceUnderTest;
  /** Caller who may use the operations according to their permissions, but whom their check excludes. */
  excluded: CallerOptions;
  /** Code of the fault that the caller gets. */
  code: string;
  /** Operations that throw the fault for some requests only, with the reason. */
  conditional?: Record<string, string>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const filled = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);

/** Generates the tests of all operations that declare the fault. */
export function exclusionConformance({
  contents,
  serving,
  excluded,
  code,
  conditional = {},
}: ExclusionConformance): void {
  const declares = ({ faults = [] }: Operation) => faults.some((fault) => fault.code === code);
  const declaring = [...operationsOf(contents)].filter(([, operation]) => declares(operation));

  describe(`${code} in ${contents.name}`, () => {
    const [early, late] = [true, false].map((is) =>
      declaring.filter(([, operation]) => Boolean(callerCheckOf(operation)) === is),
    );

    test('is checked before the request is read, except where it depends on the request', () => {
      expect(late!.map(([id]) => id).toSorted()).toEqual(Object.keys(conditional).toSorted());
    });

    test.each(early!)(
      'is returned by %s instead of an error in the path, query or body',
      async (_, { method, path, params = {} }) => {
        const member = serving.member(excluded);
        const absent = filled(path, '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10');
        const bodies = method === 'GET' ? [undefined] : ['{"nonsense":1}', '{', '[]', '{"type":"zz"}'];
        const malformed = Object.keys(params).length > 0 ? [filled(path, '%20')] : [];
        for (const to of [`${absent}?nonsense=1`, absent, ...malformed]) {
          for (const body of bodies) {
            const reply = await member.send(method, to, body, body === undefined ? {} : JSON_TYPE);
            expect({ to, body, status: reply.status, code: reply.body.code }).toEqual({ to, body, status: 403, code });
          }
        }
      },
    );
  });
}
