/** Tests that operations limited to some users reject the others before they read the request. */
import { describe, expect, test } from '@jest/globals';
import { type Operation, operationsOf, type Service } from '@suite/chassis/declarations';
import type { Rights } from '../member.ts';
import type { Serving } from '../start.ts';

export interface Exclusion {
  contents: Service;
  serving: Serving;
  /** Caller who may use the operations according to their permissions, but whom their check excludes. */
  excluded: Rights;
  /** Code of the fault that the caller gets. */
  code: string;
  /** Operations that throw the fault for some requests only, with the reason. */
  conditional?: Record<string, string>;
}

const filled = (path: string, value: string): string => path.replaceAll(/\{\w+\}/g, value);

/** Generates the tests of all operations that declare the fault. */
export function exclusion({ contents, serving, excluded, code, conditional = {} }: Exclusion): void {
  const declaring = [...operationsOf(contents)].filter(([, { faults = [] }]) =>
    faults.some((fault) => fault.code === code),
  );
  const isChecked = ({ access }: Operation) => access.kind === 'session' && access.check !== undefined;
  const json = { 'content-type': 'application/json' };

  describe(`${code} in ${contents.name}`, () => {
    test('is checked before the request is read, except where it depends on the request', () => {
      const late = declaring.filter(([, operation]) => !isChecked(operation)).map(([id]) => id);
      expect(late.toSorted()).toEqual(Object.keys(conditional).toSorted());
    });

    test.each(declaring.filter(([, operation]) => isChecked(operation)))(
      'is returned by %s instead of an error in the path, query or body',
      async (_, { method, path, params = {} }) => {
        const member = serving.member(excluded);
        const [malformed, absent] = ['%20', '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10'].map((id) => filled(path, id));
        const bodies = method === 'GET' ? [undefined] : ['{"nonsense":1}', '{', '[]', '{"type":"zz"}'];
        const asked = [`${absent!}?nonsense=1`, absent!, ...(Object.keys(params).length > 0 ? [malformed!] : [])];
        for (const to of asked) {
          for (const body of bodies) {
            const reply = await member.send(method, to, body, body === undefined ? {} : json);
            expect({ to, body, status: reply.status, code: reply.body.code }).toEqual({ to, body, status: 403, code });
          }
        }
      },
    );
  });
}
