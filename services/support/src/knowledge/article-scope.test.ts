import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { type Office, openSupport } from '../../test/fixture.ts';

const { office: openOffice } = await openSupport();
const path = '/api/support-ticket';
const forbidden = (noun: string) => ({
  status: 403,
  body: { code: 'forbidden', details: { noun, record_scope: 'all' } },
});
let office: Office;
let editor: Member;
beforeEach(async () => {
  office = await openOffice();
  const can = ['article', 'faq'].flatMap((noun) =>
    ['view', 'create', 'update', 'delete'].map((verb) => `${noun}.${verb}`),
  );
  editor = office.member({ can, record_scopes: { article: 'own', faq: 'own' } });
});

describe('an editor with own scope', () => {
  const article = { title: 'How to pay', body: 'By transfer.', status: 'published' };
  const faq = { question: 'How?', answer: 'By transfer.' };

  test('can read published articles of others, and change only their own', async () => {
    const { id } = (await office.owner.post(`${path}/knowledge/store`, article)).body.data;
    expect(await editor.get(`${path}/knowledge/show/${id}`)).toMatchObject({ status: 200 });
    const replies = [
      await editor.post(`${path}/knowledge/update/${id}`, { title: 'Mine' }),
      await editor.post(`${path}/knowledge/update/${id}`, { status: 'archived' }),
      await editor.post(`${path}/knowledge/restore/${id}`, { revision: 1 }),
      await editor.post(`${path}/knowledge/delete/${id}`),
    ];
    for (const reply of replies) expect(reply).toMatchObject(forbidden('article'));
    const own = (await editor.post(`${path}/knowledge/store`, article)).body.data;
    expect(await editor.post(`${path}/knowledge/update/${own.id}`, { title: 'Mine' })).toMatchObject({ status: 200 });
    const actionsOn = async (one: string) =>
      (await editor.get(`${path}/knowledge/show/${one}`)).body.data.allowed_actions;
    expect(await actionsOn(id)).toEqual(['vote']);
    expect(await actionsOn(own.id)).toEqual(['update', 'archive', 'vote']);
  });

  test('can read active questions of others, and change only their own', async () => {
    const { id } = (await office.owner.post(`${path}/faqs/store`, faq)).body.data;
    const replies = [
      await editor.post(`${path}/faq/update/${id}`, { question: 'Mine?' }),
      await editor.post(`${path}/faq/delete/${id}`),
    ];
    for (const reply of replies) expect(reply).toMatchObject(forbidden('faq'));
    const own = (await editor.post(`${path}/faqs/store`, { ...faq, question: 'Own?' })).body.data;
    expect(await editor.post(`${path}/faq/delete/${own.id}`)).toMatchObject({ status: 200 });
  });
});
