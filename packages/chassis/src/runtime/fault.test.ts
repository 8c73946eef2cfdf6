import { expect, test } from '@jest/globals';
import { Fault, invalid, NotFound, faultUnder } from './fault.ts';

test("uses the caller's field names for a fault of another service", () => {
  const errors = { email: ['This address belongs to another user.'], name: ['Too long.'] };
  const refused = new Fault(409, 'taken', 'This is taken.', { errors, details: { user_id: '1' }, retryable: true });
  expect(faultUnder('client', refused)).toMatchObject({
    status: 409,
    code: 'taken',
    message: 'This is taken.',
    errors: { 'client.email': errors.email, 'client.name': errors.name },
    details: { user_id: '1' },
    retryable: true,
  });
  expect(faultUnder('user.create', invalid('email', 'Wrong.'))).toMatchObject({
    errors: { 'user.create.email': ['Wrong.'] },
    details: undefined,
  });
});

test('returns an error without fields unchanged', () => {
  for (const error of [NotFound(), new Error('A bug.'), 'gone']) expect(faultUnder('client', error)).toBe(error);
});
