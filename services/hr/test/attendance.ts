/** Fixture of the attendance tests: a workspace with Ada, whose days are entered, corrected and listed. */
import { type Member, setUpFixture } from '@suite/testing';
import { openHr } from './fixture.ts';

/** Clock-in at 9:00 and clock-out at 17:30 in Berlin, on 10 June 2026. */
export const day = { first_in: '2026-06-10T09:00:00+02:00', last_out: '2026-06-10T17:30:00+02:00' };

export async function openAttendance() {
  const hr = await openHr();
  const acme = setUpFixture(() => hr.company());
  const ada = setUpFixture(async () => {
    const user = acme.member({ can: [], name: 'Ada' });
    return { user, id: await acme.employ({ user_id: user.caller.user_id }) };
  });
  return {
    ...hr,
    acme,
    ada,
    /** Enters a day, by default 10 June for Ada. */
    enter: (body: object, by: Member = acme.owner, query = '') =>
      by.post(`/api/attendance/create${query}`, {
        employee_id: ada.id,
        local_date: '2026-06-10',
        reason: 'Forgot the card',
        ...body,
      }),
    list: async (query = '', by: Member = acme.owner) => (await by.get(`/api/attendances?${query}`)).body.data,
  };
}
