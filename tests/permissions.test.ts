import { expect, test } from '@jest/globals';
import { operationsOf, everyPermissionOf } from '@suite/chassis/declarations';
import { PERMISSIONS } from '@suite/platform/permissions';
import { declaredServices } from '@suite/testing/declared';

const known = new Set<string>(PERMISSIONS);

test.each([...declaredServices])('platform knows each permission that $name requires', (service) => {
  const unknown = [...operationsOf(service)].flatMap(([id, operation]) =>
    everyPermissionOf(operation)
      .filter((permission) => !known.has(permission))
      .map(
        (permission) =>
          `${id}: add ${permission} to services/platform/src/identity/roles/permission.ts, or every call is rejected`,
      ),
  );
  expect(unknown).toEqual([]);
});
