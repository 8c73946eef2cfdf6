/** Runs the schedule of stock moves on demand. */
import { afterAll } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, type ServiceUnderTest } from '@suite/testing';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import type { Db } from '../src/operations.ts';
import { findOpen, settleStock } from '../src/ledger/stock/stock-settlement.ts';

/** Settles pending moves in a running finance service, and returns the states of a document's attempts. */
export function stockSettlement(serving: ServiceUnderTest) {
  const { log, config } = serving.tools;
  const fixture = { log, database: serving.database as Database<Db> };
  const definition = InventoryServiceDefinition;
  const rpc = connectRpc({ inventory: { definition, address: config.addresses['inventory']! } }, keysOf('finance'));
  afterAll(() => rpc.close());
  return {
    settle: async () => settleStock(fixture, (caller) => rpc.as(caller, ''), await findOpen(fixture)),
    states: async (id: string): Promise<string[]> =>
      (await serving.sql`SELECT state FROM stock_sagas WHERE document_id = ${id} ORDER BY attempt`).map(
        ({ state }) => state as string,
      ),
  };
}
