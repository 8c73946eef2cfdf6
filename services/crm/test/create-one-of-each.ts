/** Factory for a workspace with a record in every table that a path of crm can reference. */
import { randomUUID } from 'node:crypto';
import type { Shop } from './fixture.ts';
import { salesSteps } from './sales.ts';
import { formSettings } from './visitor.ts';

/**
 * Creates a lead and a deal, each with a label, a source, a task, a call and a file. Also creates a quote, an order and
 * a proposal of 100.00, an opportunity, a meeting of an hour and a form. Returns the workspace.
 */
export async function createOneOfEach(shop: Shop): Promise<string> {
  const { owner, workspace, pipeline } = shop;
  const make = async (path: string, body: object) => (await owner.post(path, body)).body.data.id as string;
  const name = randomUUID();
  const label_ids = [await make('/api/label/create', { name, pipeline_id: pipeline.id })];
  const source_ids = [await make('/api/source/create', { name })];
  for (const kind of ['lead', 'deal']) {
    const id = await make(`/api/${kind}/create`, { name: 'Ada', label_ids, source_ids });
    const subject = { [`${kind}_id`]: id };
    await make(`/api/${kind}-task/create`, { ...subject, name: 'Call', date: '2027-01-01', time: '09:00' });
    const at = '2026-01-01T10:00:00Z';
    await make(`/api/${kind}-call/store`, { ...subject, subject: 'Hello', type: 'inbound', at, duration_seconds: 1 });
    const form = new FormData();
    form.set('file', new Blob(['An offer.']), 'offer.txt');
    await owner.upload(`/api/${kind}-file/store/${id}`, form);
  }
  const sales = salesSteps(shop);
  await Promise.all([sales.quote(), sales.order(), sales.proposal()]);
  const parent_id = await make('/api/sales/opportunitity/store', { name: 'Engines' });
  const hour = { start: '2027-01-01T10:00:00Z', end: '2027-01-01T11:00:00Z' };
  await make('/api/sales/meeting/store', { name: 'Demo', parent_type: 'opportunity', parent_id, ...hour });
  await make('/api/widget/create', formSettings);
  return workspace;
}
