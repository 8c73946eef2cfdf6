import { run } from '@suite/chassis/service';
import { inventory } from './inventory.ts';

await run(inventory);
