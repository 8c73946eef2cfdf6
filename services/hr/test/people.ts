/**
 * Fixture for employee tests: a workspace on 15 June 2026, with calls to create, update and show an employee. By
 * default the employee is Ada Lovelace, who has worked full time since 1 January 2026.
 */
import { type Member, setUpFixture, freezeClock } from '@suite/testing';
import { openHr } from './fixture.ts';

export async function openPeople() {
  const hr = await openHr();
  const acme = setUpFixture(async () => {
    freezeClock('2026-06-15T10:00:00Z');
    return await hr.company();
  });
  /** Branch, department and designation of all test employees. */
  const terms = setUpFixture(async () => {
    const [designation] = (await acme.owner.get('/api/designations')).body.data;
    const department = (await acme.owner.get('/api/departments')).body.data.find(
      ({ id }: { id: string }) => id === designation.department_id,
    );
    return { designation_id: designation.id, department_id: department.id, branch_id: department.branch_id };
  });
  const ada = () => ({ name: 'Ada Lovelace', joining_date: '2026-01-01', employment_type: 'full', ...terms });
  const create = (body: object, by: Member = acme.owner) => by.post('/api/employee/create', { ...ada(), ...body });
  return {
    ...hr,
    acme,
    terms,
    ada,
    create,
    employed: async (body: object = {}) => (await create(body)).body.data,
    update: (id: string, body: object, by: Member = acme.owner) => by.post(`/api/employee/update/${id}`, body),
    show: async (id: string, query = '', by: Member = acme.owner) =>
      (await by.get(`/api/employee/show/${id}${query}`)).body.data,
  };
}
