import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, freezeClock, runConcurrently } from '@suite/testing';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';
import type { Db } from '../../operations.ts';
import { findOpen, settleOpenReservations, settleReservations } from './reservation-settlement.ts';

const { serving, others, inventory, shop: openShop, violations: violationsIn } = await openCrm({ replicas: 2 });
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
  inventory.trouble.length = 0;
});

const { log, config } = serving.tools;
const fixture = { log, database: serving.database as Database<Db> };
const rpc = connectRpc(
  { inventory: { definition: InventoryServiceDefinition, address: config.addresses['inventory']! } },
  keysOf('crm'),
);
afterAll(() => rpc.close());
const settle = async () => settleReservations(fixture, (caller) => rpc.as(caller, ''), await findOpen(fixture));
const states = (id: string) =>
  serving.sql`SELECT attempt, state FROM order_reservations WHERE sales_order_id = ${id} ORDER BY attempt`;
const events = (id: string) =>
  serving.sql`SELECT type FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
const callsFor = (id: string, verb: string) => inventory.calls.filter((call) => call.startsWith(`${verb} ${id}`));
const reservationsOf = (id: string) => [...inventory.shelf.reservations.values()].filter(({ source }) => source === id);
const violations = () => violationsIn(shop);

/** Creates an order for a product with ten units on hand; three are ordered by default. */
async function createOrder(qty = '3') {
  const product_id = shop.stock.product();
  inventory.shelf.put(product_id, 10);
  const { id } = await sales.order({ order_date: '2026-06-01', lines: [{ product_id, qty }, sales.text] });
  return { id, product_id };
}
const confirm = (id: string, by = shop.owner) => sales.updateOrder(id, { status: 'confirmed' }, by);

describe('confirming an order', () => {
  test('reserves its goods in inventory under a unique key, and assigns a number', async () => {
    const { id, product_id } = await createOrder();
    expect(await confirm(id)).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'confirmed',
          number: 'SO-2026-00001',
          invoice_status: 'to_invoice',
          pending_effects: [],
          lines: [{ product_id, reserved_qty: '3' }, { reserved_qty: '0' }],
          allowed_actions: ['hold', 'cancel', 'close', 'invoice', 'update'],
        },
      },
    });
    expect(callsFor(id, 'reserve')).toEqual([`reserve ${id}:1`]);
    expect(inventory.shelf.free(product_id)).toBe(7);
    expect(await events(id)).toEqual([{ type: 'crm.sales_order.confirmed' }]);
    expect(await violations()).toEqual([]);
  });

  test('makes one reservation from fifty concurrent requests to two replicas', async () => {
    const { id, product_id } = await createOrder();
    const rights = { ...shop.owner.caller, workspace: shop.workspace, can: shop.owner.caller.permissions };
    const door = others[0]!.member(rights);
    const replies = await runConcurrently(50, (at) => confirm(id, at % 2 ? door : shop.owner));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.data.number)).size).toBe(1);
    expect([reservationsOf(id).length, inventory.shelf.free(product_id)]).toEqual([1, 7]);
    expect(await states(id)).toEqual([{ attempt: 1, state: 'reserved' }]);
    expect(await events(id)).toHaveLength(1);
    expect(await violations()).toEqual([]);
  });

  test('is rejected if stock is insufficient, changes nothing and can be retried', async () => {
    const { id, product_id } = await createOrder('11');
    expect(await confirm(id)).toMatchObject({
      status: 409,
      body: { code: 'insufficient_stock', details: { lines: [{ available: '10' }] } },
    });
    expect(await sales.showOrder(id)).toMatchObject({ status: 'draft', number: null, pending_effects: [] });
    inventory.shelf.put(product_id, 12);
    expect(await confirm(id)).toMatchObject({ status: 200, body: { data: { number: 'SO-2026-00001' } } });
    expect(await states(id)).toEqual([
      { attempt: 1, state: 'released' },
      { attempt: 2, state: 'reserved' },
    ]);
    expect(await violations()).toEqual([]);
  });

  test('is rejected for all concurrent requests if stock is insufficient, without effect', async () => {
    const { id, product_id } = await createOrder('11');
    const replies = await runConcurrently(20, () => confirm(id));
    const codes = new Set(replies.map(({ status, body }) => `${status} ${body.code}`));
    expect(codes.isSubsetOf(new Set(['409 insufficient_stock', '409 reservation_pending']))).toBe(true);
    await settle();
    expect([reservationsOf(id), inventory.shelf.free(product_id)]).toEqual([[], 10]);
    inventory.shelf.put(product_id, 11);
    expect(await confirm(id)).toMatchObject({ status: 200 });
    expect([reservationsOf(id).length, inventory.shelf.free(product_id)]).toEqual([1, 0]);
    expect(await violations()).toEqual([]);
  });

  test('shows the pending step after a lost response, and continues under the same key', async () => {
    const { id, product_id } = await createOrder();
    inventory.trouble.push('lost');
    expect(await confirm(id)).toMatchObject({ status: 503 });
    expect(await sales.showOrder(id)).toMatchObject({ status: 'draft', pending_effects: ['reserve_stock'] });
    expect(await sales.updateOrder(id, { notes: 'Quick' })).toMatchObject({ body: { code: 'reservation_pending' } });
    expect(await shop.owner.delete(`/api/sales/sales-order/delete/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'reservation_pending' },
    });
    expect(await confirm(id)).toMatchObject({ status: 200, body: { data: { pending_effects: [] } } });
    expect([reservationsOf(id).length, inventory.shelf.free(product_id)]).toEqual([1, 7]);
  });

  test('is undone after a while if never retried, and can be started again', async () => {
    const clock = freezeClock('2026-06-01T10:00:00Z');
    const { id, product_id } = await createOrder();
    inventory.trouble.push('lost');
    await confirm(id);
    clock.goTo('2026-06-01T10:00:10Z');
    await settle();
    expect(await states(id)).toEqual([{ attempt: 1, state: 'requested' }]);
    clock.goTo('2026-06-01T10:00:20Z');
    inventory.trouble.push('down');
    await settle();
    expect(await sales.showOrder(id)).toMatchObject({ pending_effects: ['release_stock'] });
    expect(await confirm(id)).toMatchObject({ status: 409, body: { code: 'reservation_pending' } });
    await settle();
    expect([reservationsOf(id), inventory.shelf.free(product_id)]).toEqual([[], 10]);
    expect(await confirm(id)).toMatchObject({ status: 200 });
    expect(await states(id)).toEqual([
      { attempt: 1, state: 'released' },
      { attempt: 2, state: 'reserved' },
    ]);
    expect(await violations()).toEqual([]);
  });

  test('sends no request if there is nothing to reserve', async () => {
    const { id } = await sales.order();
    expect(await confirm(id)).toMatchObject({ status: 200 });
    expect([callsFor(id, 'reserve'), await states(id)]).toEqual([[], []]);
  });

  test('sends no request for a stale version', async () => {
    const { id } = await createOrder();
    await sales.updateOrder(id, { notes: 'Changed' });
    expect(await sales.updateOrder(id, { status: 'confirmed', version: 1 })).toMatchObject({ status: 412 });
    expect(callsFor(id, 'reserve')).toEqual([]);
  });
});

describe('the goods of an order', () => {
  test('are released after a cancellation, by an event and by the schedule', async () => {
    const { id, product_id } = await createOrder();
    await confirm(id);
    expect(await sales.updateOrder(id, { status: 'cancelled' })).toMatchObject({
      status: 200,
      body: { data: { status: 'cancelled', invoice_status: 'nothing', pending_effects: ['release_stock'] } },
    });
    expect(await sales.updateOrder(id, { status: 'cancelled' })).toMatchObject({ status: 200 });
    expect(await events(id)).toEqual([{ type: 'crm.sales_order.confirmed' }, { type: 'crm.sales_order.cancelled' }]);
    await settle();
    expect([reservationsOf(id), inventory.shelf.free(product_id)]).toEqual([[], 10]);
    expect(callsFor(id, 'release')).toEqual([`release ${id}:1`]);
    expect(await sales.showOrder(id)).toMatchObject({ pending_effects: [], lines: [{ reserved_qty: '0' }, {}] });
    expect(await violations()).toEqual([]);
  });

  test('are released by a process that knows the order only from its table', async () => {
    const { id } = await createOrder();
    await confirm(id);
    await sales.updateOrder(id, { status: 'cancelled' });
    // Keys of this test's processes, in the directory that a service reads.
    mkdirSync(join(config.KEYS_DIR, 'trusted'), { recursive: true });
    writeFileSync(
      join(config.KEYS_DIR, 'private.pem'),
      keysOf('crm').private_key.export({ type: 'pkcs8', format: 'pem' }),
    );
    await settleOpenReservations.work(serving.tools as never);
    expect([reservationsOf(id), await states(id)]).toEqual([[], [{ attempt: 1, state: 'released' }]]);
  });

  test('are released when it is closed, and stay reserved while it is on hold', async () => {
    const { id } = await createOrder();
    await confirm(id);
    expect((await sales.updateOrder(id, { status: 'on_hold' })).body.data).toMatchObject({
      status: 'on_hold',
      allowed_actions: ['resume', 'update'],
    });
    expect(await sales.updateOrder(id, { status: 'cancelled' })).toMatchObject({
      body: { code: 'invalid_transition' },
    });
    expect(reservationsOf(id)).toHaveLength(1);
    await confirm(id);
    await sales.updateOrder(id, { status: 'closed' });
    await settle();
    expect(reservationsOf(id)).toEqual([]);
  });

  test('are either reserved or released if it is confirmed and cancelled concurrently', async () => {
    const { id } = await createOrder();
    const both = await runConcurrently(2, (at) => sales.updateOrder(id, { status: at ? 'cancelled' : 'confirmed' }));
    expect(both.every(({ status }) => status === 200 || status === 409)).toBe(true);
    await settle();
    const { status } = await sales.showOrder(id);
    expect([status, reservationsOf(id).length]).toEqual(status === 'confirmed' ? ['confirmed', 1] : ['cancelled', 0]);
    expect(await violations()).toEqual([]);
  });
});
