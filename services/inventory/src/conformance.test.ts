import { conformance, seclusion } from '@suite/harness';
import { furnish } from '../test/furnish.ts';
import { openInventory } from '../test/ground.ts';
import { inventory } from './inventory.ts';

const { serving, shop: openShop } = await openInventory();

const [ours, theirs] = [await furnish(await openShop()), await furnish(await openShop())];

conformance({ contents: inventory, serving, insider: { workspace: ours }, foreign_workspace: theirs });

seclusion({ contents: inventory, serving, workspace: ours });
