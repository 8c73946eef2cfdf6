/** Steps shared by the tests of orders and proposals. */
import type { Member, Reply } from '@suite/testing';
import type { Shop } from './fixture.ts';

/**
 * Returns functions that create sales documents in a workspace and change their status, as the owner by default. A
 * document has one line, advice at 100.00 without tax. Quotes and proposals are valid until 31 January 2099.
 */
export function salesSteps(shop: Shop) {
  const customer_id = shop.customer();
  const text = { description: 'Advice', qty: '1', unit_price: '100.00' };
  const made = async (path: string, body: object) => (await shop.owner.post(path, body)).body.data;
  return {
    customer_id,
    text,
    storeOrder: (body: object = {}): Promise<Reply> =>
      shop.owner.post('/api/sales/sales-order/store', { customer_id, lines: [text], ...body }),
    order: (body: object = {}) => made('/api/sales/sales-order/store', { customer_id, lines: [text], ...body }),
    quote: (body: object = {}) =>
      made('/api/sales/quotes/store', { customer_id, expiry_date: '2099-01-31', lines: [text], ...body }),
    proposal: (body: object = {}) =>
      made('/api/sales-proposal/create', { customer_id, valid_until: '2099-01-31', lines: [text], ...body }),
    updateOrder: (id: string, body: object, by: Member = shop.owner) =>
      by.post(`/api/sales/sales-order/update/${id}`, body),
    showOrder: async (id: string) => (await shop.owner.get(`/api/sales/sales-orders/${id}`)).body.data,
    updateQuote: (id: string, body: object, by: Member = shop.owner) => by.post(`/api/sales/quotes/update/${id}`, body),
    showQuote: async (id: string) => (await shop.owner.get(`/api/sales/quotes/${id}`)).body.data,
    propose: (id: string, verb: string, body: object = {}, by: Member = shop.owner) =>
      by.post(`/api/sales-proposal/${verb}/${id}`, body),
    showProposal: async (id: string) => (await shop.owner.get(`/api/sales-proposal/show/${id}`)).body.data,
  };
}
