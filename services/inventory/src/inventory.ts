import { service } from '@suite/chassis';
import * as categories from './catalogue/categories.api.ts';
import * as taxes from './catalogue/taxes.api.ts';
import * as units from './catalogue/units.api.ts';
import { PrismaClient } from './generated/client.ts';

/** What is sold and what lies where: the catalogue, warehouses, stock with its value, and till sales. */
export const inventory = service({
  name: 'inventory',
  client: (adapter) => new PrismaClient({ adapter }),
  operations: { categories, taxes, units },
});
