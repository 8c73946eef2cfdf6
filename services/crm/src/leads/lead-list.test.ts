import { beforeAll, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
let robin: string;

beforeAll(async () => {
  shop = await openShop();
  robin = shop.hire({ name: 'Robin' });
  const lost = { stage_id: shop.leadStages['lost'], lost_reason: 'Too dear' };
  const leads = [
    {
      name: 'Ada',
      company: 'Engines',
      email: 'ada@engines.example',
      expected_value: '100',
      next_follow_up: '2027-01-01',
    },
    { name: 'Blaise', company: 'Wheels', expected_value: '50.5', ...lost },
    { name: 'Charles', company: 'Engines', owner_id: robin, user_ids: [robin], next_follow_up: '2027-03-01' },
    { name: 'Dorothy', score: 80, stage_id: shop.leadStages['contacted'] },
  ];
  for (const lead of leads) await shop.owner.post('/api/lead/create', lead);
  const other = await openShop();
  await other.owner.post('/api/lead/create', { name: 'Ada of another workspace' });
});

const names = async (query = '') =>
  (await shop.owner.get(`/api/leads?${query}`)).body.data.map(({ name }: { name: string }) => name);

describe('the list of leads', () => {
  test('shows the newest first', async () => {
    expect(await names()).toEqual(['Dorothy', 'Charles', 'Blaise', 'Ada']);
  });

  test.each([
    ['status=lost', ['Blaise']],
    ['status[ne]=lost&sort=name', ['Ada', 'Charles', 'Dorothy']],
    ['company=Engines&sort=-name', ['Charles', 'Ada']],
    ['expected_value[gte]=50.5&expected_value[lt]=100', ['Blaise']],
    ['expected_value[null]=true&sort=name', ['Charles', 'Dorothy']],
    ['sort=-expected_value', ['Ada', 'Blaise', 'Dorothy', 'Charles']],
    ['sort=next_follow_up', ['Ada', 'Charles', 'Blaise', 'Dorothy']],
    ['next_follow_up[lte]=2027-02-28', ['Ada']],
    ['score[gt]=79', ['Dorothy']],
    ['name[like]=ch', ['Charles']],
    ['q=engines', ['Charles', 'Ada']],
    ['q=ada@engines.example', ['Ada']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('filters by owner and stage', async () => {
    expect(await names(`owner_id=${robin}`)).toEqual(['Charles']);
    expect(await names(`stage_id[in]=${shop.leadStages['contacted']},${shop.leadStages['lost']}&sort=name`)).toEqual([
      'Blaise',
      'Dorothy',
    ]);
  });

  test('expands only the requested relations', async () => {
    const [row] = (await shop.owner.get('/api/leads?name=Charles&expand=owner,stage,users,labels')).body.data;
    expect(row).toMatchObject({
      owner: { id: robin, name: 'Robin', kind: 'staff' },
      stage: { name: 'New', type: 'open' },
      users: [{ id: robin, name: 'Robin' }],
      labels: [],
    });
    expect(row).not.toHaveProperty('sources');
    expect(row).not.toHaveProperty('rank');
  });

  test('returns every lead once when paginated by cursor', async () => {
    const walked: string[] = [];
    let query = 'sort=-expected_value&per_page=1';
    while (query) {
      const { data, meta } = (await shop.owner.get(`/api/leads?${query}`)).body;
      walked.push(...data.map(({ name }: { name: string }) => name));
      query = meta.next_cursor && `sort=-expected_value&per_page=1&cursor=${meta.next_cursor}`;
    }
    expect(walked).toEqual(['Ada', 'Blaise', 'Dorothy', 'Charles']);
  });

  test.each([
    'rank=1',
    'search=x',
    'workspace_id=1',
    'sort=rank',
    'expand=tasks',
    'fields=consent,rank',
    'status[gte]=a',
    'expected_value=ten',
  ])('rejects %s', async (query) => {
    expect(await shop.owner.get(`/api/leads?${query}`)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
  });

  test('runs at most three statements and one per expansion, regardless of length', async () => {
    const cost = async (query: string) => {
      const before = serving.database.statements;
      await shop.owner.get(`/api/leads?${query}`);
      return serving.database.statements - before;
    };
    for (const per_page of [1, 100]) {
      expect(await cost(`per_page=${per_page}&status=open&q=e`)).toBeLessThanOrEqual(3);
      expect(await cost(`per_page=${per_page}&expand=owner,pipeline,stage,labels,sources,users`)).toBeLessThanOrEqual(
        3 + 6,
      );
    }
  });
});
