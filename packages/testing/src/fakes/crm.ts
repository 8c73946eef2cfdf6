/** Fake of crm for finance: orders and proposals. Defaults to none. */
import { type ConvertedProposal, CrmServiceDefinition, type OrderProgress } from '@suite/proto/crm/v1/crm';
import { fakeServer } from './fake-server.ts';

/** Creates a fake of crm with the records that a test adds. */
export function fakeCrm() {
  const orders: OrderProgress[] = [];
  const proposals: ConvertedProposal[] = [];
  /** Returns the records of a page, sorted by ID. */
  const page = <Row>(rows: readonly Row[], idOf: (row: Row) => string, after: string, limit: number): Row[] =>
    rows
      .filter((row) => idOf(row) > after)
      .toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
      .slice(0, limit);
  const served = fakeServer(CrmServiceDefinition, {
    listOrderProgress: async ({ after, limit }) => ({
      orders: page(orders, ({ sales_order_id }) => sales_order_id, after, limit),
    }),
    listConvertedProposals: async ({ after, limit }) => ({
      proposals: page(proposals, ({ proposal_id }) => proposal_id, after, limit),
    }),
  });
  return { served, orders, proposals };
}
