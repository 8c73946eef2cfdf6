import { expect, test } from '@jest/globals';
import { nextMorning } from './morning.rules.ts';

test.each([
  ['a day of summer time', '2026-07-01T04:59:59Z', 'Europe/Berlin', '2026-07-01T05:00:00Z'],
  ['the very morning', '2026-07-01T05:00:00Z', 'Europe/Berlin', '2026-07-02T05:00:00Z'],
  ['the day on which summer time begins', '2026-03-28T06:00:00Z', 'Europe/Berlin', '2026-03-29T05:00:00Z'],
  ['the night in which it begins', '2026-03-29T00:59:00Z', 'Europe/Berlin', '2026-03-29T05:00:00Z'],
  ['the day on which it ends', '2026-10-24T05:00:00Z', 'Europe/Berlin', '2026-10-25T06:00:00Z'],
  ['a zone that is a day ahead', '2026-12-31T17:00:00Z', 'Pacific/Kiritimati', '2027-01-01T17:00:00Z'],
  ['a zone with a quarter of an hour', '2026-05-05T00:00:00Z', 'Asia/Kathmandu', '2026-05-05T01:15:00Z'],
  ['a zone far behind', '2026-05-05T16:59:00Z', 'Pacific/Honolulu', '2026-05-05T17:00:00Z'],
  ['the day before one that its zone left out', '2011-12-29T18:00:00Z', 'Pacific/Apia', '2011-12-30T17:00:00Z'],
  ['no offset', '2026-05-05T07:00:00Z', 'UTC', '2026-05-06T07:00:00Z'],
])('the morning after %s is at 07:00 local time', (_, after, zone, expected) => {
  expect(nextMorning(new Date(after), zone)).toEqual(new Date(expected));
});
