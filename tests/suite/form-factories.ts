/** Records that visitors of other sites create: a submitted form, and the badge of a partner. */
import { randomUUID } from 'node:crypto';
import { dataOf } from '@suite/testing/http';
import { waitUntil } from '@suite/testing/waiting';
import type { FactoryContext } from './draft.ts';

const SITE = 'https://site.test';

/** Creates a submitted form, and a partner with a badge. */
export async function createForms({ gateway, owner, stock, word }: FactoryContext): Promise<void> {
  const settings = {
    name: word,
    allowed_origins: [SITE],
    fields: [{ name: 'name', type: 'text', label: word, required: true }],
    texts: { en: { title: word, submit: 'Send', thanks: word } },
    consent: { text: word },
  };
  const { id, token } = await dataOf(owner.post('/api/widget/create', settings));
  stock.set('widget', [...(stock.get('widget') ?? []), id]);
  stock.set('widget_token', [token]);
  const loaded = await fetch(`${gateway}/api/widget/${token}`);
  const { data: form } = (await loaded.json()) as { data: { form_token: string; version: number } };
  const body = JSON.stringify({
    token,
    form_token: form.form_token,
    submission_id: randomUUID(),
    fields: { name: word },
    consent: { accepted: true, version: form.version },
  });
  const headers = { 'content-type': 'application/json', origin: SITE };
  // The form rejects submissions that are faster than a person, so this waits.
  await waitUntil('the form is accepted', async () => {
    const { status } = await fetch(`${gateway}/api/widget/lead`, { method: 'POST', headers, body });
    return status === 201;
  });
  const partner = { name: word, tier: 'gold', since: '2024-05-01' };
  stock.set('badge_token', [(await dataOf(owner.post('/api/partner/create', partner))).token]);
}
