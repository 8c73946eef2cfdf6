import { expect, test } from '@jest/globals';
import { Fault, invalid, NotFound, refusedUnder } from './fault.ts';

test('a refusal by another service names the fields as the caller has named them, and keeps the rest', () => {
  const errors = { email: ['It belongs to somebody else.'], name: ['Too long.'] };
  const refused = new Fault(409, 'taken', 'This is taken.', { errors, details: { user_id: '1' }, retryable: true });
  expect(refusedUnder('client', refused)).toMatchObject({
    status: 409,
    code: 'taken',
    message: 'This is taken.',
    errors: { 'client.email': errors.email, 'client.name': errors.name },
    details: { user_id: '1' },
    retryable: true,
  });
  expect(refusedUnder('user.create', invalid('email', 'Wrong.'))).toMatchObject({
    errors: { 'user.create.email': ['Wrong.'] },
    details: undefined,
  });
});

test('an error that names no field stays as it is', () => {
  for (const error of [NotFound(), new Error('A bug.'), 'gone']) expect(refusedUnder('client', error)).toBe(error);
});
