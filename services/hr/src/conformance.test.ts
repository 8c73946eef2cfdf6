import { randomUUID } from 'node:crypto';
import { conformance, seclusion } from '@suite/testing';
import { openHr } from '../test/fixture.ts';
import { hr } from './hr.ts';

const { serving, company } = await openHr();
const leader = randomUUID();

/** A workspace with a record of every kind that an operation shows, and somebody who leads others. */
const furnished = async (user_id: string): Promise<string> => {
  const acme = await company();
  const manager_id = await acme.employ({ name: 'Grace', user_id });
  const employee_id = await acme.employ({ name: 'Ada', user_id: randomUUID(), manager_id });
  const [calendar] = (await acme.owner.get('/api/holiday-calendars')).body.data;
  await acme.owner.post('/api/holiday/create', { calendar_id: calendar.id, name: 'New Year', from: '2026-01-01' });
  await acme.owner.post('/api/attendance-device/create', { name: 'Gate' });
  for (const one of [manager_id, employee_id])
    await acme.owner.post('/api/attendance/create', {
      employee_id: one,
      local_date: '2026-06-10',
      first_in: '2026-06-10T09:00:00+02:00',
      reason: 'Forgot the card',
    });
  return acme.workspace;
};

const [ours, theirs] = [await furnished(leader), await furnished(randomUUID())];

conformance({ contents: hr, serving, insider: { workspace: ours }, foreign_workspace: theirs });

seclusion({ contents: hr, serving, workspace: ours, mate: { user_id: leader } });
