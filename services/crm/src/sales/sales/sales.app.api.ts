/** Sales screens of the app: options of forms and totals of the dashboard. */
import { Forbidden } from '@suite/chassis/faults';
import { can, ok, page } from '@suite/chassis/operations';
import type { StockedProduct } from '@suite/proto/inventory/v1/inventory';
import { choicePage } from '../references/choices.ts';
import { customerChoices } from '../references/customer.ts';
import { fetchChoices, salesChoices } from './sales-form.view.ts';
import { showSalesHome } from './sales-home.view.ts';
import { sales } from '../../operations.ts';
import { parentCandidates, viewOf } from '../meetings/parents.ts';
import {
  ParentChoice,
  ParentRequest,
  SalesChoices,
  SalesHome,
  SalesWarehouse,
  SalesWarehouseFilter,
  WarehouseProduct,
  WarehouseProductsRequest,
} from './sales-app.schema.ts';
import { activeWarehouses, listWarehouses, searchWarehouseProducts } from '../references/warehouses.ts';

export const requestData = sales.query('GET /api/sales/RequestData', {
  summary: 'Get the options of sales forms',
  description:
    'Returns the options of sales forms: users, customers, warehouses, open opportunities and accepted quotes. Includes only records that you may see.',
  access: can('quote.view'),
  reply: ok(SalesChoices),
  prepare: ({ rpc }) => fetchChoices(rpc),
  handle: ({ db, caller, prepared }) => salesChoices(db, caller, prepared),
});

export const home = sales.query('GET /api/sales/home', {
  summary: 'Get the sales dashboard',
  description:
    'Returns totals of opportunities, quotes, orders and meetings that you may see. Amounts include documents in base currency only.',
  access: can('quote.view'),
  reply: ok(SalesHome),
  handle: ({ db, caller }) => showSalesHome(db, caller),
});

export const warehouses = sales.query('GET /api/sales/warehouses', {
  summary: 'List warehouses for sales',
  description: 'Returns active warehouses from inventory. Use it to select the warehouse of an order.',
  access: can('sales_order.view'),
  query: SalesWarehouseFilter,
  reply: page(SalesWarehouse),
  prepare: ({ rpc }) => activeWarehouses(rpc),
  handle: ({ db, query, prepared }) => listWarehouses(db, query, prepared),
});

const warehouseProduct = ({ product, availability }: StockedProduct) => ({
  product_id: product!.product_id,
  name: product!.name,
  sku: product!.sku,
  type: product!.type,
  unit_name: product!.unit_name || null,
  sale_price: product!.sale_price,
  tax_ids: product!.taxes.map(({ tax_id }) => tax_id),
  on_hand: availability?.on_hand ?? '0',
  reserved: availability?.reserved ?? '0',
  available: availability?.available ?? '0',
});

export const warehouseProducts = sales.query('POST /api/sales/get-warehouse-products', {
  summary: 'List the products in a warehouse',
  description:
    'Returns the products of a warehouse with the current sale price and the available quantity, from inventory.',
  access: can('product.view'),
  body: WarehouseProductsRequest,
  reply: page(WarehouseProduct),
  prepare: ({ body, rpc }) => searchWarehouseProducts(rpc, body),
  handle: ({ body, prepared }) => choicePage(prepared.map(warehouseProduct), body),
});

export const parentRecords = sales.query('POST /api/sales/parent-records', {
  summary: 'List records that meetings can refer to',
  description:
    'Returns records of one type that a meeting can refer to, last changed first. Requires the permission to view that type. Customers are limited to 500.',
  access: can('meeting.view'),
  body: ParentRequest,
  reply: page(ParentChoice),
  async prepare({ body: { parent_type, q = '' }, caller, rpc }) {
    const permission = viewOf[parent_type];
    if (!caller.permissions.includes(permission)) throw Forbidden({ permission });
    return parent_type === 'customer' ? await customerChoices(rpc, q) : [];
  },
  async handle({ db, body, prepared }) {
    const { parent_type } = body;
    if (parent_type !== 'customer') return await parentCandidates(db, { ...body, parent_type });
    return choicePage(
      prepared.map(({ customer_id: id, name, company }) => ({ parent_type, id, name, detail: company || null })),
      body,
    );
  },
});
