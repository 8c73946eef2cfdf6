import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';

const { office: openOffice, violations } = await openSupport();
let office: Office;
beforeEach(async () => {
  office = await openOffice();
});

const create = (body: object = {}) =>
  office.owner.post('/api/support-ticket/faqs/store', { question: 'Where?', answer: 'Here.', ...body });
const createFaq = async (body: object = {}) => (await create(body)).body.data;
const update = (id: string, body: object) => office.owner.post(`/api/support-ticket/faq/update/${id}`, body);
const inOrder = async (filter = '') =>
  (await office.owner.get(`/api/support-ticket/faqs?${filter}`)).body.data.map(
    ({ position, question }: { position: number; question: string }) => `${position} ${question}`,
  );
const categories = async (): Promise<string[]> =>
  (await office.owner.get('/api/support-ticket/categories')).body.data.map(({ id }: { id: string }) => id);

describe('an FAQ', () => {
  test('is added last or between others, and shows its answer as HTML', async () => {
    expect(await create({ question: 'A', answer: '**yes**' })).toMatchObject({
      status: 201,
      body: { data: { position: 0, active: true, category_id: null, answer_html: '<p><strong>yes</strong></p>' } },
    });
    await createFaq({ question: 'B' });
    expect(await createFaq({ question: 'C', position: 1 })).toMatchObject({ position: 1 });
    expect(await createFaq({ question: 'D', position: 99 })).toMatchObject({ position: 3 });
    expect(await inOrder()).toEqual(['0 A', '1 C', '2 B', '3 D']);
  });

  test('moves within its category or to another one, without leaving gaps', async () => {
    const [category] = await categories();
    const ids = [];
    for (const question of ['A', 'B', 'C']) ids.push((await createFaq({ question })).id);
    await createFaq({ question: 'X', category_id: category });
    await update(ids[2], { position: 0 });
    expect(await inOrder('category_id[null]=true')).toEqual(['0 C', '1 A', '2 B']);
    expect((await update(ids[0], { category_id: category })).body.data).toMatchObject({ position: 1 });
    expect((await update(ids[1], { category_id: category, position: 0 })).body.data).toMatchObject({ position: 0 });
    expect(await inOrder(`category_id=${category}`)).toEqual(['0 B', '1 X', '2 A']);
    expect(await inOrder('category_id[null]=true')).toEqual(['0 C']);
  });

  test('disappears after its deletion, and the FAQs behind it move up', async () => {
    const { id } = await createFaq({ question: 'A' });
    await createFaq({ question: 'B' });
    const remove = () => office.owner.post(`/api/support-ticket/faq/delete/${id}`);
    expect(await remove()).toMatchObject({ status: 200, body: { data: { id, deleted: true } } });
    expect(await inOrder()).toEqual(['0 B']);
    expect(await remove()).toMatchObject({ status: 404 });
  });

  test('is unique in its category, ignoring case', async () => {
    const [category] = await categories();
    const { id } = await createFaq();
    expect(await create({ question: 'WHERE?' })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    const other = await createFaq({ category_id: category });
    expect(await update(other.id, { category_id: null })).toMatchObject({ status: 409 });
    expect((await update(id, { question: 'where?' })).body.data).toMatchObject({ question: 'where?', version: 2 });
  });

  test('is changed with its current version only', async () => {
    const { id } = await createFaq();
    expect((await update(id, { answer: '# There', version: 1 })).body.data.answer_html).toBe('<h1>There</h1>');
    expect(await update(id, { answer: 'Nowhere', version: 1 })).toMatchObject({ status: 412 });
  });

  test('keeps a dense order during concurrent changes', async () => {
    const ids: string[] = [];
    for (const question of 'ABCDE') ids.push((await createFaq({ question })).id);
    const replies = await runConcurrently(50, (at) =>
      at % 5 === 4
        ? create({ question: `Q${at}`, position: at % 3 })
        : update(ids[at % 5] as string, { position: (at * 3) % 5 }),
    );
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200, 201]));
    const positions = (await office.owner.get('/api/support-ticket/faqs?per_page=100')).body.data.map(
      ({ position }: { position: number }) => position,
    );
    expect(positions).toEqual([...positions.keys()]);
    expect(await violations(office)).toEqual([]);
  });

  test('is visible to its editors only while inactive', async () => {
    await createFaq({ question: 'A', active: false });
    await createFaq({ question: 'B' });
    const readers = [
      office.member({ can: ['faq.view'] }),
      office.member({ can: ['faq.view'], kind: 'client' }),
      office.member({ can: ['faq.view'], kind: 'vendor' }),
    ];
    for (const reader of readers) {
      const { body } = await reader.get('/api/support-ticket/faqs');
      expect(body).toMatchObject({ data: [{ question: 'B' }], meta: { total: 1 } });
      expect((await reader.get('/api/support-ticket/faqs?active=false')).body.data).toEqual([]);
    }
    const editor = office.member({ can: ['faq.view', 'faq.update'] });
    expect((await editor.get('/api/support-ticket/faqs')).body.meta.total).toBe(2);
    expect(await office.member({ can: [] }).get('/api/support-ticket/faqs')).toMatchObject({ status: 403 });
  });

  test('is found by words of its question or answer', async () => {
    await createFaq({ question: 'How do I pay?', answer: 'By bank transfer.' });
    await createFaq({ question: 'Who are you?' });
    const { body } = await office.owner.get('/api/support-ticket/faqs?q=transf');
    expect(body.data).toMatchObject([{ question: 'How do I pay?' }]);
  });

  test.each([
    ['question', ''],
    ['question', 'x'.repeat(301)],
    ['answer', ' '],
    ['answer', 'x'.repeat(20_001)],
    ['category_id', crypto.randomUUID()],
    ['position', -1],
    ['position', 0.5],
    ['active', 'yes'],
    ['answer_html', '<b>'],
  ])('is rejected with %s = %j', async (field, value) => {
    const response = await create({ [field]: value });
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors ?? {})).toEqual([field]);
  });
});
