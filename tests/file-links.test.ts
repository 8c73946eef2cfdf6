import { expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { declared } from '@suite/testing/declared';

/**
 * Links to no stored file of a record: avatars, whose addresses are random and which pages of other sites show; the script of a
 * widget; the leave calendar, whose link checks the rights of its creator itself.
 */
const PUBLIC = ['platform avatar', 'crm embed', 'hr byLink'];

const downloads = declared.flatMap((service) =>
  [...operationsOf(service)].flatMap(([id, { access, reply, params }]) =>
    access.kind === 'public' && reply.shape === 'stream' && params?.['token']
      ? [{ id: `${service.name} ${id.split('.').at(-1)}`, access }]
      : [],
  ),
);

test('each file link follows the rights of the user whom it was made for', () => {
  expect(downloads.length).toBeGreaterThan(8);
  expect(downloads.filter(({ access }) => !access.file).map(({ id }) => id)).toEqual(PUBLIC);
});
