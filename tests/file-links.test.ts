import { expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

/**
 * Links to files that are not a record's stored files. Avatars have random addresses, and other sites show them. A
 * widget has a script. The leave calendar link checks the permissions of its creator itself.
 */
const PUBLIC = ['platform avatar', 'crm embed', 'hr byLink'];

const downloads = declaredServices.flatMap((service) =>
  [...operationsOf(service)].flatMap(([id, { access, reply, params }]) =>
    access.kind === 'public' && reply.shape === 'stream' && params?.['token']
      ? [{ id: `${service.name} ${id.split('.').at(-1)}`, access }]
      : [],
  ),
);

test('each file link follows the permissions of the user who created it', () => {
  expect(downloads.length).toBeGreaterThan(8);
  expect(downloads.filter(({ access }) => !access.file).map(({ id }) => id)).toEqual(PUBLIC);
});
