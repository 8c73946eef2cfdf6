import { expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { MODULES } from '@suite/platform/modules';
import { declaredServices } from '@suite/testing/declared';

const known = new Set<string>(MODULES);

test.each([...declaredServices])('a plan can enable each module of $name', (service) => {
  const unknown = [...operationsOf(service)].flatMap(([id, { module }]) =>
    module === undefined || known.has(module)
      ? []
      : [
          `${id}: add ${module} to services/platform/src/entitlements/plans/module.ts and to a plan, or every call is rejected`,
        ],
  );
  expect(unknown).toEqual([]);
});
