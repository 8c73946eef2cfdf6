import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { declaredServices } from '@suite/testing/declared';

/** Returns the services that call each method, from the call sites in `docs/methods.txt`. */
function callingServices(): Map<string, Set<string>> {
  const calling = new Map<string, Set<string>>();
  let method = '';
  for (const line of readFileSync('docs/methods.txt', 'utf8').split('\n')) {
    [, method = method] = /^(\w+\.\w+):/.exec(line) ?? [];
    const [, service] = /^ {4}← services\/([\w-]+)\//.exec(line) ?? [];
    if (service) calling.set(method, (calling.get(method) ?? new Set()).add(service));
  }
  return calling;
}

test('every service that calls a method is among its declared callers', () => {
  const calling = callingServices();
  expect(calling.size).toBeGreaterThan(30);
  const missing = declaredServices.flatMap(({ name, rpc = [] }) =>
    rpc.flatMap(({ declared: methods = {} }) =>
      Object.entries(methods).flatMap(([id, { only = ['gateway'] }]) =>
        [...(calling.get(`${name}.${id}`) ?? [])]
          .filter((service) => !only.includes(service))
          .map((service) => `${name}.${id}: add ${service} to "only"`),
      ),
    ),
  );
  expect(missing).toEqual([]);
});
