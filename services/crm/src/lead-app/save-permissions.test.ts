import { describe, expect, test } from '@jest/globals';
import { openCrm } from '../../test/fixture.ts';

const { shop: openShop } = await openCrm();

describe('saving a lead by its external ID', () => {
  test('requires only the permission for the change', async () => {
    const shop = await openShop();
    const maker = shop.member({ can: ['lead.view', 'lead.create'] });
    const updater = shop.member({ can: ['lead.view', 'lead.update'] });
    const save = (body: object, by = maker) => by.post('/api/lead/lead-create-update', body);
    const refused = (permission: string) => ({ status: 403, body: { code: 'forbidden', details: { permission } } });
    const external_id = crypto.randomUUID();
    expect(await save({ external_id, name: 'Ada' }, updater)).toMatchObject(refused('lead.create'));
    const made = await save({ external_id, name: 'Ada' });
    expect(made).toMatchObject({ status: 201 });
    expect(await save({ external_id, notes: 'x' })).toMatchObject(refused('lead.update'));
    expect(await save({ external_id, notes: 'x' }, updater)).toMatchObject({ status: 200 });
    expect(await save({ id: made.body.data.id, nonsense: 1 })).toMatchObject(refused('lead.update'));
  });
});
