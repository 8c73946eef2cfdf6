import { expect, test } from '@jest/globals';
import { subjectOf, parseEvent } from './event.rules.ts';

test.each([
  { object: { id: 7, subscription: {}, parent: 'none' } },
  { object: { subscription: '', parent: { subscription_details: [] } } },
  { object: 'none' },
  [],
  null,
])('an event of unknown type concerns no object, regardless of its data: %j', (data) => {
  const event = { id: 'evt_1', type: 'v9.thing.made', created: 1, account: null, livemode: null, data };
  const read = parseEvent(Buffer.from(JSON.stringify(event)));
  expect(read).toMatchObject({ id: 'evt_1', object_ref: null, subscription_ref: null, account_ref: null });
  expect(subjectOf(read)).toBeUndefined();
});
