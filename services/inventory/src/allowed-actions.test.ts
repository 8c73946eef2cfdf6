import { actionConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openInventory } from '../test/fixture.ts';
import { inventory } from './inventory.ts';

const { serving, shop: openShop } = await openInventory();
const shop = await openShop();
await createOneOfEach(shop);

actionConformance({ contents: inventory, serving, ...shop });
