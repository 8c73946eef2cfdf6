import { run } from '@suite/chassis';
import { inventory } from './inventory.ts';

await run(inventory);
