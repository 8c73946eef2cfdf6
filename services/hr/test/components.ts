/** Steps that tests of components of salaries repeat. */
import { type Member, scene, stillClock } from '@suite/testing';
import { openHr } from './fixture.ts';

/** A component without a rule of its own. */
export const allowance = { code: 'allowance', name: 'Allowance', kind: 'earning', calc: 'fixed', amount: '300.00' };

/** The body of a component that is computed by a formula. */
export const formula = (code: string, text: string, more: object = {}) => ({
  code,
  name: code,
  kind: 'earning',
  calc: 'formula',
  amount: undefined,
  formula: text,
  ...more,
});

/** For each test a company in June 2026, and the calls about its components. */
export async function openComponents() {
  const { company } = await openHr();
  const acme = scene(async () => {
    stillClock('2026-06-15T10:00:00Z');
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
