/** Steps shared by tests of salary components. */
import { type Member, setUpFixture, freezeClock } from '@suite/testing';
import { openHr } from './fixture.ts';

/** Earning of 300.00 with the default rules. */
export const allowance = { code: 'allowance', name: 'Allowance', kind: 'earning', calc: 'fixed', amount: '300.00' };

/** Returns the body of a component with a formula. */
export const formula = (code: string, text: string, more: object = {}) => ({
  code,
  name: code,
  kind: 'earning',
  calc: 'formula',
  amount: undefined,
  formula: text,
  ...more,
});

/** Creates a workspace in June 2026 for each test, with requests for its components. */
export async function openComponents() {
  const { company } = await openHr();
  const acme = setUpFixture(async () => {
    freezeClock('2026-06-15T10:00:00Z');
    return await company();
  });
  const create = (body: object, by: Member = acme.owner) =>
    by.post('/api/salary-component/create', { ...allowance, ...body });
  return {
    company,
    acme,
    create,
    made: async (body: object = {}) => (await create(body)).body.data,
    update: (id: string, body: object) => acme.owner.post(`/api/salary-component/update/${id}`, body),
    remove: (id: string) => acme.owner.delete(`/api/salary-component/delete/${id}`),
    list: async (query = '') => (await acme.owner.get(`/api/salary-components${query}`)).body.data,
  };
}
