/** Shapes of the data that sales forms and the sales dashboard read in one request. */
import { Day, Id, foreignId, input, ShortText, MoneyOut, QtyOut, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { pageRequest } from '../../pipeline/stages/page-request.schema.ts';
import { SourceSummary } from '../../pipeline/sources/source.schema.ts';
import { UserChoice } from '../../pipeline/users/user.schema.ts';
import { ParentType } from '../meetings/meeting.schema.ts';
import { OpportunityStage } from '../opportunities/opportunity.schema.ts';

const CustomerChoice = z
  .object({ id: Id, name: z.string(), company: z.string(), email: z.string(), currency: z.string() })
  .meta({ id: 'SalesCustomerChoice' });

/** Warehouse in inventory that can be selected for an order. */
export const WarehouseChoice = z
  .object({ id: Id, name: z.string(), code: z.string(), is_default: z.boolean() })
  .meta({ id: 'SalesWarehouse' });

/** Warehouse in the list of selectable warehouses. */
export const SalesWarehouse = WarehouseChoice.extend({ updated_at: Timestamp }).meta({ id: 'SalesWarehouseRow' });

export const SalesWarehouseFilter = list(SalesWarehouse, {
  filter: ['name', 'code', 'is_default'],
  sort: ['is_default', 'name', 'code', 'updated_at'],
  order: '-is_default,name',
  search: true,
});

const DocumentSummary = z
  .object({ id: Id, name: z.string(), customer_id: Id.nullable() })
  .meta({ id: 'SalesDocumentChoice' });

/** Choices of the sales forms. */
export const SalesChoices = z
  .object({
    opportunity_stages: z.array(OpportunityStage),
    parent_types: z.array(ParentType),
    users: z.array(UserChoice),
    sources: z.array(SourceSummary),
    customers: z.array(CustomerChoice).describe('The 500 customers changed last. `/api/customers` lists all.'),
    warehouses: z.array(WarehouseChoice),
    opportunities: z.array(DocumentSummary).describe('Open records visible to the caller.'),
    quotes: z.array(DocumentSummary).describe('Accepted quotes without a sales order.'),
    currency: z.string(),
    timezone: z.string(),
  })
  .meta({ id: 'SalesChoices' });

export const ParentRequest = input({
  parent_type: ParentType,
  q: ShortText(200).optional().describe('Part of the name.'),
  ...pageRequest(20),
});

/** Record that a meeting can be about. */
export const ParentChoice = z
  .object({ parent_type: ParentType, id: Id, name: z.string(), detail: z.string().nullable() })
  .meta({ id: 'MeetingParent' });

export const WarehouseProductsRequest = input({
  warehouse_id: foreignId('inventory.warehouse'),
  q: ShortText(200).optional().describe('Part of the name or number.'),
  product_ids: z
    .array(foreignId('inventory.product'))
    .min(1)
    .max(100)
    .optional()
    .describe('IDs of the products to return. Defaults to all products in the warehouse, at most 500.'),
  ...pageRequest(100),
});

/** Product with its stock in a warehouse. */
export const WarehouseProduct = z
  .object({
    product_id: Id,
    name: z.string(),
    sku: z.string(),
    type: z.string(),
    unit_name: z.string().nullable(),
    sale_price: MoneyOut,
    tax_ids: z.array(Id),
    on_hand: QtyOut,
    reserved: QtyOut,
    available: QtyOut.describe('Quantity available to reserve.'),
  })
  .meta({ id: 'SalesWarehouseProduct' });

const figure = z.int();
const sums = { count: figure, total: MoneyOut };

/** Metrics of the sales dashboard. */
export const SalesHome = z
  .object({
    today: Day,
    currency: z
      .string()
      .describe('Currency of the amounts: the base currency. Documents in other currencies are not included.'),
    opportunities: z
      .object({
        open: figure,
        amount: MoneyOut,
        weighted_amount: MoneyOut,
        won_this_month: figure,
        lost_this_month: figure,
      })
      .nullable(),
    quotes: z.object({ draft: figure, open: z.object(sums), accepted: z.object(sums), expiring: figure }).nullable(),
    sales_orders: z
      .object({ draft: figure, open: z.object(sums), to_invoice: figure, overdue: figure, this_month: z.object(sums) })
      .nullable(),
    meetings: z.object({ today: figure, planned: figure }).nullable(),
  })
  .describe('Each part is `null` without the permission to view it.')
  .meta({ id: 'SalesHome' });
