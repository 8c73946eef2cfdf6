/** A workspace with a record of every kind, for tests that apply to all kinds. */
import { dataOf } from '@suite/testing/http';
import type { SharedSuite } from '@suite/testing/suite/started';
import { openWorkspace } from '@suite/testing/suite/workspace';
import type { ApiOperation } from './api-document.ts';
import { createOneOfEach, initialRecords } from './create-one-of-each.ts';
import type { RecordIds } from './draft.ts';
import { createTicketRecords, createProject, createStaff } from './factories.ts';
import { createForms } from './form-factories.ts';
import { createIntegrations } from './integration-factories.ts';
import { tradeOneProduct } from './trade.ts';

/** Opens a workspace with a record of every kind. @param word is part of all of its texts */
export async function createFilledWorkspace(suite: SharedSuite, operations: readonly ApiOperation[], word: string) {
  const workspace = await openWorkspace(suite, word);
  const [colleague, buyer] = [await workspace.hire('manager', word), await workspace.hire('client', word)];
  const stock: RecordIds = new Map([
    ...(await initialRecords(workspace.owner)),
    ...(await tradeOneProduct(workspace.owner, word)),
    ['user', [colleague.user.id]],
    ['client', [buyer.user.id]],
    ['role', [String(workspace.roles['staff'])]],
  ]);
  const missing = await createOneOfEach(workspace.owner, operations, { word, stock });
  if (missing.length > 0) throw new Error(`These records could not be created: ${JSON.stringify(missing)}`);
  for (const noun of ['lead', 'deal']) {
    const products = [{ product_id: stock.get('product')?.[0] }];
    await dataOf(workspace.owner.post(`/api/${noun}/assign-products/${stock.get(noun)?.[0]}`, { products }));
  }
  const place = { gateway: suite.gateway, owner: workspace.owner, stock, word };
  await createTicketRecords(place, String(stock.get('ticket')?.[0]));
  await createProject(place);
  await createStaff(place);
  await createIntegrations(place);
  await createForms(place);
  const lead = await workspace.owner.post('/api/lead/create', { name: word });
  stock.set('session', [(await workspace.owner.get('/api/sessions')).body.data[0].id]);
  const client = { name: word, email: `${word}@example.test` };
  await dataOf(workspace.owner.post(`/api/lead/convert-to-deal/${lead.body.data.id}`, { client }));
  return { workspace, stock, word };
}
