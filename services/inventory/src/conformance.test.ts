import { conformance, visibilityConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openInventory } from '../test/fixture.ts';
import { inventory } from './inventory.ts';

const { serving, shop: openShop } = await openInventory();

const [ours, otherWorkspace] = [await createOneOfEach(await openShop()), await createOneOfEach(await openShop())];

conformance({ contents: inventory, serving, insider: { workspace: ours }, foreign_workspace: otherWorkspace });

visibilityConformance({ contents: inventory, serving, workspace: ours });
