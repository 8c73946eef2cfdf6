/** Fake visitor that loads, fills in and submits a form on a page. */
import { randomUUID } from 'node:crypto';
import { type Reply, type ServiceUnderTest, freezeClock } from '@suite/testing';
import type { Shop } from './fixture.ts';

/** Page that shows the form. */
export const PAGE = 'https://www.example.com';

/** Settings of a form in English and German, with consent and seven fields. Only the name is required. */
export const formSettings = {
  name: 'Contact',
  allowed_origins: [PAGE, 'https://*.shop.example'],
  fields: [
    { name: 'name', type: 'text', label: 'Name', required: true },
    { name: 'email', type: 'email', label: 'E-mail' },
    { name: 'phone', type: 'tel', label: 'Phone' },
    { name: 'company', type: 'text', label: 'Company', max_length: 50 },
    { name: 'size', type: 'select', label: 'Size', options: ['small', 'large'] },
    { name: 'news', type: 'checkbox', label: 'Newsletter' },
    { name: 'message', type: 'textarea', label: 'Message' },
  ],
  texts: {
    en: { title: 'Write to us', submit: 'Send', thanks: 'Thank you!' },
    de: {
      title: 'Schreiben Sie uns',
      submit: 'Senden',
      thanks: 'Danke!',
      labels: { name: 'Ihr Name' },
      consent: 'Ich stimme zu.',
    },
  },
  consent: { text: 'You may write to me.', privacy_url: 'https://www.example.com/privacy' },
};

const START = Date.parse('2031-05-06T10:00:00Z');

/** Returns visitors of a workspace's forms, with a fixed clock. */
export function visitorsOf({ anonymous }: Pick<ServiceUnderTest, 'anonymous'>, shop: () => Shop) {
  let now = START;
  /** Advances the clock, which is otherwise fixed until the test ends. */
  const wait = (ms: number) => {
    now += ms;
    freezeClock(new Date(now).toISOString());
  };

  const widget = async (more: object = {}) => {
    const { status, body } = await shop().owner.post('/api/widget/create', { ...formSettings, ...more });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const load = async ({ token }: { token: string }, query = '') => {
    wait(0);
    return (await anonymous.get(`/api/widget/${token}${query}`)).body.data;
  };
  /** Builds the request body that a page sends for a loaded form. */
  const fillForm = (
    form: { token: string; form_token: string; version: number },
    fields: object,
    more: object = {},
  ) => ({
    token: form.token,
    form_token: form.form_token,
    submission_id: randomUUID(),
    fields,
    consent: { accepted: true, version: form.version },
    ...more,
  });
  const send = (body: object, { origin = PAGE, headers = {}, query = '' } = {}): Promise<Reply> =>
    anonymous.post(`/api/widget/lead${query}`, body, { headers: { origin, ...headers } });
  /** Loads a form, waits the minimum time, and submits it. */
  const submit = async (target: { token: string }, fields: object, more: object = {}) => {
    const form = await load(target);
    wait(5_000);
    return await send(fillForm(form, fields, more));
  };
  const leads = async (query = '') => (await shop().owner.get(`/api/leads?sort=created_at${query}`)).body.data;
  const counters = async ({ id }: { id: string }) =>
    (await shop().owner.get(`/api/widget/show/${id}`)).body.data.counters;
  return { wait, widget, load, filled: fillForm, send, submit, leads, counters };
}
